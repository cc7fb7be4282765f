"""Where everything lies inside a workspace folder; every path follows from an id, so the folder can be copied."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from whence.model.ids import DatasetId, RunId
from whence.model.schema import OFFSET_COLUMN

MANIFEST = "manifest.json"
CAVEATS = "caveats.parquet"
ROWS = "rows"
HIDDEN_KEYS = "rowkeys"
"""The stem of the index file with hashes of values that a dataset was grouped by and does not show."""


class Layout:
    """The folders of one workspace."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.database = root / "meta.db"
        self.lock = root / "lock"
        self.datasets = root / "datasets"
        self.lineages = root / "lineage"
        self.files = root / "files"
        self.stagings = root / "staging"
        self.temporary = root / "tmp"
        self.spark_scratch = self.temporary / f"spark-{os.getpid()}"
        self.quarantine = root / "quarantine"
        self.trash = root / "trash"
        self.backups = root / "backups"
        self.asides = root / "aside"
        self.reserve = root / "reserve"

    def make(self) -> None:
        """Make the folders that are not there yet."""
        for folder in (self.datasets, self.lineages, self.files, self.stagings, self.temporary):
            folder.mkdir(parents=True, exist_ok=True)

    def dataset(self, dataset: DatasetId) -> Path:
        """The folder of one dataset version."""
        return self.datasets / dataset

    def lineage(self, dataset: DatasetId) -> Path:
        """The folder of one dataset version's index files."""
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
