"""How many bytes of the disk each part of a workspace takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from whence.model.dataset import DatasetRecord
from whence.store.derived import Derived
from whence.store.layout import Layout


@dataclass(frozen=True)
class DatasetUsage:
    """One dataset version: its rows with caveats and documents, its lineage, and what was derived from it."""

    label: str
    rows: int
    data: int
    lineage: int
    derived: int


@dataclass(frozen=True)
class Usage:
    """The whole workspace; `tmp` includes what was derived from datasets, and all parts add up to `total`."""

    datasets: tuple[DatasetUsage, ...]
    files: int
    tmp: int
    database: int
    set_aside: int
    reclaimable: int

    @property
    def total(self) -> int:
        """All bytes."""
        stored = sum(each.data + each.lineage for each in self.datasets)
        return stored + self.files + self.tmp + self.database + self.set_aside


def usage(layout: Layout, records: list[DatasetRecord], reclaimable: int) -> Usage:
    """Measure every part of a workspace; `reclaimable` bytes are among `files` and `set_aside`."""
    derived = Derived(layout.temporary, layout.shared_temporary)
    datasets = tuple(
        DatasetUsage(
            record.label,
            record.rows,
            size_of(layout.dataset(record.id)),
            size_of(layout.lineage(record.id)),
            sum(map(size_of, derived.folders(record.id))),
        )
        for record in records
    )
    database = sum(size_of(path) for path in layout.root.glob("meta.*"))
    database += size_of(layout.backups) + size_of(layout.reserve)
    places = (layout.quarantine, *layout.trashes, layout.stagings, layout.asides)
    aside = sum(map(size_of, places))
    files = sum(map(size_of, (layout.files, layout.uploads, layout.sheets)))
    return Usage(datasets, files, sum(map(size_of, layout.temporaries)), database, aside, reclaimable)


def size_of(path: Path) -> int:
    """The bytes of a file, or of all files in a folder; nothing there is nothing."""
    files = path.rglob("*") if path.is_dir() else (path,)
    total = 0
    for file in files:
        try:
            total += file.lstat().st_size if file.is_file() else 0
        except OSError:
            continue  # it went while we were counting
    return total
