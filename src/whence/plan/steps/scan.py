"""Read a stored dataset version: where row ids and doubt flags enter a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from whence.model.dataset import Doubt
from whence.model.ids import DatasetId
from whence.model.schema import ROW_FLAG_COLUMN, flag_column, range_columns
from whence.plan.catalyst import Build
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap, Use
from whence.plan.context import RewriteContext
from whence.plan.expr import Column
from whence.plan.grounds import Grounds, stored_grounds
from whence.plan.rids import Rids
from whence.plan.rowkey import SourceRowKey
from whence.plan.step import BoundedStep, FlaggedStep, Range, RangedColumns, Rid, Step, TracedStep
from whence.plan.stored_rows import StoredRows
from whence.plan.traits import Traits

RID = "rid"
"""The stored name that stands for the row's own position."""

_INT_ROWS = 2**31


@dataclass(frozen=True)
class Scan(Step):
    """All rows of one dataset version."""

    lineage_rule = "the row itself"
    caveat_rule = "the doubt flags stored with the dataset"
    repeatable = "always"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="row",
        is_one_way=True,
        is_conjunctive=True,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    source: int
    dataset: DatasetId
    user_columns: tuple[Column, ...]
    positions: Mapping[str, int]
    doubt: Doubt
    rows: int
    internal_columns: tuple[tuple[Column, str], ...] = field(default=())
    """Internal columns read along, each with the name it is stored under."""
    chosen_rids: Rids | None = field(default=None, compare=False, repr=False)
    """Only these rows, each once."""
    ranged: RangedColumns = field(default=RangedColumns())
    """Columns whose ranges are stored with the rows."""
    other_rows: str | None = None
    """The folder of other rows of the dataset, to read in place of those that are stored."""
    handle: object = field(default=None, compare=False, repr=False)

    def to_catalyst(self) -> Build:
        return Build(
            "Scan", (self.dataset, tuple((column, column.name) for column in self.user_columns) + self.internal_columns)
        )

    @property
    def inputs(self) -> tuple[Step, ...]:
        return ()

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.user_columns, *(column for column, _ in self.internal_columns))

    @property
    def most_rows(self) -> int:
        return self.rows

    @property
    def stored_rows(self) -> StoredRows:
        return self

    def on_chosen_rows(self, chosen: Mapping[int, Rids]) -> Step:
        return replace(self, chosen_rids=chosen[self.source]) if self.source in chosen else self

    def with_ranges(self, ranged: Callable[[DatasetId], RangedColumns]) -> Step:
        return replace(self, ranged=ranged(self.dataset))

    @property
    def has_ranges(self) -> bool:
        return bool(self.ranged.names)

    def over_versions(self, versions: Mapping[DatasetId, tuple[DatasetId, int]]) -> Step:
        dataset, rows = versions.get(self.dataset, (self.dataset, self.rows))
        return replace(self, dataset=dataset, rows=rows)

    def over_rows(self, folders: Mapping[DatasetId, str]) -> Step:
        return replace(self, other_rows=folders.get(self.dataset))

    def with_doubts(self, doubt_of: Callable[[DatasetId], Doubt]) -> Step:
        return replace(self, doubt=doubt_of(self.dataset))

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        if not context.traces(self.source):
            return TracedStep(self, ())
        # 32-bit ids cost visibly less than 64-bit ones in the aggregates above.
        rid = context.ids.column("rid", "int" if self.rows < _INT_ROWS else "bigint")
        return TracedStep(self._reading((rid, RID)), (Rid(self.source, rid),), SourceRowKey(self.source))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        cells = {column.id: ids.flag("doubt") for column in self.user_columns if column.name in self.doubt.columns}
        flagged = [column for column in self.user_columns if column.id in cells]
        stored = [(cells[column.id], flag_column(self.positions[column.name])) for column in flagged]
        row = ids.flag("row") if self.doubt.rows else None
        if row is not None:
            stored.append((row, ROW_FLAG_COLUMN))
        return FlaggedStep(self._reading(*stored), cells, row, is_loose=self.doubt.row_set)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        ranges: dict[int, Range] = {}
        stored: list[tuple[Column, str]] = []
        for column in self.user_columns:
            if column.name not in self.ranged.names & self.doubt.columns:
                continue
            kinds = (("low", column.type), ("high", column.type), ("missing", "boolean"))
            made = [ids.column(name, kind, nullable=True) for name, kind in kinds]
            is_never_missing = column.name in self.ranged.never_missing
            ranges[column.id] = Range(*made, is_never_missing=is_never_missing)
            stored += zip(made, range_columns(self.positions[column.name]), strict=True)
        return BoundedStep(self._reading(*stored).with_flags((), ids), ranges)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        # A query that asks for the position of a row also shows Spark's own columns; nobody's cells stand there.
        users = (column for column in self.user_columns if column.name in self.positions)
        return ColumnMap({column.id: frozenset({Use(self.source, column.name, "copied")}) for column in users})

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return stored_grounds(((column, column.name) for column in self.user_columns), self.source)

    def _reading(self, *stored: tuple[Column, str]) -> Scan:
        return replace(self, internal_columns=(*self.internal_columns, *stored))
