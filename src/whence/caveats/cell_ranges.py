"""Between which values the doubtful cells of a dataset lie: as caveats state it, followed through every query."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from whence.caveats.current_flags import write_flag_copy
from whence.caveats.doubt_flags import DoubtFlags
from whence.caveats.query_rerun import MOST_ROWS, PreparedQuery, QueryRerun
from whence.caveats.range_ends import move_ranges
from whence.caveats.stated_ranges import stated_ranges
from whence.caveats.stored_ranges import FORM, StoredRanges
from whence.engine.blame import is_own_error
from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.engine.scan import StoredFlags
from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.errors import WhenceError
from whence.model.ids import DatasetId
from whence.model.schema import range_columns
from whence.plan.bounds.bound import NOTHING_STATED
from whence.plan.carry_bounds import with_bounds
from whence.plan.caveat_questions import asks_for_bounds
from whence.plan.expr import Column
from whence.plan.step import BoundedStep, RangedColumns, Step
from whence.store.derived import remove
from whence.store.forgotten import ForgottenRecord
from whence.store.hash_list import WholeFolders, write_hash_list
from whence.store.layout import ROWS
from whence.store.memory_cache import MemoryCache
from whence.store.store import Store

_TABLE = "ranges.parquet"
_REASONS = b"whence.reasons"
_NOT_AGAIN = "Its rows come from no query that can run again."
_OTHER_ANSWERS = "Its query asks for bounds itself, and might get other answers now."
_OTHER_ROWS = "Another run of its query gives other rows."


@dataclass(frozen=True)
class RangeTable:
    """The stored range columns of a dataset, a row for each of its rows; `reasons` say why other columns have none."""

    table: pa.Table
    reasons: Mapping[str, str] = field(default_factory=dict)
    everywhere: str = NOTHING_STATED
    """Why a column that `reasons` does not name has no range."""

    def has(self, position: int) -> bool:
        """Whether the column at this position has a range."""
        return range_columns(position)[0] in self.table.column_names

    def is_never_missing(self, position: int) -> bool:
        """Whether no cell in doubt of this column may be NULL."""
        return not pc.any(self.table.column(range_columns(position)[2])).as_py()

    def reason(self, column: str) -> str:
        """Why cells of a column have no range."""
        return self.reasons.get(column, self.everywhere)


_NONE = pa.table({})


class CellRanges:
    """Answers for the datasets of one workspace. Nothing is computed before someone asks."""

    def __init__(self, store: Store, engine: Engine, trace: Trace, flags: DoubtFlags, rerun: QueryRerun) -> None:
        self._store = store
        self._engine = engine
        self._trace = trace
        self._flags = flags
        self._rerun = rerun
        self._folders = WholeFolders()
        self._known = MemoryCache(store, self._find, most=64)

    def of(self, record: DatasetRecord) -> RangeTable:
        """The ranges of the cells that are in doubt now."""
        return self._known(record.id, self._store.acknowledged.epoch)

    def _find(self, dataset: DatasetId, _epoch: int) -> RangeTable:
        record = self._store.by_id(dataset)
        if isinstance(record, ForgottenRecord) or not self._flags.doubt(record).columns:
            return RangeTable(_NONE)
        if not record.parents:
            return RangeTable(self._stated(record))
        stored = self._of_the_run(record)
        if stored is not None:
            return self._stored_with(stored, record)
        path = self._path(record)
        return _read(path) if self._folders.has(path) else self._compute_and_keep(record, path)

    def _stored_with(self, stored: StoredRanges, record: DatasetRecord) -> RangeTable:
        if record.rows > MOST_ROWS:
            return RangeTable(_NONE, everywhere=f"Only results of at most {MOST_ROWS:,} rows show their bounds.")
        return RangeTable(stored.read(self._store, record), stored.reasons)

    def are_at_hand(self, record: DatasetRecord) -> bool:
        """Whether the ranges can be told without running a query."""
        if isinstance(record, ForgottenRecord) or not record.parents or not self._flags.doubt(record).columns:
            return True
        return self._of_the_run(record) is not None or self._folders.has(self._path(record))

    def prepare(self, record: DatasetRecord) -> None:
        """Compute its ranges, if they are not at hand."""
        if not self.are_at_hand(record):
            self.of(record)

    def ranged_columns(self, record: DatasetRecord) -> RangedColumns:
        """The columns with a range that can be told without running a query."""
        stored = self._of_the_run(record)
        if stored is not None:
            names = record.schema.names
            ranged, never_missing = stored.positions, stored.never_missing
            return RangedColumns(frozenset(names[p] for p in ranged), frozenset(names[p] for p in never_missing))
        return self._columns_of(record) if self.are_at_hand(record) else RangedColumns()

    def _columns_of(self, record: DatasetRecord) -> RangedColumns:
        known, names = self.of(record), record.schema.names
        ranged = [place for place in range(len(names)) if known.has(place)]
        return RangedColumns(
            frozenset(names[place] for place in ranged),
            frozenset(names[place] for place in ranged if known.is_never_missing(place)),
        )

    def _of_the_run(self, record: DatasetRecord) -> StoredRanges | None:
        """What the run of its query stored, if it still holds: no caveat behind it was acknowledged or revoked."""
        stored = StoredRanges.of(self._store, record)
        if stored is None or self._acknowledged(record):
            return None
        return stored if stored.states == self._states(self._trace.ancestors(record)) else None

    def states(self, datasets: Iterable[DatasetId]) -> list[str]:
        """A text for each dataset with acknowledged caveats, among these and all that they were made from."""
        if self._store.acknowledged.is_empty:
            return []
        known = {record.id: record for record in map(self._store.by_id, datasets)}
        for record in tuple(known.values()):
            known |= {each.id: each for each in self._trace.ancestors(record)}
        return self._states(known.values())

    def _states(self, records: Iterable[DatasetRecord]) -> list[str]:
        found = ((each.id, self._acknowledged(each)) for each in records)
        return sorted(f"{dataset} {state}" for dataset, state in found if state)

    def _path(self, record: DatasetRecord) -> Path:
        return self._store.derived.path("ranges", record.id, [FORM, *self._question(record)])

    def _stated(self, record: DatasetRecord) -> pa.Table:
        masks = self._flags.current_flags(record).masks
        doubtful = [name for name in record.schema.names if name in masks]
        rows = self._store.read(record, 0, record.rows, doubtful)
        done = self._flags.acknowledged_mask(record)
        return stated_ranges(record, rows, self._store.caveat_table(record), masks, done)

    def _question(self, record: DatasetRecord) -> list[str]:
        """What the ranges of a dataset depend on: which caveats behind it are acknowledged."""
        return [f"{each.id} {self._acknowledged(each)}" for each in (record, *self._trace.ancestors(record))]

    def _acknowledged(self, record: DatasetRecord) -> str:
        done = None if isinstance(record, ForgottenRecord) else self._flags.acknowledged_mask(record)
        return "" if done is None or not done.any() else hashlib.sha256(np.packbits(done).tobytes()).hexdigest()

    def _compute_and_keep(self, record: DatasetRecord, path: Path) -> RangeTable:
        found = self._compute(record)
        remove(path)
        _write(path, found)
        self._folders.add(path)
        return found

    def _compute(self, record: DatasetRecord) -> RangeTable:
        try:
            prepared = self._rerun.prepare(record, self._flags.settled_sites(record))
            if prepared is None:
                return RangeTable(_NONE, everywhere=_NOT_AGAIN)
            if asks_for_bounds(prepared.traced.step):
                return RangeTable(_NONE, everywhere=_OTHER_ANSWERS)
            return self._run(record, prepared)
        except Exception as error:  # what is not known is unbounded, and says so
            is_own = is_own_error(error) and not self._engine.raises_internal_errors
            if isinstance(error, WhenceError) or is_own:
                return RangeTable(_NONE, everywhere=f"Computing the ends of its range fails: {error}")
            raise

    def _run(self, record: DatasetRecord, prepared: PreparedQuery) -> RangeTable:
        query = prepared.query
        bounded = with_bounds(self._with_ranges(prepared.traced.step), query.read.ids)
        reasons = {
            record.schema.names[place]: bounded.reasons[column.id]
            for place, column in enumerate(query.columns)
            if column.id in bounded.reasons
        }
        wanted = self._range_columns(record, query, bounded)
        if not wanted:
            return RangeTable(_NONE, reasons)
        columns = [column for each in wanted.values() for column in each]
        flags = _RangeFlags(self._store, self._rerun.flags, self)
        rows = self._rerun.rows(record, prepared, bounded.flagged, columns, flags)
        if rows is None:
            return RangeTable(_NONE, everywhere=_OTHER_ROWS)
        ends = {
            name: rows.table.column(3 * number + part)
            for number, place in enumerate(wanted)
            for part, name in enumerate(range_columns(place))
        }
        places = list(wanted)
        return RangeTable(move_ranges(ends, rows.codes, self._types(record, places)), reasons)

    def _range_columns(
        self, record: DatasetRecord, query: Query, bounded: BoundedStep
    ) -> dict[int, tuple[Column, ...]]:
        """Low end, high end and missing of each column; one that ranges make certain is its own low and high end."""
        found: dict[int, tuple[Column, ...]] = {}
        doubtful = self._flags.doubt(record).columns
        for place, column in enumerate(query.columns):
            if column.id in bounded.ranges:
                found[place] = bounded.ranges[column.id].columns
            elif record.schema.names[place] in doubtful and column.id not in bounded.flagged.cells:
                found[place] = (column, column, column)
        return found

    def _types(self, record: DatasetRecord, places: list[int]) -> dict[int, pa.DataType]:
        first = self._store.read(record, 0, 0, [record.schema.names[place] for place in places])
        return {place: first.column(number).type for number, place in enumerate(places)}

    def _with_ranges(self, step: Step) -> Step:
        def ranged(dataset: DatasetId) -> RangedColumns:
            return self._columns_of(self._store.by_id(dataset))

        inputs = tuple(self._with_ranges(each) for each in step.inputs)
        return (step.with_inputs(*inputs) if inputs else step).with_ranges(ranged)

    def stored_copy(self, record: DatasetRecord) -> Path | None:
        """The rows with their flags of now and their ranges, as files for Spark; None if no cell has a range."""
        stored = self._of_the_run(record)
        if stored is not None:
            return self._store.rows_path(record) if stored.positions else None
        known = self.of(record)
        if not known.table.num_columns:
            return None
        question = [FORM, "rows", *self._question(record)]
        place = self._store.derived.path("ranges", record.id, question)
        if not self._folders.has(place):
            remove(place)
            write_flag_copy(self._store, record, self._flags.current_flags(record), place, known.table)
            self._folders.add(place)
        return place / ROWS


class _RangeFlags(StoredFlags):
    """The doubt flags of now, with ranges beside them."""

    def __init__(self, store: Store, now: StoredFlags, ranges: CellRanges) -> None:
        super().__init__(store)
        self._now = now
        self._ranges = ranges

    def doubt(self, record: DatasetRecord) -> Doubt:
        return self._now.doubt(record)

    def rows_path(self, record: DatasetRecord) -> Path:
        return self._ranges.stored_copy(record) or self._now.rows_path(record)


def _write(folder: Path, ranges: RangeTable) -> None:
    """Write an answer as a folder, which appears under its name when it is complete."""
    reasons = json.dumps([dict(ranges.reasons), ranges.everywhere]).encode()
    waiting = folder.with_suffix(".new")
    remove(waiting)
    waiting.mkdir(parents=True)
    pq.write_table(ranges.table.replace_schema_metadata({_REASONS: reasons}), waiting / _TABLE)
    write_hash_list(waiting)
    waiting.replace(folder)


def _read(folder: Path) -> RangeTable:
    table = pq.read_table(folder / _TABLE)
    reasons, everywhere = json.loads((table.schema.metadata or {})[_REASONS])
    return RangeTable(table, reasons, everywhere)
