"""The `chart` cell kind: draws a chart and makes a dataset of its marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from whence.charts.parse import parse
from whence.charts.picture import Doubts, compose
from whence.charts.plain import PLAIN, plain_chart
from whence.charts.run import Drawn, run_chart
from whence.charts.spec import Spec
from whence.charts.vega import to_vega
from whence.charts.vegalite import from_vegalite, is_vegalite
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.cells.query import NAME, SOURCE
from whence.notebook.display import Rich
from whence.notebook.footprint import Footprint

_DEFAULT_BINS = 20
_PLAIN = ("chart", "x", "y", "series", "bins")


class Chart(CellKind):
    """Draw bars, lines, areas, points, a histogram, a cumulative distribution, or any chart of the grammar.

    What is drawn is a dataset with one row for each mark, so that a mark can be traced to the rows behind it.
    """

    name = "chart"
    title = "Chart"
    group = "Chart"
    parameters = (
        SOURCE,
        Parameter("chart", "choice", "what to draw", choices=PLAIN),
        Parameter("x", "column", "the column along the bottom"),
        Parameter(
            "y",
            "text",
            "a column, or an aggregate such as `avg(price)`; rows are counted if left open",
        ),
        Parameter("series", "column", "a column; each of its values is a series of its own"),
        Parameter("bins", "number", "how many bins a histogram has", default=_DEFAULT_BINS),
        Parameter("title", "text", "what to write above"),
        Parameter(
            "spec",
            "value",
            "in place of the fields above: a declaration in the grammar of charts, or Vega-Lite, as JSON",
        ),
        NAME,
    )

    def check(self, values: Values) -> None:
        super().check(values)
        if values.get("spec"):
            # `bins` has a default, so it may come with a spec and mean nothing.
            beside = [name for name in _PLAIN if name != "bins" and values.get(name)]
            if beside:
                raise UserError(f"A chart cell takes spec or {beside[0]}, not both.", "Leave one of them out.")
            return
        for name in ("chart", "x"):
            if not values.get(name):
                raise UserError(f"A chart cell needs {name}, or a spec.", "Name what to draw and a column along x.")

    def footprint(self, values: Values) -> Footprint:
        reads = names_in(values, "source") | _named_data(values.get("spec"))
        return Footprint(reads, names_in(values, "name"), is_exact=True)

    def run(self, context: CellContext, values: Values) -> CellResult:
        record = context.dataset(values["source"])
        spec = parse(_written(record, values))
        drawn = run_chart(context.derive, record, spec, str(values["name"]), context.scope)
        shown = Rich({"application/vnd.vegalite.v6+json": _vega(context, spec, drawn)})
        return CellResult({str(values["name"]): drawn.record}, displays=(shown,))


def _written(record: DatasetRecord, values: Values) -> dict[str, object]:
    """Return the chart's declaration: the spec as given, or one made from the plain fields."""
    spec = values.get("spec")
    if not spec:
        bins = int(cast(float, values.get("bins") or _DEFAULT_BINS))
        x, y, series = (cast("str | None", values.get(name)) for name in ("x", "y", "series"))
        spec = plain_chart(str(values["chart"]), str(x), y, series=series, bins=bins, columns=record.schema.names)
    if not isinstance(spec, Mapping):
        raise UserError(f"The spec of a chart is a mapping, not {type(spec).__name__}.", "Write it as JSON.")
    written = dict(from_vegalite(spec) if is_vegalite(spec) else spec)
    return written | {"title": values["title"]} if values.get("title") else written


def _named_data(spec: object) -> frozenset[str]:
    """Return the datasets that a declaration and its layers name."""
    if not isinstance(spec, Mapping):
        return frozenset()
    layers = spec.get("layer")
    parts = [spec, *(layers if isinstance(layers, list) else [layers])]
    data = [part.get("data") for part in parts if isinstance(part, Mapping)]
    names = [each.get("name") if isinstance(each, Mapping) else each for each in data]
    return frozenset(name for name in names if isinstance(name, str) and name.strip())


def _vega(context: CellContext, spec: Spec, drawn: Drawn) -> dict[str, object]:
    """Return the picture in Vega-Lite, with chart marks in doubt hatched."""
    record = drawn.record
    marks = context.store.read(record, 0, record.rows)
    picture = compose(drawn.compiled, marks, _doubts(context, record), spec.max_marks)
    return to_vega(spec, drawn.compiled, picture)


def _doubts(context: CellContext, record: DatasetRecord) -> Doubts:
    if context.services is None or record.doubt.is_certain:
        return Doubts()
    flags = [column.to_numpy(zero_copy_only=False) for column in context.services.flags.table(record, 0, record.rows)]
    return Doubts(frozenset(np.flatnonzero(np.logical_or.reduce(flags)).tolist()))
