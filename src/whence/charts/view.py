"""A chart as a brush sees it: which rows each mark was made from, and its value over any of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.charts.compile import Branch, Compiled
from whence.charts.kernels import Answer, Ints, Mask, Measured, Values
from whence.charts.run import Drawn
from whence.charts.source import filled
from whence.charts.spec import FACETS, Channel
from whence.engine.engine import Engine
from whence.lineage.edges import Edges
from whence.lineage.selection import Selection
from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported
from whence.store.store import Store

_RAW = "raw"


class View:
    """The marks of one chart over the rows of its dataset."""

    def __init__(
        self, store: Store, engine: Engine, edges: Edges, trace: Trace, data: DatasetRecord, drawn: Drawn
    ) -> None:
        self._store, self._engine, self._edges, self._trace = store, engine, edges, trace
        self.marks = drawn.record
        self.data = data
        self._compiled = drawn.compiled
        self._source = drawn.source

    @cached_property
    def table(self) -> pa.Table:
        """The mark table."""
        return self._store.read(self.marks, 0, self.marks.rows)

    @cached_property
    def _branches(self) -> npt.NDArray[np.int64]:
        """For each mark the branch of the chart that made it: its layer, for one choice of parameters."""
        names = [name for name in ("layer", *FACETS) if name in self.table.column_names]
        columns = {name: self.table.column(name).to_pylist() for name in names}
        found = np.zeros(self.marks.rows, dtype=np.int64)
        if len(self._compiled.branches) > 1:
            known = {
                (branch.number, *branch.layer.panel.items()): place
                for place, branch in enumerate(self._compiled.branches)
            }
            panel = list(self._compiled.branches[0].layer.panel)
            for mark in range(self.marks.rows):
                layer = columns["layer"][mark] if "layer" in columns else self._compiled.branches[0].number
                found[mark] = known[(layer, *((name, columns[name][mark]) for name in panel))]
        return found

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints]:
        """Every (mark, row of the dataset behind it)."""
        numbers = [number for number, each in enumerate(self._edges.sources(self.marks)) if each == self.data.id]
        if numbers and set(self._edges.sources(self.marks)) == {self.data.id}:
            found = [self._listed(number) for number in numbers]
            return np.concatenate([marks for marks, _ in found]), np.concatenate([rows for _, rows in found])
        return self._trace.pairs(self.marks, self.data)

    def _listed(self, number: int) -> tuple[Ints, Ints]:
        """The pairs of one scan: as they were captured where they all are, as an index gives them where it must."""
        document = self._edges.document(self.marks)
        if document is not None and document.is_exact and not document.has_maps and not document.pruned:
            return self._edges.block(self.marks).pairs(number)
        return self._edges.pairs(self.marks, number)

    @cached_property
    def owners(self) -> dict[int, Ints | None]:
        """For each branch the mark of each row; None where a row may belong to several."""
        marks, rows = self._pairs
        if len(self._compiled.branches) == 1:
            return {0: _owner(marks, rows, self.data.rows)}
        of_pair = self._branches[marks]
        found: dict[int, Ints | None] = {}
        for place in range(len(self._compiled.branches)):
            mine = of_pair == place
            found[place] = _owner(marks[mine], rows[mine], self.data.rows)
        return found

    def rows_of(self, marks: Ints) -> Mask:
        """The rows behind some marks."""
        chosen = np.zeros(self.marks.rows + 1, dtype=bool)
        chosen[marks] = True
        branch = self.branch_of(marks)
        if branch is not None:
            owner = self.owners[branch]
            if owner is not None:
                return chosen[owner]  # the mark of a row without one is -1, which is the last place: never chosen
        return self._trace.backward(self.marks, Selection.of(np.asarray(marks), self.marks.rows), self.data).marks

    def branch_of(self, marks: Ints) -> int | None:
        """The branch of all these marks, if it is one."""
        branches = set(self._branches[marks].tolist())
        return int(branches.pop()) if len(branches) == 1 else None

    @cached_property
    def measured(self) -> list[tuple[Ints, Measured | None]]:
        """For each branch its marks, and how their values are computed; None where only a new run can tell."""
        return [
            (np.flatnonzero(self._branches == place), self._measured(place, branch))
            for place, branch in enumerate(self._compiled.branches)
        ]

    def _measured(self, place: int, branch: Branch) -> Measured | None:
        owner, value = self.owners[place], branch.relation.value
        if branch.layer.data.name not in (None, self.data.name) or owner is None:
            return None
        if branch.relation.is_raw:
            return Measured(owner, self.marks.rows, _RAW)
        if value is None:
            return None
        if value.of is None:
            return Measured(owner, self.marks.rows, "count")
        values, valid = self._values(branch, branch.layer.aes[value.of])
        if values is None:
            return None
        return Measured(owner, self.marks.rows, value.function, values, valid, value.share or 0.5)

    def _values(self, branch: Branch, channel: Channel) -> tuple[Values | None, Mask | None]:
        """What is measured, row by row; only a column can be read without a run."""
        if channel.column is None:
            return None, None
        column = self._store.read(self.data, 0, self.data.rows, [channel.column]).column(0)
        valid = None if column.null_count == 0 else column.is_valid().to_numpy()
        if pa.types.is_integer(column.type):
            integers: npt.NDArray[np.int64] = column.fill_null(0).to_numpy().astype(np.int64)
            return integers, valid
        if pa.types.is_floating(column.type):
            floats: npt.NDArray[np.float64] = column.fill_null(0.0).to_numpy().astype(np.float64)
            return floats, valid
        if branch.relation.value is not None and branch.relation.value.function in ("count", "distinct"):
            codes = column.combine_chunks().dictionary_encode().indices.fill_null(0)
            coded: npt.NDArray[np.int64] = codes.to_numpy().astype(np.int64)
            return coded, valid
        return None, None

    @property
    def value_column(self) -> str:
        """The column of the mark table that holds what marks measure."""
        return value_column(self._compiled, self.table.column_names)

    def over(self, chosen: Mask) -> pa.Array:
        """The value of every mark over the chosen rows."""
        parts = [(marks, None if each is None else self._answer(each, chosen)) for marks, each in self.measured]
        return self.combined(parts, chosen)

    def combined(self, parts: list[tuple[Ints, Answer | None]], chosen: Mask) -> pa.Array:
        """The answers of all layers as one column; layers without one are run again on the chosen rows."""
        kind = self.table.schema.field(self.value_column).type
        values: list[object] = [None] * self.marks.rows
        again: list[object] | None = None
        for marks, answer in parts:
            if answer is None:
                again = self._again(chosen) if again is None else again
                for mark in marks.tolist():
                    values[mark] = again[mark]
            else:
                found, there = answer
                picked, has = found[marks].tolist(), there[marks].tolist()
                for mark, value, is_there in zip(marks.tolist(), picked, has, strict=True):
                    values[mark] = value if is_there else None
        return pa.array(values, type=kind) if not pa.types.is_decimal(kind) else pa.array(values, type=pa.float64())

    def _answer(self, measured: Measured, chosen: Mask) -> Answer:
        return self.raw(chosen) if measured.function == _RAW else measured.over(chosen)

    def raw(self, chosen: Mask) -> Answer:
        """A mark that is one row has its own value, or none."""
        there = np.zeros(self.marks.rows, dtype=bool)
        for owner in self.owners.values():
            if owner is not None:
                hit = owner[chosen]
                there[hit[hit >= 0]] = True
        values = np.array(self.table.column(self.value_column).to_pylist(), dtype=object)
        return values, there

    def _again(self, chosen: Mask) -> list[object]:
        """The chart's own query over the chosen rows; marks are found again by everything but their measures."""
        if self._source.has_samples:
            raise NotSupported(
                f"{self.marks.label} is of a random sample, so it cannot be computed over some rows only.",
                "Leave out the sample, or brush charts of single values.",
            )
        others = [each for each in self._source.records if each.id != self.data.id]
        with self._engine.named_for_now() as name:
            tables = {self.data.name.lower(): name(self._engine.rows_frame(self.data, np.flatnonzero(chosen)))}
            tables[""] = tables[self.data.name.lower()]

            def table(place: str) -> str:
                return tables.get(place.lower()) or self._source.table(place)

            for stage in self._source.stages:
                tables[stage.place] = name(self._engine.sql_over(others, filled(stage.sql, table)))
            made = self._engine.to_arrow(self._engine.sql_over(others, filled(self._compiled.sql, table)))
        measures = {self.value_column, "lower", "q1", "q3", "upper", "density"}
        keys = [name for name in self.table.column_names if name not in measures]
        known = dict(zip(_keys(made, keys), made.column(self.value_column).to_pylist(), strict=True))
        return [known.get(key) for key in _keys(self.table, keys)]


def value_column(compiled: Compiled, names: Sequence[str]) -> str:
    """The column, among those of a mark table, that holds what the marks of a chart measure."""
    columns = [branch.relation.value.column for branch in compiled.branches if branch.relation.value is not None]
    flat = all(branch.is_horizontal for branch in compiled.branches)
    name = columns[0] if columns else ("x" if flat else "y")
    return name if name in names else "x"


def _keys(table: pa.Table, names: list[str]) -> list[tuple[str, ...]]:
    return list(zip(*(map(repr, table.column(name).to_pylist()) for name in names), strict=True)) or [()] * len(table)


def _owner(marks: Ints, rows: Ints, count: int) -> Ints | None:
    owner = np.full(count, -1, dtype=np.int32)
    owner[rows] = marks
    return owner if bool((owner[rows] == marks).all()) else None
