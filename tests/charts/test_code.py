"""Charts as code: their SQL gives the marks in plain Spark, their Altair code the picture or the numbers."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
import vl_convert

import whence
from tests.charts.gallery import GALLERY, SCHEMA, rows
from whence.charts.written_sql import lay_out

OVER_ROWS: dict[str, dict[str, Any]] = {
    "counts": {"aes": {"x": "g"}, "geom": "bar"},
    "sums": {"aes": {"x": "g", "y": "n", "color": "h"}, "stat": "sum", "geom": "bar"},
    "shares": {"aes": {"x": "g", "color": "h"}, "stat": "count", "geom": "bar", "pos": "fill"},
    "beside": {"aes": {"x": "g", "y": "n", "color": "h"}, "stat": "sum", "geom": "bar", "pos": "dodge"},
    "to the right": {"aes": {"y": "g", "x": "n"}, "stat": "max", "geom": "bar"},
    "points": {"aes": {"x": "x", "y": "y", "color": "g"}, "geom": "point", "title": "Every row"},
    "months": {"aes": {"x": "day", "y": "n"}, "stat": {"type": "bin", "unit": "month", "fun": "sum"}, "geom": "line"},
    "round bins": {"aes": {"x": "x"}, "stat": {"type": "bin", "maxbins": 12}, "geom": "bar"},
    "panels": {"aes": {"x": "g", "y": "n"}, "stat": "mean", "geom": "bar", "facet": {"x": "h"}},
    "two layers": {
        "aes": {"x": "n", "y": "y"},
        "layer": [{"stat": "mean", "geom": "line"}, {"stat": "median", "geom": "point"}],
    },
}
"""Charts that Vega-Lite computes from the rows as whence does."""


@pytest.fixture
def made(ws: whence.Workspace) -> whence.Dataset:
    return ws.create("t", rows(90, seed=2), schema=SCHEMA)


def run(code: str, ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - an Altair chart
    """Run the code as it stands, in the workspace that is open already."""
    monkeypatch.setattr(whence, "open", lambda _: ws)
    names: dict[str, Any] = {}
    exec(compile(code, "chart", "exec"), names)
    return names["chart"]


def as_svg(vega: dict[str, Any]) -> str:
    """The picture, without the numbers that Vega gives to gradients and frames one after the other."""
    return re.sub(r"(gradient|clip)_?\d+", r"\1", vl_convert.vegalite_to_svg(vega, vl_version="6.1"))


def sorted_rows(marks: list[dict[str, Any]]) -> list[str]:
    return sorted(repr({name: _plain(value) for name, value in row.items()}) for row in marks)


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)  # plain Spark hands out times without their zone, which is UTC
    return float(f"{value:.9g}") if isinstance(value, int | float) else value


SHORT = ("figure_6_2", "bar_stacked", "bar_horizontal", "box", "heat_map_totals", "facet_grid")
every_chart = pytest.mark.parametrize("names", [SHORT, pytest.param(tuple(GALLERY), marks=pytest.mark.long)])


@every_chart
def test_the_sql_of_charts_gives_their_marks_in_plain_spark(
    ws: whence.Workspace, made: whence.Dataset, names: tuple[str, ...]
) -> None:
    """The tables are views of plain Spark over the same rows: nothing of whence runs the queries."""
    spark: Any = ws.spark
    spark.createDataFrame(rows(90, seed=2), SCHEMA).createOrReplaceTempView("t")
    wrong = {}
    for name in names:
        chart = made.chart(GALLERY[name])
        if " rand(" in chart.sql:  # another run draws other rows
            continue
        found = [row.asDict() for row in spark.sql(chart.sql).collect()]
        if sorted_rows(found) != sorted_rows(chart.marks.to_arrow().to_pylist()):
            wrong[name] = chart.sql
    assert wrong == {}


def test_intermediate_datasets_are_clauses_of_the_sql(ws: whence.Workspace) -> None:
    spark: Any = ws.spark
    spark.range(6_000).selectExpr("sin(id) as x").createOrReplaceTempView("waves")
    waves = ws.create("waves", [(row.x,) for row in spark.table("waves").collect()], schema="x double")
    chart = waves.chart({"aes": {"x": "x"}, "stat": "density"})
    assert chart.sql.startswith("with `")
    found = [row.asDict() for row in spark.sql(chart.sql).collect()]
    assert sorted_rows(found) == sorted_rows(chart.marks.to_arrow().to_pylist())


@pytest.mark.parametrize("text", ["select 'a  from (select' as x from `a (select b` where extract(day from d) = 1"])
def test_layout_changes_white_space_only(text: str) -> None:
    laid = lay_out(text)
    assert laid.split() == text.split()
    assert "'a  from (select'" in laid
    assert "extract(day from d)" in laid


def numbers_of(vega: dict[str, Any]) -> list[float]:
    """The values that Vega computes from the rows: from the words it gives each mark for screen readers."""
    labels = re.findall(r'aria-label="([^"]*)"', vl_convert.vegalite_to_svg(vega, vl_version="6.1"))
    found = [html.unescape(label) for label in labels if re.search(r": [^;]*;", label)]
    return sorted(float(number) for label in found for number in _numbers(label))


def _numbers(label: str) -> Iterator[str]:
    for part in label.split("; "):
        value = part.rpartition(": ")[2].replace("\u2212", "-").replace(",", "")
        try:
            yield str(round(float(value), 6))
        except ValueError:
            continue


def test_altair_over_the_rows_is_the_same_chart(
    ws: whence.Workspace, made: whence.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The code gives a chart of the rows, and whence reads that chart as the marks it began with."""
    for name, spec in OVER_ROWS.items():
        chart = made.chart(spec)
        assert "to_pandas()" in chart.altair, name
        again = made.chart(run(chart.altair, ws, monkeypatch))
        marks = again.marks.to_arrow().to_pylist()
        assert sorted_rows(marks) == sorted_rows(chart.marks.to_arrow().to_pylist()), name


def test_vega_computes_the_numbers_of_the_marks_from_the_rows(
    ws: whence.Workspace, made: whence.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("counts", "sums", "to the right", "panels"):
        chart = made.chart(OVER_ROWS[name])
        spec = run(chart.altair, ws, monkeypatch).to_dict()
        spec["config"] = {"numberFormat": ".12g"}
        column = "x" if name == "to the right" else "y"
        expected = sorted(round(float(row[column]), 6) for row in chart.marks.to_arrow().to_pylist())
        assert numbers_of(spec) == pytest.approx(expected), name


@every_chart
def test_altair_over_the_marks_is_the_same_picture(
    ws: whence.Workspace, made: whence.Dataset, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The code of a chart is drawn as the same SVG as the chart itself."""
    for name in names:
        chart = made.chart(GALLERY[name])
        if "to_pandas()" in chart.altair:
            continue
        drawn = run(chart.altair, ws, monkeypatch).to_dict()
        assert as_svg(drawn) == as_svg(chart.vega), name
