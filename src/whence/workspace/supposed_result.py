"""What a dataset would hold if doubtful values were others: the queries down to it run again over changed rows."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from whence.caveats.influence import Influences
from whence.caveats.own_caveats import OwnCaveats
from whence.caveats.place_values import PlacedValues, SupposedValues, place_values, with_cells, with_sites
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotRelated, NotSupported
from whence.model.ids import DatasetId
from whence.plan.expr import alias, ref
from whence.plan.rebuild import rebuild
from whence.plan.repeatable import can_stand_for_another_run
from whence.plan.steps.project import Project
from whence.store.derived import remove
from whence.store.forgotten import ForgottenRecord
from whence.store.layout import ROWS, part_path
from whence.workspace.context import Context


@dataclass(frozen=True)
class SupposedResult:
    """The rows of a dataset as they are, and as they would be. Nothing is stored."""

    before: pa.Table
    after: pa.Table
    """In the order in which the query gives them."""

    @property
    def gone(self) -> pa.Table:
        """Rows that are there and would not be."""
        return _surplus(self.before, self.after)

    @property
    def new(self) -> pa.Table:
        """Rows that would be there and are not."""
        return _surplus(self.after, self.before)


def suppose(context: Context, record: DatasetRecord, values: SupposedValues) -> SupposedResult:
    """Return what a dataset would hold if the doubtful values behind these caveats were others."""
    own = OwnCaveats(context.store, Influences(context.store, context.readers.edges))
    placed = place_values(context.store, own, values)
    behind = {record.id, *(each.id for each in context.readers.trace.ancestors(record))}
    for dataset in placed:
        if dataset not in behind:
            raise NotRelated(
                f"{record.label} was not made from {context.store.by_id(dataset).label}, of which a caveat is given.",
                f"Take caveats of ws[{record.name!r}].caveats.list().",
            )
    scratch = context.store.derived.folder("ranges") / f"supposed-{secrets.token_hex(8)}"
    try:
        after = _Rows(context, placed, scratch).of(record)
    finally:
        remove(scratch)
    before = context.store.read(record, 0, record.rows)
    return SupposedResult(before, before if after is None else after)


@dataclass(frozen=True)
class _Rows:
    """Computes the rows of datasets over changed values, each dataset once."""

    context: Context
    placed: Mapping[DatasetId, PlacedValues]
    scratch: Path
    _known: dict[DatasetId, pa.Table | None] = field(default_factory=dict)

    def of(self, record: DatasetRecord) -> pa.Table | None:
        """The rows of a dataset version; None if they are those that are stored."""
        if record.id not in self._known:
            placed = self.placed.get(record.id, PlacedValues())
            rows = self._made_again(record, placed)
            if placed.cells:
                rows = self._stored(record) if rows is None else rows
                rows = with_cells(rows, placed.cells, record.label)
            self._known[record.id] = rows
        return self._known[record.id]

    def _made_again(self, record: DatasetRecord, placed: PlacedValues) -> pa.Table | None:
        """The rows without changes to their own cells."""
        store = self.context.store
        parents = [store.by_id(each) for each in record.parents]
        changed = {each.id: rows for each in parents if _is_there(each) and (rows := self.of(each)) is not None}
        if not changed and not placed.sites:
            return None
        if record.origin == "caveat" and len(parents) == 1:  # the same rows in the same order, with one doubt more
            return changed.get(record.parents[0])
        return self._run(record, placed, changed)

    def _run(self, record: DatasetRecord, placed: PlacedValues, changed: Mapping[DatasetId, pa.Table]) -> pa.Table:
        query, plan = self.context.readers.rerun.query(record)
        if not can_stand_for_another_run(plan):
            raise NotSupported(f"{record.label} cannot be worked out again: another run of its query gives other rows.")
        plan = with_sites(plan, placed.sites, record)
        folders = {dataset: self._write(dataset, rows) for dataset, rows in changed.items()}
        plan = rebuild(plan, lambda step: step.over_rows(folders))
        shown = [alias(ref(each), query.read.ids.column("out", each.type, nullable=True)) for each in query.columns]
        engine = self.context.engine
        table = engine.to_arrow(engine.write(query, Project(plan, tuple(shown))))
        return table.rename_columns(list(record.schema.names)).cast(self._nullable_schema(record))

    def _write(self, dataset: DatasetId, rows: pa.Table) -> str:
        folder = self.scratch / dataset
        part = folder / part_path(0)
        if not part.exists():
            part.parent.mkdir(parents=True)
            pq.write_table(rows, part)
        return str(folder / ROWS)

    def _stored(self, record: DatasetRecord) -> pa.Table:
        return self.context.store.read(record, 0, record.rows)

    def _nullable_schema(self, record: DatasetRecord) -> pa.Schema:
        return pa.schema([each.with_nullable(True) for each in self.context.store.read(record, 0, 0).schema])


def _is_there(record: DatasetRecord) -> bool:
    return not isinstance(record, ForgottenRecord)


def _surplus(rows: pa.Table, others: pa.Table) -> pa.Table:
    """The rows that are more often here than there."""
    left = Counter(map(repr, others.to_pylist()))
    places = []
    for place, row in enumerate(map(repr, rows.to_pylist())):
        if left[row]:
            left[row] -= 1
        else:
            places.append(place)
    return rows.take(pa.array(places, pa.int64()))
