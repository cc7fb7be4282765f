"""Where results that can be computed again lie: tmp/<kind>/<dataset>/<hash of what was asked>, safe to delete."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Literal

from whence.model.ids import DatasetId
from whence.store.layout import entries

Kind = Literal["views", "profiles", "rows", "index", "deferred", "flags", "recomputed", "prepared"]

KINDS: tuple[Kind, ...] = ("views", "profiles", "rows", "index", "deferred", "flags", "recomputed", "prepared")

_READ_BY_SPARK: tuple[Kind, ...] = ("flags",)


class Derived:
    """The places of derived files under one workspace's tmp; those that Spark reads are in the tmp it shares."""

    def __init__(self, root: Path, shared: Path) -> None:
        self.root = root
        self._shared = shared

    def path(self, kind: Kind, dataset: DatasetId, question: object) -> Path:
        """Where the answer to a question about a dataset lies, if it was kept; a question is anything JSON can say."""
        name = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:32]
        return self._folder(kind) / dataset / name

    def drop(self, dataset: DatasetId) -> None:
        """Remove everything derived from a dataset."""
        for folder in self.folders(dataset):
            remove(folder)

    def tidy(self, known: set[str]) -> None:
        """Remove what belongs to no known dataset, and what was being written when a process ended."""
        for kind in KINDS:
            for folder in entries(self._folder(kind)):
                for entry in entries(folder):
                    # A whole answer is named by its hash alone; what is being written has a suffix.
                    if folder.name not in known or entry.suffix:
                        remove(entry)
                if folder.name not in known:
                    remove(folder)

    def folders(self, dataset: DatasetId) -> list[Path]:
        """Where everything derived from a dataset lies."""
        return [self._folder(kind) / dataset for kind in KINDS]

    def _folder(self, kind: Kind) -> Path:
        return (self._shared if kind in _READ_BY_SPARK else self.root) / kind


def remove(path: Path) -> None:
    """Remove a file, or a folder with all that is in it; one that is gone already is no error."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
