"""`whence.link`: brush one chart, and every chart that shares source rows follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from whence.charts.brush import brushed_marks
from whence.charts.following import Follower, Lines
from whence.charts.kernels import Ints, Mask
from whence.charts.linking import carried, owner_in, shared_sources
from whence.charts.view import View
from whence.lineage.selection import Selection
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.workspace.chart import Chart as AnyChart
from whence.workspace.dataset import Dataset
from whence.workspace.rows import Rows

Chart = AnyChart[Any]
Answers = dict[Chart, pa.Table]
Columns = Mapping[str, pa.Array]


class Link:
    """Linked charts and tables. Several brushes combine: a selected row must be in all of them."""

    def __init__(self, charts: Sequence[Chart], tables: Sequence[Dataset] = ()) -> None:
        if not charts or len(charts) + len(tables) < 2:
            raise UserError("Add a second chart to link, or a table.", "For example: whence.link([a, b]).")
        self._charts = list(charts)
        self._tables_shown = {table.record.id: table for table in tables}
        self._views = {chart: chart.view for chart in charts}
        self._brushes: dict[Chart, Ints] = {}
        # Caches. The last one holds the tables that answer a moving brush. `_drop` removes those of earlier brushes.
        self._shared: dict[tuple[Chart, Chart], list[DatasetRecord]] = {}
        self._shared_with_tables: dict[tuple[str, str], list[DatasetRecord]] = {}
        self._owners: dict[tuple[Chart, Chart, int], Ints | None] = {}
        self._tables: dict[tuple[object, ...], list[Lines | None]] = {}
        self._trace = charts[0].trace

    def brush(
        self,
        chart: Chart,
        marks: Sequence[int] | None = None,
        x: object = None,
        y: object = None,
        **legend: object,
    ) -> Answers:
        """Select marks of one chart, and return the mark table of each other chart with a column `selected`.

        `selected` is the value of a mark over the rows behind the selection. `marks` are numbers of marks; `x` and `y`
        are ranges as pairs, or lists of values; `color=["a"]` and the like choose entries of a legend. Marks that
        measure several things, as box plots do, also have `selected_q1` and the like. A new brush on a chart replaces
        its last one. Brushes on several charts combine.

        >>> rows = [("a", "u", 1), ("a", "v", 2), ("b", "v", 4)]
        >>> t = ws.create("t", rows, schema="g string, h string, n int")
        >>> left = t.chart({"aes": {"x": "g", "y": "n"}, "stat": "sum", "geom": "bar"}, name="left")
        >>> right = t.chart({"aes": {"x": "h", "y": "n"}, "stat": "sum", "geom": "bar"}, name="right")
        >>> whence.link([left, right]).brush(left, marks=[0])[right].to_pylist()
        [{'x': 'u', 'y': 1, 'selected': 1}, {'x': 'v', 'y': 6, 'selected': 2}]
        """
        view = self._view(chart)
        self._brushes[chart] = brushed_marks(view.table, chart.name, marks, {"x": x, "y": y, **legend})
        return {other: self._answer(other, chart) for other in self._charts if other is not chart}

    def brushed(self, chart: Chart) -> list[int]:
        """Return the marks of a chart that its brush has selected."""
        return [] if chart not in self._brushes else [int(mark) for mark in self._brushes[chart]]

    def rows(self, table: Dataset) -> Rows:
        """Return the rows of a linked table that share source rows with what is brushed: all rows without a brush.

        A brush on a chart that shares no source with the table does not select in it; `notes` says so. Brushes on
        charts of one dataset combine by its rows, others by the rows of the table.

        >>> t = ws.create("t", [("a", 1), ("a", 2), ("b", 4)], schema="g string, n int")
        >>> bars = t.chart({"aes": {"x": "g", "y": "n"}, "stat": "sum", "geom": "bar"}, name="bars")
        >>> linked = whence.link([bars], tables=[t])
        >>> _ = linked.brush(bars, marks=[1])
        >>> linked.rows(t).ids.tolist()
        [2]
        """
        record = table.record
        if record.id not in self._tables_shown:
            raise UserError(f"{record.label} is not linked.", "Link it first: whence.link([...], tables=[...]).")
        chosen = np.ones(record.rows, dtype=bool)
        for data, rows in self._brushed_rows().items():
            if sources := self._sources_of(data, record):
                chosen &= carried(self._trace, rows, data, record, sources)
        return Rows(table.context, record, Selection.of_mask(chosen))

    def clear(self, chart: Chart | None = None) -> Answers:
        """Remove the brush of a chart, or all brushes. Return every chart over what is still selected."""
        for each in self._charts if chart is None else [chart]:
            self._brushes.pop(each, None)
        return {other: self._answer(other, None) for other in self._charts}

    def prepare(self, chart: Chart) -> None:
        """Build the tables that brushing this chart needs, so that the first move of the pointer is fast."""
        view = self._view(chart)
        view.ready()
        for branch in view.owners:
            for other in self._charts:
                if other is not chart:
                    self._table_of(chart, other, branch)

    def why_not(self, one: Chart, other: Chart) -> str:
        """Return why two charts do not follow each other's brushes; an empty text if they do."""
        if self._sources(one, other):
            return ""
        names = self._view(one).data.label, self._view(other).data.label
        return f"{one.name} and {other.name} share no source rows: nothing is behind both {names[0]} and {names[1]}."

    @property
    def notes(self) -> list[str]:
        """One sentence for each chart that does not follow a present brush, with the reason."""
        pairs = ((one, other) for one in self._brushes for other in self._charts if other is not one)
        of_charts = [said for one, other in pairs if (said := self.why_not(one, other))]
        apart = [
            f"{record.name} and {chart.name} share no source rows, so all rows of {record.name} stay."
            for chart in self._brushes
            for record in (table.record for table in self._tables_shown.values())
            if not self._sources_of(self._view(chart).data, record)
        ]
        return [*of_charts, *apart]

    def _view(self, chart: Chart) -> View:
        if chart not in self._views:
            raise UserError(f"{chart.name} is not one of the linked charts.", "Link it first: whence.link([...]).")
        return self._views[chart]

    def _sources(self, one: Chart, other: Chart) -> list[DatasetRecord]:
        if (one, other) not in self._shared:
            self._shared[one, other] = shared_sources(self._trace, self._view(one).data, self._view(other).data)
        return self._shared[one, other]

    def _brushed_rows(self) -> dict[DatasetRecord, Mask]:
        """Return the rows of each charted dataset that are in all brushes on charts of it."""
        found: dict[DatasetRecord, Mask] = {}
        for chart, marks in self._brushes.items():
            view = self._view(chart)
            rows = view.rows_of(marks)
            found[view.data] = found[view.data] & rows if view.data in found else rows
        return found

    def _sources_of(self, data: DatasetRecord, table: DatasetRecord) -> list[DatasetRecord]:
        """Return the sources that a charted dataset shares with a table."""
        key = (data.id, table.id)
        if key not in self._shared_with_tables:
            self._shared_with_tables[key] = shared_sources(self._trace, data, table)
        return self._shared_with_tables[key]

    def _answer(self, chart: Chart, active: Chart | None) -> pa.Table:
        """Return the marks of a chart under all brushes but its own."""
        view = self._view(chart)
        linked = {
            each: marks for each, marks in self._brushes.items() if each is not chart and self._sources(each, chart)
        }
        if not linked:
            # A chart that shares no rows with the brushed ones shows nothing selected; without a brush, everything.
            is_alone = any(each is not chart for each in self._brushes)
            kinds = {name: view.table.schema.field(name).type for name in view.measures}
            nothing = {name: pa.nulls(view.marks.rows, kind) for name, kind in kinds.items()}
            return _with(view, nothing if is_alone else {name: view.table.column(name) for name in view.measures})
        # The fast path first. It needs a table for the brush that moves; else every row is looked at.
        parts = self._by_tables(chart, active, linked) if active in linked else None
        if parts is not None:
            return _with(view, parts)
        chosen = np.ones(view.data.rows, dtype=bool)
        for each, marks in linked.items():
            chosen &= self._rows(each, marks, chart)
        return _with(view, view.over(chosen))

    def _rows(self, brushed: Chart, marks: Ints, chart: Chart) -> Mask:
        """Return the rows of a chart's dataset that the brushed marks of another chart select."""
        one, other = self._view(brushed), self._view(chart)
        rows = one.rows_of(marks)
        if one.data.id == other.data.id:
            return rows
        return carried(self._trace, rows, one.data, other.data, self._sources(brushed, chart))

    def _by_tables(self, chart: Chart, active: Chart | None, linked: Mapping[Chart, Ints]) -> Columns | None:
        """Compute the selected values by adding up lines of prebuilt tables; None if there is no such table.

        This is the fast path while a brush moves: it touches only marks, no rows.
        """
        if active is None or not len(linked[active]):
            return None
        branch = self._view(active).branch_of(linked[active])
        tables = None if branch is None else self._table_of(active, chart, branch)
        if tables is None or any(table is None for table in tables):
            return None
        view = self._view(chart)
        pairs = zip(view.followers, tables, strict=True)
        parts = [(marks, None if table is None else table.add_up(linked[active])) for (marks, _), table in pairs]
        return view.combined(parts, np.empty(0, dtype=bool))

    def _table_of(self, active: Chart, chart: Chart, branch: int) -> list[Lines | None] | None:
        """Return what each mark of the active chart adds to each mark of another, under the other brushes."""
        if not self._sources(active, chart):
            return None
        others = {each: marks for each, marks in self._brushes.items() if each not in (active, chart)}
        others = {each: marks for each, marks in others.items() if self._sources(each, chart)}
        # The other brushes are part of the key: a table holds only rows that are in all of them.
        key = (active, chart, branch, tuple((each, marks.tobytes()) for each, marks in others.items()))
        if key not in self._tables:
            owner = self._owner(active, chart, branch)
            among: Mask | None = None
            for each, marks in others.items():
                rows = self._rows(each, marks, chart)
                among = rows if among is None else among & rows
            self._drop(active, chart, branch)
            size = self._view(active).marks.rows
            followers = [each for _, each in self._view(chart).followers]
            self._tables[key] = [_table(each, owner, size, among) for each in followers]
        return self._tables[key]

    def _drop(self, active: Chart, chart: Chart, branch: int) -> None:
        """Remove the tables of earlier brushes, which would otherwise pile up."""
        for key in [key for key in self._tables if key[:3] == (active, chart, branch)]:
            del self._tables[key]

    def _owner(self, active: Chart, chart: Chart, branch: int) -> Ints | None:
        key = (active, chart, branch)
        if key not in self._owners:
            one, other = self._view(active), self._view(chart)
            owner = one.owners[branch]
            shared = self._sources(active, chart)
            self._owners[key] = None if owner is None else owner_in(self._trace, one, owner, other.data, shared)
        return self._owners[key]

    def __repr__(self) -> str:
        return f"<{len(self._charts)} linked charts, {len(self._brushes)} brushes>"


def _table(follower: Follower | None, owner: Ints | None, marks: int, among: Mask | None) -> Lines | None:
    return None if follower is None or owner is None else follower.table(owner, marks, among)


def _with(view: View, columns: Columns) -> pa.Table:
    """Return the mark table with the value over the selection as `selected`, other measures as `selected_q1` etc."""
    table = view.table
    for name, column in columns.items():
        table = table.append_column("selected" if name == view.value_column else f"selected_{name}", column)
    return table


def link(charts: Sequence[Chart], tables: Sequence[Dataset] = ()) -> Link:
    """Link charts so that they follow each other's brushes, through the source rows they share.

    `tables` are datasets that follow as well: `link.rows(table)` returns their rows behind what is brushed.

    >>> t = ws.create("t", [(1, "a"), (2, "b")], schema="n int, g string")
    >>> whence.link([t.chart({"aes": {"x": "n"}}, name="one"), t.chart({"aes": {"x": "g"}}, name="two")])
    <2 linked charts, 0 brushes>
    """
    return Link(charts, tables)
