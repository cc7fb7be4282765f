"""Measures how many bytes each part of a workspace takes on the disk."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from whence.model.dataset import DatasetRecord
from whence.model.schema import ID_PREFIX
from whence.store.derived import Derived
from whence.store.layout import Layout


@dataclass(frozen=True)
class DatasetUsage:
    """Bytes of one dataset version: rows with caveats and documents, lineage, and derived files."""

    label: str
    rows: int
    data: int
    lineage: int
    derived: int


@dataclass(frozen=True)
class Usage:
    """Bytes of the whole workspace. `tmp` includes the derived files of datasets. The parts add up to `total`."""

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
    """Measure every part of a workspace. `reclaimable` bytes are garbage, and also counted in the part they are in."""
    derived = Derived(layout.temporary, layout.shared_temporary)
    datasets = tuple(_of_dataset(layout, derived, record) for record in records)
    database = sum(size_of(path) for path in layout.root.glob("meta.*"))
    database += size_of(layout.backups) + size_of(layout.reserve) + size_of(layout.reports)
    places = (layout.quarantine, *layout.trashes, layout.stagings, layout.asides)
    aside = sum(map(size_of, places))
    files = sum(map(size_of, (layout.files, layout.uploads, layout.sheets)))
    return Usage(
        datasets=datasets,
        files=files,
        tmp=sum(map(size_of, layout.temporaries)),
        database=database,
        set_aside=aside,
        reclaimable=reclaimable,
    )


def _of_dataset(layout: Layout, derived: Derived, record: DatasetRecord) -> DatasetUsage:
    folder = layout.dataset(record.id)
    beside = ids_beside_rows(folder)
    return DatasetUsage(
        record.label,
        record.rows,
        size_of(folder) - beside,
        size_of(layout.lineage(record.id)) + beside,
        sum(map(size_of, derived.folders(record.id))),
    )


def ids_beside_rows(folder: Path) -> int:
    """Return the bytes of lineage in a dataset's part files. A file that cannot be read counts as having none."""
    return sum(_ids_in(file) for file in folder.rglob("*.parquet") if not file.is_symlink())


def _ids_in(file: Path) -> int:
    try:
        found = pq.read_metadata(file)
    except (OSError, pa.ArrowException):
        return 0
    places = [n for n in range(found.num_columns) if found.schema.column(n).path.startswith(ID_PREFIX)]
    groups = [found.row_group(number) for number in range(found.num_row_groups)] if places else []
    return sum(group.column(place).total_compressed_size for group in groups for place in places)


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder, while others may come and go. A missing path has 0."""
    # os.walk passes over folders that are gone by then; Path.rglob raises an error.
    inside = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
    total = 0
    for file in inside if path.is_dir() else (path,):
        with suppress(OSError):
            total += file.lstat().st_size if file.is_file() else 0
    return total
