"""Paths of a workspace folder, derived from ids, so that the folder can be copied elsewhere."""

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
"""Name of the array file that holds hashes of the group keys that a dataset does not show."""


class Layout:
    """The folders of one workspace. Spark's executors read and write those under `shared`."""

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
        # Named by process: recovery empties tmp, and leaves this folder to a Spark that still runs in this process.
        self.spark_scratch = self.temporary / f"spark-{os.getpid()}"
        self.quarantine = self.shared / "quarantine"
        self.trash = root / "trash"
        self.backups = root / "backups"
        self.reports = root / "reports"
        self.certificates = root / "certificates"
        self.report_secret = root / "report.secret"
        self.asides = self.shared / "aside"
        self.reserve = root / "reserve"

    def make(self) -> None:
        """Create the folders that every workspace needs."""
        folders = (self.datasets, self.lineages, self.files, self.stagings, self.temporary, self.shared_temporary)
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)

    @property
    def bases(self) -> tuple[Path, ...]:
        """Return the folders that hold all files: the workspace folder, and the shared one if it is another."""
        return tuple(dict.fromkeys((self.root, self.shared)))

    def relative(self, path: Path) -> str:
        """Return a path relative to the base folder that holds it, as the database stores it."""
        # The shared folder may lie inside the workspace folder, so it is tried first.
        base = next(base for base in reversed(self.bases) if path.is_relative_to(base))
        return str(path.relative_to(base))

    def trash_for(self, path: Path) -> Path:
        """Return the trash folder on the same file system as this path, so that moving there is a rename."""
        return self.trash if path.is_relative_to(self.root) else self.shared / self.trash.name

    @property
    def temporaries(self) -> tuple[Path, ...]:
        """Return the folders of derived files that can be made again."""
        return tuple(dict.fromkeys((self.temporary, self.shared_temporary)))

    @property
    def trashes(self) -> tuple[Path, ...]:
        """Return every trash folder."""
        return tuple(base / self.trash.name for base in self.bases)

    def dataset(self, dataset: DatasetId) -> Path:
        """Return the folder of one dataset version."""
        return self.datasets / dataset

    def lineage(self, dataset: DatasetId) -> Path:
        """Return the folder of one dataset version's array files: derivation blocks and hidden keys."""
        return self.lineages / dataset

    def aside(self, name: str) -> Path:
        """Return the folder for the readable rest of damaged files that were to be loaded under this name."""
        return self.asides / hashlib.sha256(name.strip().lower().encode()).hexdigest()[:16]

    def staging(self, run: RunId) -> Path:
        """Return the staging folder of one run."""
        return self.stagings / run


def entries(folder: Path) -> list[Path]:
    """Return what a folder contains, sorted by name, or an empty list if it does not exist."""
    return sorted(folder.iterdir()) if folder.is_dir() else []


def part_path(offset: int) -> str:
    """Return where in a dataset's folder the part lies whose first row has this row id.

    Spark reads the directory name as a partition column, so row id = offset + row index in the file.
    """
    return f"{ROWS}/{OFFSET_COLUMN}={offset}/part.parquet"
