"""Where everything of a workspace lies; every path follows from an id, so the folder can be copied."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from whence.model.ids import DatasetId, RunId
from whence.model.schema import OFFSET_COLUMN

MANIFEST = "manifest.json"
CAVEATS = "caveats.parquet"
ROWS = "rows"
DATASETS = "datasets"
HIDDEN_KEYS = "rowkeys"
"""The stem of the array file with hashes of values that a dataset was grouped by and does not show."""


class Layout:
    """The folders of one workspace; those that Spark's executors read or write are under `shared`."""

    def __init__(self, root: Path, shared: Path | None = None) -> None:
        self.root = root
        self.shared = shared or root
        self.database = root / "meta.db"
        self.lock = root / "lock"
        self.datasets = self.shared / DATASETS
        self.lineages = self.shared / "lineage"
        self.files = root / "files"
        self.uploads = root / "uploads"
        self.sheets = root / "sheets"
        self.stagings = self.shared / "staging"
        self.temporary = root / "tmp"
        self.shared_temporary = self.shared / "tmp"
        self.spark_scratch = self.temporary / f"spark-{os.getpid()}"
        self.quarantine = self.shared / "quarantine"
        self.trash = root / "trash"
        self.backups = root / "backups"
        self.reports = root / "reports"
        self.asides = self.shared / "aside"
        self.reserve = root / "reserve"

    def make(self) -> None:
        """Make the folders that are not there yet."""
        folders = (self.datasets, self.lineages, self.files, self.stagings, self.temporary, self.shared_temporary)
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def bases(self) -> tuple[Path, ...]:
        """The folders under which everything lies: one, or two if some of it is shared."""
        return tuple(dict.fromkeys((self.root, self.shared)))

    def relative(self, path: Path) -> str:
        """A path as it is written down: from the folder that it lies in."""
        base = next(base for base in reversed(self.bases) if path.is_relative_to(base))
        return str(path.relative_to(base))

    def trash_for(self, path: Path) -> Path:
        """The trash on the file system of something that is thrown away."""
        return self.trash if path.is_relative_to(self.root) else self.shared / self.trash.name

    @property
    def temporaries(self) -> tuple[Path, ...]:
        """Every folder of what can be made again."""
        return tuple(dict.fromkeys((self.temporary, self.shared_temporary)))

    @property
    def trashes(self) -> tuple[Path, ...]:
        """Every folder of things that were thrown away."""
        return tuple(base / self.trash.name for base in self.bases)

    def dataset(self, dataset: DatasetId) -> Path:
        """The folder of one dataset version."""
        return self.datasets / dataset

    def lineage(self, dataset: DatasetId) -> Path:
        """The folder of one dataset version's array files: derivation blocks and hidden keys."""
        return self.lineages / dataset

    def aside(self, name: str) -> Path:
        """Where what could be read of damaged files goes that were to be loaded under this name."""
        return self.asides / hashlib.sha256(name.strip().lower().encode()).hexdigest()[:16]

    def staging(self, run: RunId) -> Path:
        """Where one run writes."""
        return self.stagings / run


def entries(folder: Path) -> list[Path]:
    """What lies in a folder, in order; nothing if it is not there."""
    return sorted(folder.iterdir()) if folder.is_dir() else []


def part_path(offset: int) -> str:
    """Where the part whose first row has this rid lies inside a dataset's folder.

    Spark reads the directory name as a partition column, so rid = offset + row index in the file.
    """
    return f"{ROWS}/{OFFSET_COLUMN}={offset}/part.parquet"
