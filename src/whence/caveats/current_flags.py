"""Gives queries the doubt flags as they stand now: after acknowledging, a copy of the rows with fewer flags."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from whence.caveats.doubt_flags import DoubtFlags
from whence.caveats.influence import ROW, Part
from whence.caveats.known_ranges import KnownRanges
from whence.caveats.reach import FlagMasks
from whence.engine.scan import StoredFlags
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.ids import DatasetId
from whence.model.schema import INTERNAL_PREFIX, ROW_FLAG_COLUMN, flag_column, range_columns
from whence.plan.step import RangedColumns
from whence.store.derived import remove
from whence.store.hash_list import WholeFolders, write_hash_list
from whence.store.layout import ROWS, part_path
from whence.store.store import Store


class CurrentFlags(StoredFlags):
    """The doubt flags that still hold after caveats were acknowledged, for the scans of queries."""

    def __init__(
        self, store: Store, flags: Callable[[], DoubtFlags], ranges: Callable[[], KnownRanges] | None = None
    ) -> None:
        """Both are called late: `DoubtFlags` and `CellRanges` need the engine, and the engine is given this object."""
        super().__init__(store)
        self._current = store
        self._read = flags
        self._read_ranges = ranges
        self._copies = WholeFolders()

    @property
    def _flags(self) -> DoubtFlags:
        return self._read()

    def doubt(self, record: DatasetRecord) -> Doubt:
        """Which parts carry any flag."""
        return self._flags.doubt(record)

    def rows_path(self, record: DatasetRecord) -> Path:
        """The stored rows or, where some of their flags no longer hold, a copy under the workspace's tmp."""
        stored, now = self._flags.stored_flags(record), self._flags.current_flags(record)
        if all(part in stored.masks and np.array_equal(mask, stored.masks[part]) for part, mask in now.masks.items()):
            return super().rows_path(record)  # flags of parts without any are not read
        place = self._current.derived.path("flags", record.id, now.fingerprint)
        if not self._copies.has(place):
            remove(place)
            write_flag_copy(self._current, record, now, place)
            self._copies.add(place)
        return place / ROWS

    def ranged_columns(self, record: DatasetRecord) -> RangedColumns:
        """The columns whose ranges are at hand."""
        return RangedColumns() if self._read_ranges is None else self._read_ranges().ranged_columns(record)

    def compute_ranges(self, record: DatasetRecord) -> None:
        """Compute the ranges of a dataset, if they are not at hand."""
        if self._read_ranges is not None:
            self._read_ranges().prepare(record)

    def ranges_path(self, record: DatasetRecord) -> Path:
        """The rows with their ranges."""
        found = None if self._read_ranges is None else self._read_ranges().stored_copy(record)
        return found or self.rows_path(record)

    def range_states(self, datasets: Iterable[DatasetId]) -> list[str]:
        """The acknowledged caveats behind these."""
        return [] if self._read_ranges is None else self._read_ranges().states(datasets)

    def states(self, datasets: Iterable[DatasetId]) -> dict[DatasetId, str]:
        """A text for the flags of each of these that are not as they were stored; another one for other flags."""
        return self._flags.states(datasets)

    def table(self, record: DatasetRecord) -> pa.Table:
        """What is flagged now."""
        return self._flags.table(record, 0, record.rows)


def write_flag_copy(
    store: Store, record: DatasetRecord, flagged: FlagMasks, place: Path, beside: pa.Table | None = None
) -> None:
    """Write a copy of the rows with these flags, and the columns of `beside`, which has a row for each of them.

    The folder appears under its name when it is complete.
    """
    waiting = place.with_suffix(".new")
    shutil.rmtree(waiting, ignore_errors=True)
    for part in store.manifest(record).parts:
        table = pq.ParquetFile(store.layout.dataset(record.id) / part.path).read()
        target = waiting / part_path(part.offset)
        target.parent.mkdir(parents=True)
        table = with_flag_columns(table, record, flagged, part.offset)
        if beside is not None:
            for name in beside.column_names:
                table = table.append_column(name, beside.column(name).slice(part.offset, table.num_rows))
        pq.write_table(table, target)
    write_hash_list(waiting)
    waiting.replace(place)


def with_flag_columns(table: pa.Table, record: DatasetRecord, flagged: FlagMasks, offset: int) -> pa.Table:
    """The rows of a part with these flags in place of the stored ones, and without the ranges that went with those."""
    gone = {name for place in range(len(record.schema.names)) for name in range_columns(place)}
    kept = [name for name in table.column_names if not (_is_flag_column(name) or name in gone)]
    parts: tuple[Part, ...] = (*record.schema.names, ROW)
    table = table.select(kept)
    for position, part in enumerate(parts):
        if part in flagged.masks:
            name = ROW_FLAG_COLUMN if part == ROW else flag_column(position)
            table = table.append_column(name, pa.array(flagged.masks[part][offset : offset + table.num_rows]))
    return table


def _is_flag_column(name: str) -> bool:
    return name.startswith(f"{INTERNAL_PREFIX}mark_")
