"""Draw a plain chart."""

from __future__ import annotations

from typing import cast

from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.notebook.cell import CellContext, CellResult, Values
from whence.notebook.cells.query import NAME, SOURCE, QueryKind, column_of, quoted
from whence.notebook.display import Rich
from whence.notebook.parameter import Parameter
from whence.store.store import Store

_MARKS = {"bar": "bar", "line": "line", "area": "area", "scatter": "point", "histogram": "bar", "cdf": "line"}
_DEFAULT_BINS = 20
MOST_MARKS = 5_000
"""More than a screen can tell apart."""


class Chart(QueryKind):
    """Bars, lines, areas, points, a histogram or a cumulative distribution.

    What is drawn is a dataset with one row for each mark, so that a mark can be traced to the rows behind it.
    """

    name = "chart"
    title = "Chart"
    parameters = (
        SOURCE,
        Parameter("chart", "choice", "what to draw", choices=tuple(_MARKS)),
        Parameter("x", "column", "the column along the bottom"),
        Parameter(
            "y", "text", "a column, or an aggregate in SQL such as `sum(price)`; rows if left open", is_required=False
        ),
        Parameter("series", "column", "a column; each of its values is a series of its own", is_required=False),
        Parameter("bins", "number", "how many bins a histogram has", is_required=False, default=_DEFAULT_BINS),
        Parameter("title", "text", "what to write above", is_required=False),
        NAME,
    )

    def run(self, context: CellContext, values: Values) -> CellResult:
        result = super().run(context, values)
        (marks,) = result.datasets.values()
        if marks.rows > MOST_MARKS:
            raise UserError(
                f"The chart would have {marks.rows:,} marks; more than {MOST_MARKS:,} cannot be told apart.",
                "Aggregate first, draw a histogram, or sample.",
            )
        shown = Rich({"application/vnd.vegalite.v5+json": _vega(context.store, marks, values)})
        return CellResult(result.datasets, displays=(shown,))

    def query(self, context: CellContext, values: Values) -> str:
        record, source = context.dataset(values["source"]), quoted(values["source"])
        x = column_of(record, values["x"])
        series = column_of(record, values["series"]) if values.get("series") else None
        beside = f", {series} as series" if series else ""
        by = f"x{', series' if series else ''}"
        match values["chart"]:
            case "histogram":
                return _histogram(source, x, beside, by, int(cast(float, values.get("bins") or _DEFAULT_BINS)))
            case "cdf":
                return _cdf(source, x, beside, series)
            case "scatter":
                y = column_of(record, values.get("y"))
                return f"select {x} as x, {y} as y{beside} from {source} where {x} is not null and {y} is not null"
        y = str(values.get("y") or "count(*)")
        if record.schema.position(y) is not None:
            y = f"sum({column_of(record, y)})"
        grouped = f"select {x} as x, {y} as y{beside} from {source} group by all"
        return f"select x, y{', series' if series else ''} from ({grouped}) order by {by}"


def _histogram(source: str, x: str, beside: str, by: str, bins: int) -> str:
    if bins < 1:
        raise UserError("A histogram needs at least one bin.")
    value = f"cast({x} as double)"
    width = f"((select max({value}) from {source}) - (select min({value}) from {source})) / {bins}"
    low = f"(select min({value}) from {source})"
    number = f"least(floor(({value} - {low}) / nullif({width}, 0)), {bins - 1})"
    start = f"{low} + coalesce({number}, 0) * {width}"
    binned = f"select {start} as x, {start} + {width} as x_end{beside} from {source} where {x} is not null"
    return f"select x, x_end, count(*) as y{', series' if beside else ''} from ({binned}) group by all order by {by}"


def _cdf(source: str, x: str, beside: str, series: str | None) -> str:
    part = "partition by series " if series else ""
    counted = f"select {x} as x, count(*) as n{beside} from {source} where {x} is not null group by all"
    share = f"sum(n) over ({part}order by x) / sum(n) over ({part.strip()})"
    return f"select x, {share} as y{', series' if series else ''} from ({counted}) order by x"


def _vega(store: Store, marks: DatasetRecord, values: Values) -> dict[str, object]:
    """The chart in Vega-Lite, with the row of its marks dataset beside each mark."""
    rows = store.read(marks, 0, marks.rows).to_pylist()
    data = [{"rid": number, **{key: _shown(value) for key, value in row.items()}} for number, row in enumerate(rows)]
    kinds = {field.name: _scale(field.type) for field in marks.schema}
    discrete = kinds["x"] if values["chart"] != "bar" else "ordinal" if kinds["x"] == "quantitative" else kinds["x"]
    counted = "share" if values["chart"] == "cdf" else "rows"
    encoding: dict[str, object] = {
        "x": {"field": "x", "type": discrete, "title": values["x"]},
        "y": {"field": "y", "type": kinds["y"], "title": values.get("y") or counted},
    }
    if values["chart"] == "histogram":
        encoding["x"] = {"field": "x", "bin": {"binned": True}, "title": values["x"]}
        encoding["x2"] = {"field": "x_end"}
    if "series" in kinds:
        encoding["color"] = {"field": "series", "type": "nominal", "title": values["series"]}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": values.get("title") or "",
        "data": {"values": data},
        "mark": {"type": _MARKS[str(values["chart"])], "tooltip": True},
        "encoding": encoding,
    }


def _scale(type: str) -> str:
    if type in ("date", "timestamp", "timestamp_ntz"):
        return "temporal"
    is_number = type in ("tinyint", "smallint", "int", "bigint", "float", "double") or type.startswith("decimal")
    return "quantitative" if is_number else "nominal"


def _shown(value: object) -> object:
    if value is None or isinstance(value, bool | int | str):
        return value
    try:
        return float(cast(float, value))
    except (TypeError, ValueError):
        return str(value)
