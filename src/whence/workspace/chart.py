"""`whence.chart`: a chart of a dataset, in which each mark has lineage to the rows behind it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path
from typing import Generic, Protocol, Self, TypeVar, cast

import numpy as np
import pyarrow as pa

from whence.charts.code import altair_of, sql_of
from whence.charts.compile import MEASURES, Compiled
from whence.charts.cost import Cost, cost_of
from whence.charts.errors import wrong
from whence.charts.grammar import Clause
from whence.charts.overlay import overlay
from whence.charts.parse import parse
from whence.charts.picture import Doubts, Picture, compose
from whence.charts.positions.position import Row
from whence.charts.run import DOCUMENT, Drawn, reopen_chart, run_chart
from whence.charts.save import save_vega
from whence.charts.spec import Spec
from whence.charts.vega import to_vega
from whence.charts.vegalite import from_vegalite, is_vegalite
from whence.charts.view import View
from whence.charts.world.outlines import with_outlines
from whence.explain.arrays import Bools
from whence.lineage.trace import Trace
from whence.model.caveat import CaveatGroup
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported, UserError
from whence.model.plural import counted
from whence.notebook.scope import Names
from whence.workspace.caveats import DatasetCaveats
from whence.workspace.context import Context
from whence.workspace.question import Question

_REASONS = 25
"""The most marks whose own caveats are looked up for the tooltip. Others show the caveats of the whole chart."""


class Charted(Protocol):
    """A dataset handle from which a chart can be made."""

    def __init__(self, context: Context, record: DatasetRecord) -> None: ...

    @property
    def record(self) -> DatasetRecord:
        """The record of the dataset version."""

    @property
    def caveats(self) -> DatasetCaveats:
        """Its doubt flags and caveats."""

    def to_arrow(self, *, bounds: bool = False) -> pa.Table:
        """Return all rows, with the bounds of doubtful cells if asked."""

    def chart(self, spec: object, name: str | None = None) -> Chart[Self]:
        """Make a chart of it."""


D = TypeVar("D", bound=Charted)


class Chart(Generic[D]):
    """A chart specification over a dataset. The query runs when marks or picture are first needed."""

    def __init__(
        self,
        context: Context,
        dataset: D,
        spec: Spec,
        name: str,
        draw: Callable[[], Drawn],
        *,
        shows_bounds: bool = False,
    ) -> None:
        self._context = context
        self.dataset = dataset
        self.spec = spec
        self.name = name
        self._draw = draw
        self._shows_bounds = shows_bounds

    def with_bounds(self) -> Chart[D]:
        """Return the chart with a line over each doubtful mark, from the least to the greatest value it can have.

        Marks on others in a stack, and marks whose bounds are not known, get none. Where no query has to run for
        that, charts show them without being asked.

        >>> tolls = ws.create(
        ...     "tolls", [("a", 3), ("b", 5)], schema="gate string, toll int",
        ...     cell_caveats=[(1, "toll", "smudged", (5, 8))],
        ... )
        >>> bars = tolls.chart({"aes": {"x": "gate", "y": "toll"}, "stat": "sum", "geom": "bar"}).with_bounds()
        >>> [(row["x"], row["_low"], row["_high"]) for row in bars.vega["datasets"]["bounded"]]
        [('b', 5, 8)]
        """
        return Chart(self._context, self.dataset, self.spec, self.name, lambda: self._drawn, shows_bounds=True)

    @cached_property
    def _drawn(self) -> Drawn:
        return self._draw()

    @cached_property
    def marks(self) -> D:
        """The mark table: one row per mark, in drawing order, with lineage and caveats like any dataset.

        >>> sales = ws.create("sales", [("a", 1), ("b", 5), ("a", 2)], schema="shop string, amount int")
        >>> bars = whence.chart(sales, {"aes": {"x": "shop", "y": "amount"}, "stat": "sum", "geom": "bar"})
        >>> bars.marks.to_arrow().to_pylist()
        [{'x': 'a', 'y': 3}, {'x': 'b', 'y': 5}]
        >>> bars.marks.lineage.backward([0], to="sales").ids.tolist()
        [0, 2]
        """
        return type(self.dataset)(self._context, self._drawn.record)

    @property
    def trace(self) -> Trace:
        """The service that traces rows between datasets of its workspace."""
        return self._context.readers.trace

    @cached_property
    def view(self) -> View:
        """The data structure that a brush needs: marks, their rows, and how to recompute their values."""
        context, drawn = self._context, self._drawn
        return View(
            store=context.store,
            engine=context.engine,
            edges=context.readers.edges,
            trace=context.readers.trace,
            data=self.dataset.record,
            drawn=drawn,
            # A brush reads all of it at once, so deferred lineage of the marks is made first.
            capture=lambda: context.background.queue.finish(drawn.record),
        )

    @property
    def compiled(self) -> Compiled:
        """The query that computes the marks, and its layers."""
        return self._drawn.compiled

    @cached_property
    def sql(self) -> str:
        """The SELECT that computes the marks from the datasets by name; plain Spark SQL, which needs no whence.

        >>> pets = ws.create("pets", [("cat",), ("dog",), ("cat",)], schema="kind string")
        >>> print(pets.chart({"aes": {"x": "kind"}, "geom": "bar"}).sql)
        select x, y
        from (
          select x, count(*) as y
          from (
            select `kind` as x
            from `pets`
          )
          group by x
        )
        order by x nulls last
        """
        return sql_of(self._drawn)

    @cached_property
    def altair(self) -> str:
        """Code that makes the same chart with Altair.

        It computes the marks from the rows where Vega-Lite computes the same, and else draws the marks of whence.

        >>> pets = ws.create("pets", [("cat",), ("dog",), ("cat",)], schema="kind string")
        >>> print(pets.chart({"aes": {"x": "kind"}, "geom": "bar"}).altair)
        import altair as alt
        import whence
        <BLANKLINE>
        ws = whence.open("test.whence")
        pets = ws["pets"].to_pandas()[["kind"]]
        <BLANKLINE>
        chart = alt.Chart(pets).mark_bar().encode(
            x=alt.X("kind:N"),
            y=alt.Y("count():Q", stack="zero"),
        )
        <BLANKLINE>
        """
        schema, folder = self.dataset.record.schema, self._context.store.root.name
        return altair_of(self.spec, self._drawn, self._data_name(), schema, folder=folder, vega=lambda: self.vega)

    def _data_name(self) -> str:
        """Return how code names the dataset: by its name alone if this is its current version."""
        record = self.dataset.record
        current = {each.name: each.id for each in self._context.store.datasets()}
        return record.name if current.get(record.name) == record.id else record.label

    @cached_property
    def cost(self) -> Cost:
        """An estimate of what computing the chart costs, made before it runs.

        >>> dots = ws.create("dots", [(1, 2), (3, 4)], schema="a int, b int")
        >>> print(dots.chart({"aes": {"x": "a", "y": "b"}}).cost)
        Reads 2 columns of 2 rows; up to 2 marks.
        """
        return cost_of(self._context.store, self.dataset.record, self.spec)

    @cached_property
    def picture(self) -> Picture:
        """The marks with their positions, in layers and panels."""
        table = self.marks.to_arrow()
        return compose(self.compiled, table, self._doubts(), self.spec.max_marks)

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for the reader, for example that the chart shows counts because there are too many points."""
        return self.picture.notes

    @cached_property
    def vega(self) -> dict[str, object]:
        """A complete Vega-Lite specification with its data; every row names its mark as `_mark`.

        >>> counts = whence.chart(ws.create("pets", [("cat",), ("dog",), ("cat",)], schema="kind string"),
        ...                       {"aes": {"x": "kind"}, "geom": "bar"})
        >>> [(row["x"], row["y"], row["_mark"]) for row in counts.vega["datasets"]["rows"]]
        [('cat', 2.0, 0), ('dog', 1.0, 1)]
        """
        return with_outlines(to_vega(self.spec, self.compiled, self.picture))

    def redrawn(self) -> dict[str, object]:
        """Return the specification of `vega` with the present doubts: caveats may have been acknowledged since."""
        picture = compose(self.compiled, self.marks.to_arrow(), self._doubts(), self.spec.max_marks)
        return to_vega(self.spec, self.compiled, picture)

    @property
    def value(self) -> str:
        """The column of the mark table that holds the measured value of each mark."""
        return self.compiled.value_column(self.marks.record.schema.names)

    @property
    def measured(self) -> str:
        """The axis title of the measured value, such as "sum of amount"."""
        titles = [branch.relation.titles.get(self.value) for branch in self.compiled.branches]
        return next((title for title in titles if title), self.value)

    @property
    def measures(self) -> tuple[str, ...]:
        """The columns of the mark table that a selection changes, `value` first. A box plot also has its quartiles."""
        names = self.marks.record.schema.names
        return tuple(dict.fromkeys((self.value, *(name for name in MEASURES if name in names))))

    def over(self, values: Sequence[object], **others: Sequence[object]) -> dict[str, list[Row]]:
        """Return the data of `vega` with other values for the marks. A mark whose value is None is left out.

        Pass other measured columns by name, such as `q1`.

        >>> pets = whence.chart(ws.create("pets", [("cat",), ("dog",)], schema="kind string"), {"aes": {"x": "kind"}})
        >>> [(row["x"], row["y"]) for row in pets.over([0.5, None])["rows"]]
        [('cat', 0.5)]
        """
        table = self.marks.to_arrow()
        return overlay(self.compiled, table, self.value, {self.value: values, **others}, self.spec.max_marks)

    def question(self) -> Question[D]:
        """Return a `Question` about the marks, as `marks.question(value)` does, but for any number of rows behind them.

        >>> rows = [(day, shop, 1.0 + 8 * day * (shop == "b")) for day in (0, 1) for shop in "abc" for _ in range(20)]
        >>> sales = ws.create("sales", rows, schema="day int, shop string, amount double")
        >>> bars = sales.chart({"aes": {"x": "day", "y": "amount"}, "stat": "sum", "geom": "bar"})
        >>> bars.question().attributes
        ['shop']
        """
        context, made = self._context, type(self.dataset)
        return Question(context, self.marks.record, lambda record: made(context, record), self.value, self._value_over)

    def _value_over(self, chosen: Bools) -> list[float | None]:
        if len(chosen) != self.dataset.record.rows:
            raise NotSupported(
                "The rows behind these marks are not those of the chart's dataset.", "Explain a few marks."
            )
        values: list[float | None] = self.view.over(chosen)[self.value].to_pylist()
        return values

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the chart as `.json` (Vega-Lite), `.html` (one page that needs no network), `.svg` or `.png`.

        >>> whence.chart(ws.create("two", [(1,), (2,)], schema="n int"), {"aes": {"x": "n"}}).save("two.svg")
        >>> Path("two.svg").read_text()[:4]
        '<svg'
        """
        save_vega(self.vega, Path(path))

    def _doubts(self) -> Doubts:
        """Return the marks in doubt, each with a reason: its own for the first 25, else that of the whole chart."""
        marks = self.marks.caveats.marks()
        flags = [column.to_numpy() for column in marks.columns]
        doubtful = np.flatnonzero(np.logical_or.reduce(flags)).tolist() if len(marks) else []
        if not doubtful:
            return Doubts()
        groups = self.marks.caveats.list()
        shared = _write_reasons(groups) or "A row that is not there might belong to it."
        reasons = dict.fromkeys(doubtful, shared)
        # With a single group of caveats, every doubtful mark has the same reason.
        if len(groups) > 1 or len(doubtful) <= 1:
            reasons |= {
                mark: _write_reasons(self.marks.caveats.list(row=mark)) or shared for mark in doubtful[:_REASONS]
            }
        return Doubts(frozenset(doubtful), reasons, self._bounds(doubtful))

    def _bounds(self, doubtful: Sequence[int]) -> dict[int, tuple[object, object]]:
        """Return between which values doubtful marks lie, where both ends are known and nobody has to wait for them."""
        value, caveats = self.value, self.marks.caveats
        if value not in caveats.doubt.columns or not (self._shows_bounds or caveats.bounds_at_hand):
            return {}
        table = self.marks.to_arrow(bounds=True).take(doubtful)
        ends = zip(table.column(f"{value}_low").to_pylist(), table.column(f"{value}_high").to_pylist(), strict=True)
        found = dict(zip(doubtful, ends, strict=True))
        return {mark: (low, high) for mark, (low, high) in found.items() if low is not None and high is not None}

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        return {"application/vnd.vegalite.v6+json": self.vega, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<Chart {self.name} of {self.dataset.record.label}: {counted(len(self.spec.layers), 'layer')}>"


def _write_reasons(groups: Sequence[CaveatGroup]) -> str:
    said = [f"{group.message} ({group.count} times)" if group.count > 1 else group.message for group in groups[:3]]
    return "; ".join(said) + ("; and more" if len(groups) > 3 else "")


def chart(dataset: D, spec: object, name: str | None = None) -> Chart[D]:
    """Make a chart of a dataset from a grammar object, its JSON, or a Vega-Lite specification (or an Altair chart).

    >>> t = ws.create("t", [(1.0,), (2.0,), (9.0,)], schema="amount double")
    >>> whence.chart(t, {"aes": {"x": "amount"}, "stat": {"type": "bin", "bins": 2}}).marks.to_arrow().to_pylist()
    [{'x': 1.0, 'x2': 5.0, 'y': 2}, {'x': 5.0, 'x2': 9.0, 'y': 1}]
    """
    return dataset.chart(spec, name)


def make_chart(context: Context, dataset: D, spec: object, name: str | None, *, keep: bool = True) -> Chart[D]:
    """Make a chart of a dataset: parse the specification and choose a name. The query runs later."""
    if isinstance(spec, Clause):
        spec = spec.json
    elif hasattr(spec, "to_dict") and not isinstance(spec, Mapping):  # an Altair chart
        spec = spec.to_dict()
    if not isinstance(spec, Mapping):
        raise wrong("", f"a mapping or a grammar object is needed, not {type(spec).__name__}")
    if is_vegalite(spec):
        spec = from_vegalite(spec)
    parsed, called = parse(spec), name or _free_name(context, f"{dataset.record.name}_chart")
    return Chart(
        context, dataset, parsed, called, lambda: _run(context, dataset.record, parsed, called, is_scratch=not keep)
    )


def _run(context: Context, data: DatasetRecord, spec: Spec, name: str, *, is_scratch: bool) -> Drawn:
    """Compute the marks, unless the same chart of the same data was computed before."""
    with context.store.making_scratch() if is_scratch else nullcontext():
        return run_chart(context.derive, data, spec, name, is_scratch=is_scratch)


def open_chart(context: Context, marks: DatasetRecord, make: Callable[[DatasetRecord], D]) -> Chart[D]:
    """Return the chart whose marks a dataset holds, over the dataset version it was drawn from."""
    document = context.store.document(marks, DOCUMENT)
    if document is None:
        raise UserError(f"{marks.label} does not hold the marks of a chart.", "Draw one: ds.chart({...}).")
    behind = context.readers.trace.ancestors(marks)
    data = next((each for each in behind if each.id == document.get("data")), None)
    # If that one is not among the ancestors, take the nearest that is no chart.
    data = data or next(each for each in behind if each.origin != "chart")
    spec = parse(cast("Mapping[str, object]", document["spec"]))
    scope = Names({each.name: each for each in reversed(behind)})
    return Chart(
        context,
        make(data),
        spec,
        marks.name,
        lambda: reopen_chart(context.derive, data, spec, marks, scope),
    )


def _free_name(context: Context, name: str) -> str:
    """Return a name that only charts have: a chart must not become a new version of a user's dataset."""
    taken = {each.name.lower() for each in context.store.datasets() if each.origin != "chart"}
    while name.lower() in taken:
        name += "_"
    return name
