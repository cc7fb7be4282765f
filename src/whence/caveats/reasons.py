"""Which caveats stand behind a mark: found by following lineage back to where doubts were raised."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.block import Ids
from whence.lineage.edges import Edges
from whence.lineage.trace import Trace
from whence.model.caveat import Caveat, CaveatGroup, CaveatRef
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.store.caveat_file import Caveats
from whence.store.store import Store, row_mark_name

MOST_REFERENCES = 100
"""A group names this many places at most; its count is always exact."""

Reach = Literal["values", "rows", "anywhere"]
"""How far to look: at the cells that gave the value; also at those that decided on the row; at rows left out, too."""

_Raised = tuple[DatasetRecord, Caveats]
"""A dataset, and some of the caveats its making raised."""


@dataclass(frozen=True)
class _Selection:
    """Part of a dataset: these columns of these rows (None: of all rows)."""

    rows: Ids | None
    columns: frozenset[str]

    def __or__(self, other: _Selection) -> _Selection:
        rows = None if self.rows is None or other.rows is None else np.union1d(self.rows, other.rows)
        return _Selection(rows, self.columns | other.columns)

    def of(self, caveats: Caveats) -> Caveats:
        """Those in this part; one without a column touches the whole row, one without a row all rows."""
        table = caveats.table
        columns = pa.array(sorted(self.columns), pa.string())
        chosen = pc.or_(pc.is_null(table["column"]), pc.is_in(table["column"], columns))
        if self.rows is not None:
            inside = pc.is_in(table["row"], pa.array(self.rows, pa.int64()))
            chosen = pc.and_(chosen, pc.or_(pc.is_null(table["row"]), inside))
        return Caveats(table.filter(chosen))


class Reasons:
    """Lists the caveats behind the marks of a dataset, a row, a column or a cell."""

    def __init__(self, store: Store, edges: Edges, trace: Trace) -> None:
        self._store = store
        self._edges = edges
        self._trace = trace

    def of(self, record: DatasetRecord, row: int | None, column: str | None) -> list[CaveatGroup]:
        """Groups of caveats; none where nothing is marked."""
        selection = self._marked(record, row, column)
        table = self._store.caveats(record).table
        notes = [(record, Caveats(table.filter(pc.equal(table["family"], "lineage"))))]
        if selection is None:
            return _groups(notes if row is None and column is None else [])
        reaches: tuple[Reach, ...] = ("values", "rows", "anywhere") if row is not None else ("anywhere",)
        for reach in reaches:
            found = self._behind(record, selection, reach)
            if found:
                return _groups(found)
        return _groups(notes)

    def _marked(self, record: DatasetRecord, row: int | None, column: str | None) -> _Selection | None:
        """The marked part of what was asked about, None if nothing there is marked."""
        names = record.schema.names if column is None else (column,)
        if row is None:
            is_marked = bool(record.doubt.columns & set(names)) or record.doubt.rows or record.doubt.row_set
            return _Selection(None, frozenset(names)) if is_marked else None
        (marks,) = self._store.marks(record, row, row + 1).to_pylist()
        marked = frozenset(name for name in names if marks[name])
        is_row_marked = marks[row_mark_name(record.schema.names)]
        if not marked and not is_row_marked:
            return None
        return _Selection(np.array([row], dtype=np.int64), marked)

    def _behind(self, record: DatasetRecord, selection: _Selection, reach: Reach) -> list[_Raised]:
        selected: dict[DatasetId, _Selection] = {record.id: selection}
        found = []
        for each in (record, *self._trace.ancestors(record)):
            part = selected.get(each.id)
            if part is None:
                continue
            raised = part.of(self._store.caveats(each))
            found += [(each, raised)] if len(raised) else []
            for source, more in self._inputs(each, part, reach):
                selected[source] = selected[source] | more if source in selected else more
        return found

    def _inputs(self, record: DatasetRecord, part: _Selection, reach: Reach) -> Iterable[tuple[DatasetId, _Selection]]:
        document = self._edges.document(record)
        if document is None:
            return
        uses = frozenset().union(*(document.values[name] for name in part.columns))
        # Without a value to follow, it is the row itself that is in doubt.
        uses = uses if reach == "values" and part.columns else uses | document.row
        for number, source in enumerate(document.sources):
            everything = frozenset(self._edges.record(source).schema.names)
            columns = frozenset(use.column for use in uses if use.source == number)
            rows = None if reach == "anywhere" or part.rows is None else self._edges.backward(record, number, part.rows)
            yield source, _Selection(rows, columns if document.is_exact else everything)


def _groups(found: list[_Raised]) -> list[CaveatGroup]:
    """Caveats of one family, raised by the same making on the same column, together."""
    return [group for record, caveats in found for group in _groups_of(record, caveats)]


def _groups_of(record: DatasetRecord, caveats: Caveats) -> list[CaveatGroup]:
    """In the order of their first caveats; only the places a group names are made into objects."""
    if not len(caveats):
        return []
    families, columns = (_codes(caveats.table[name]) for name in ("family", "column"))
    groups = families * (columns.max() + 2) + columns
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(groups[order]) != 0]))
    members = sorted(np.split(order, starts[1:]), key=lambda rows: int(rows[0]))
    return [_group(record, caveats, rows) for rows in members]


def _codes(column: pa.ChunkedArray) -> Ids:
    codes: Ids = column.combine_chunks().dictionary_encode().indices.fill_null(-1).to_numpy().astype(np.int64)
    return codes


def _group(record: DatasetRecord, caveats: Caveats, rows: Ids) -> CaveatGroup:
    shown = Caveats(caveats.table.take(pa.array(rows[:MOST_REFERENCES])))
    first = shown[0]
    references = tuple(_reference(record, caveat) for caveat in shown)
    made_by = f"{record.origin} {record.label}"
    return CaveatGroup(first.message, len(rows), first.family, made_by, first.column, references)


def _reference(record: DatasetRecord, caveat: Caveat) -> CaveatRef:
    return CaveatRef(record.name, record.version, caveat.row, caveat.column, caveat.line, caveat.text, caveat.message)
