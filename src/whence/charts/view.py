"""A chart as a brush sees it: the rows behind each mark, and the value of each mark over any rows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.charts.compile import MEASURES
from whence.charts.following import Answers, Follower
from whence.charts.kernels import Ints, Mask
from whence.charts.layers import Layers
from whence.charts.run import Drawn
from whence.charts.source import filled
from whence.charts.spec import FACETS
from whence.engine.engine import Engine
from whence.lineage.edges import Edges
from whence.lineage.lost_lineage import LineageLost
from whence.lineage.selection import Selection
from whence.lineage.trace import Trace
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported
from whence.store.store import Store


class View:
    """The marks of one chart over the rows of its dataset."""

    def __init__(
        self,
        store: Store,
        engine: Engine,
        edges: Edges,
        trace: Trace,
        data: DatasetRecord,
        drawn: Drawn,
        *,
        capture: Callable[[], None],
    ) -> None:
        """`capture` makes the lineage of the marks if it was put off: not before something asks for it."""
        self._store, self._engine, self._edges, self._trace = store, engine, edges, trace
        self._capture = capture
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
        """The branch of the chart that made each mark: its layer, for one choice of parameters."""
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
        """All (mark, row behind it) pairs."""
        self._capture()
        numbers = [number for number, each in enumerate(self._edges.sources(self.marks)) if each == self.data.id]
        if numbers and set(self._edges.sources(self.marks)) == {self.data.id}:
            found = [self._listed(number) for number in numbers]
            if len(found) == 1:
                return found[0]
            return np.concatenate([marks for marks, _ in found]), np.concatenate([rows for _, rows in found])
        return self._trace.pairs(self.marks, self.data)

    def _listed(self, number: int) -> tuple[Ints, Ints]:
        """Return the pairs of one scan of the dataset: from the captured block if it is complete, else an index."""
        document = self._edges.document(self.marks)
        if document is not None and document.is_exact and not document.has_maps and not document.pruned_sources:
            # The block is as it was captured, so no sorted index has to be built first.
            with suppress(LineageLost):
                return self._edges.block(self.marks).pairs(number)
        return self._edges.pairs(self.marks, number)

    @cached_property
    def owners(self) -> dict[int, Ints | None]:
        """The mark of each row, by branch. None if a row may belong to several marks, as to all places of a curve."""
        branches = self._compiled.branches
        curves = {place for place, each in enumerate(branches) if each.relation.several and each.relation.several.along}
        # Reading all pairs is not needed if no branch can use them.
        if len(curves) == len(branches):
            return dict.fromkeys(range(len(branches)))
        marks, rows = self._pairs
        if len(branches) == 1:
            return {0: _owner(marks, rows, self.data.rows)}
        of_pair = self._branches[marks]
        found: dict[int, Ints | None] = dict.fromkeys(range(len(branches)))
        for place in found.keys() - curves:
            mine = of_pair == place
            found[place] = _owner(marks[mine], rows[mine], self.data.rows)
        return found

    def rows_of(self, marks: Ints) -> Mask:
        """Return the mask of the rows behind some marks."""
        chosen = np.zeros(self.marks.rows + 1, dtype=bool)
        chosen[marks] = True
        # If the mark of every row is known, that is an array look-up. Otherwise lineage is asked.
        branch = self.branch_of(marks)
        if branch is not None:
            owner = self.owners[branch]
            if owner is not None:
                return chosen[owner]  # the mark of a row without one is -1, which is the last place: never chosen
        return self._behind(np.asarray(marks))

    def ready(self) -> None:
        """Open the index from marks to rows ahead of the first brush."""
        if self.marks.rows:
            self._behind(np.zeros(1, dtype=np.int64))

    def _behind(self, marks: Ints) -> Mask:
        self._capture()
        return self._trace.backward(self.marks, Selection.of(marks, self.marks.rows), self.data).mask

    def branch_of(self, marks: Ints) -> int | None:
        """Return the branch of all these marks, or None if there are several."""
        branches = set(self._branches[marks].tolist())
        return int(branches.pop()) if len(branches) == 1 else None

    @cached_property
    def followers(self) -> list[tuple[Ints, Follower | None]]:
        """The marks and the follower of each branch. The follower is None if only a new run can tell their values."""
        made = Layers(
            data=self.data,
            branches=self._compiled.branches,
            of_mark=self._branches,
            table=self.table,
            value_column=self.value_column,
            column=self._column_of_rows,
            owner=lambda place: self.owners[place],
            behind=self._behind,
            is_utc=self._engine.is_utc,
        )
        return [(made.marks(place), made.follower(place)) for place in range(len(self._compiled.branches))]

    def _column_of_rows(self, name: str) -> pa.ChunkedArray:
        return self._store.read(self.data, 0, self.data.rows, [name]).column(0)

    @property
    def value_column(self) -> str:
        """The column of the mark table that holds the value of the marks."""
        return self._compiled.value_column(self.table.column_names)

    @property
    def measures(self) -> tuple[str, ...]:
        """The columns of marks that follow a brush, the value itself first."""
        others = (name for name in MEASURES if name in self.table.column_names)
        return tuple(dict.fromkeys((self.value_column, *others)))

    def over(self, chosen: Mask) -> dict[str, pa.Array]:
        """Return every measure of the marks over the chosen rows."""
        parts = [(marks, None if each is None else each.measure(chosen)) for marks, each in self.followers]
        return self.combined(parts, chosen)

    def combined(self, parts: list[tuple[Ints, Answers | None]], chosen: Mask) -> dict[str, pa.Array]:
        """Return the answers of all layers as columns. Layers without an answer are run again on the chosen rows."""
        values: dict[str, list[object]] = {name: [None] * self.marks.rows for name in self.measures}
        again: dict[str, list[object]] | None = None
        for marks, answers in parts:
            if answers is None:
                again = self._run_on_rows(chosen) if again is None else again
                for name in values:
                    for mark in marks.tolist():
                        values[name][mark] = again[name][mark]
                continue
            for name, (found, there) in answers.items():
                picked, has, into = found[marks].tolist(), there[marks].tolist(), values[name]
                for mark, value, is_there in zip(marks.tolist(), picked, has, strict=True):
                    into[mark] = value if is_there else None
        return {name: self._column(name, each) for name, each in values.items()}

    def _column(self, name: str, values: list[object]) -> pa.Array:
        kind = self.table.schema.field(name).type
        return pa.array(values, type=pa.float64() if pa.types.is_decimal(kind) else kind)

    def _run_on_rows(self, chosen: Mask) -> dict[str, list[object]]:
        """Run the chart's own query over the chosen rows, and match its marks by all columns but their measures."""
        if self._source.has_samples:
            raise NotSupported(
                f"{self.marks.label} is of a random sample, so it cannot be computed over some rows only.",
                "Leave out the sample, or brush charts of single values.",
            )
        others = [each for each in self._source.records if each.id != self.data.id]
        with self._engine.temporary_names() as name:
            # Temporary names that no other query knows, so that brushes at the same time do not meet.
            tables = {self.data.name.lower(): name(self._engine.rows_frame(self.data, np.flatnonzero(chosen)))}
            tables[""] = tables[self.data.name.lower()]

            def table(place: str) -> str:
                return tables.get(place.lower()) or self._source.table(place)

            for stage in self._source.stages:
                tables[stage.place] = name(self._engine.sql_over(others, filled(stage.sql, table)))
            made = self._engine.to_arrow(self._engine.sql_over(others, filled(self._compiled.sql, table)))
        # The order of categories is measured as well, and so differs over some rows.
        keys = [each for each in self.table.column_names if each not in (*self.measures, "order")]
        places = {key: place for place, key in enumerate(_keys(made, keys))}
        where = [places.get(key) for key in _keys(self.table, keys)]
        found: dict[str, list[object]] = {}
        for measure in self.measures:
            column = made.column(measure).to_pylist()
            found[measure] = [None if place is None else column[place] for place in where]
        return found


def _keys(table: pa.Table, names: list[str]) -> list[tuple[str, ...]]:
    return list(zip(*(map(repr, table.column(name).to_pylist()) for name in names), strict=True)) or [()] * len(table)


def _owner(marks: Ints, rows: Ints, count: int) -> Ints | None:
    """Return the mark of each row, or None if some row belongs to several."""
    owner = np.full(count, -1, dtype=np.int32)
    owner[rows] = marks
    is_single = np.count_nonzero(owner >= 0) == len(rows)  # no row was named twice
    return owner if is_single or bool((owner[rows] == marks).all()) else None
