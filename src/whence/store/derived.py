"""Paths of derived files, which can be computed again: tmp/<kind>/<dataset>/<hash of the question>. Safe to delete."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Literal

from whence.model.ids import DatasetId
from whence.store.layout import entries

Kind = Literal["views", "profiles", "rows", "index", "deferred", "flags", "recomputed", "prepared", "notes", "ranges"]

KINDS: tuple[Kind, ...] = (
    "views",
    "profiles",
    "rows",
    "index",
    "deferred",
    "flags",
    "recomputed",
    "prepared",
    "notes",
    "ranges",
)

_READ_BY_SPARK: tuple[Kind, ...] = ("flags", "ranges")


class Derived:
    """The folders of derived files in a workspace's tmp. Files that Spark reads are in the shared tmp."""

    def __init__(self, root: Path, shared: Path) -> None:
        self.root = root
        self._shared = shared

    def path(self, kind: Kind, dataset: DatasetId, question: object) -> Path:
        """Return the path of the answer to a question about a dataset. A question is any JSON value."""
        return self.folder(kind) / dataset / name_of(question)

    def drop(self, dataset: DatasetId) -> None:
        """Remove everything derived from a dataset."""
        for folder in self.folders(dataset):
            remove(folder)

    def tidy(self, known: set[str]) -> None:
        """Remove files of unknown datasets, and files that a process was still writing when it ended."""
        for kind in KINDS:
            for folder in entries(self.folder(kind)):
                for entry in entries(folder):
                    # A complete answer is named by its hash alone. A file that is being written has a suffix.
                    if folder.name not in known or entry.suffix:
                        remove(entry)
                if folder.name not in known:
                    remove(folder)

    def folders(self, dataset: DatasetId) -> list[Path]:
        """Return every folder with files derived from a dataset."""
        return [self.folder(kind) / dataset for kind in KINDS]

    def folder(self, kind: Kind) -> Path:
        """Return the folder of one kind of derived files."""
        return (self._shared if kind in _READ_BY_SPARK else self.root) / kind


def name_of(question: object) -> str:
    """Return the name of the file with the answer to a question."""
    return hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()[:32]


def remove(path: Path) -> None:
    """Remove a file, or a folder with its content. A missing path is no error."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
