"""What shelves write: filters, folded measures, reference lines, a second axis, an order of categories."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import pandas as pd
import pytest

import whence
from whence.charts.errors import BadChart

SCHEMA = "shop string, month int, price double, cost double, day date"
SHOPS = ("Aachen", "Bonn", "Celle", None)
ROWS: list[tuple[Any, ...]] = [
    (shop, month, float((7 * place + 3 * month) % 11), None if month == 4 else float(place * month), None)
    for place, shop in enumerate(SHOPS)
    for month in range(1, 7)
]
Record = dict[str, object]
Spec = dict[str, object]


def duck(sql: str) -> list[Record]:
    with duckdb.connect() as connection:
        connection.register("t", pd.DataFrame(ROWS, columns=["shop", "month", "price", "cost", "day"]))
        columns = [each[0] for each in connection.sql(sql).description]
        return [dict(zip(columns, row, strict=True)) for row in connection.sql(sql).fetchall()]


@pytest.fixture
def made(ws: whence.Workspace) -> whence.Dataset:
    return ws.create("t", ROWS, schema=SCHEMA)


def marks(chart: Any) -> list[Record]:  # noqa: ANN401 - a chart of some dataset
    found: list[Record] = chart.marks.to_arrow().to_pylist()
    return found


def in_order(rows: list[Record]) -> list[str]:
    return sorted(repr(sorted(row.items())) for row in rows)


FILTERS: dict[str, tuple[object, str, Callable[[tuple[Any, ...]], bool]]] = {
    "values": ({"column": "shop", "in": ["Bonn", "Celle"]}, "shop in ('Bonn', 'Celle')", lambda r: r[0] in SHOPS[1:3]),
    "nothing": (
        {"column": "shop", "in": ["Bonn", None]},
        "shop = 'Bonn' or shop is null",
        lambda r: r[0] in ("Bonn", None),
    ),
    "others": (
        {"column": "shop", "not_in": ["Bonn"]},
        "shop is distinct from 'Bonn'",
        lambda r: r[0] != "Bonn",
    ),
    "range": ({"column": "month", "between": [2, 4]}, "month between 2 and 4", lambda r: 2 <= r[1] <= 4),
    "open": ({"column": "month", "between": [3, None]}, "month >= 3", lambda r: r[1] >= 3),
    "sql": ("price > 5", "price > 5", lambda r: r[2] > 5),
    "both": (
        [{"column": "month", "between": [None, 5]}, {"column": "shop", "in": ["Bonn"]}, "price > 1"],
        "month <= 5 and shop = 'Bonn' and price > 1",
        lambda r: r[1] <= 5 and r[0] == "Bonn" and r[2] > 1,
    ),
}


def test_a_condition_that_is_one_name_is_no_alias_of_the_table(ws: whence.Workspace) -> None:
    """Spark reads `t where (true)` as a table that is called `where`; a range that is open at both ends is `true`."""
    flags = ws.create("flags", [("a", True), ("b", False), ("a", True)], schema="g string, f boolean")
    for where, expected in (
        ({"column": "f", "between": [None, None]}, [("a", 2), ("b", 1)]),
        ("f", [("a", 2)]),
        ("`f`", [("a", 2)]),
        (["f", "true"], [("a", 2)]),
    ):
        chart = flags.chart({"aes": {"x": "g"}, "data": {"where": where}})
        assert sorted((row["x"], row["y"]) for row in marks(chart)) == expected, where


def test_filters_leave_the_rows_that_they_name(made: whence.Dataset) -> None:
    """Marks against DuckDB, and the rows behind all of them against plain Python."""
    for name, (where, sql, keeps) in FILTERS.items():
        chart = made.chart({"aes": {"x": "shop", "y": "price"}, "stat": "sum", "geom": "bar", "data": {"where": where}})
        expected = duck(f"select shop as x, sum(price) as y from t where {sql} group by shop")
        assert in_order(marks(chart)) == in_order(expected), name
        behind = chart.marks.lineage.backward(list(range(chart.marks.count)), to="t").ids.tolist()
        assert behind == [rid for rid, row in enumerate(ROWS) if keeps(row)], name


def test_folded_measures_are_series_whose_marks_know_their_rows(made: whence.Dataset) -> None:
    data = {"fold": ["price", "cost"], "where": {"column": "month", "between": [2, 6]}}
    chart = made.chart(
        {"data": data, "aes": {"x": "month", "y": "value", "color": "measure"}, "stat": "sum", "geom": "bar"}
    )
    parts = [
        f"select month as x, sum({each}) as y, '{each}' as color from t where month >= 2 group by 1"
        for each in ("price", "cost")
    ]
    assert in_order(marks(chart)) == in_order(duck(" union all ".join(parts)))
    for number, mark in enumerate(marks(chart)):
        rows = [rid for rid, row in enumerate(ROWS) if row[1] == mark["x"]]
        assert chart.marks.lineage.backward([number], to="t").ids.tolist() == rows


def test_a_brush_recomputes_folded_measures_over_the_selected_rows(ws: whence.Workspace, made: whence.Dataset) -> None:
    by_shop = made.chart({"aes": {"x": "shop"}, "geom": "bar"}, name="by_shop")
    folded = made.chart(
        {"data": {"fold": ["price", "cost"]}, "aes": {"x": "month", "y": "value", "color": "measure"}, "stat": "sum"},
        name="folded",
    )
    place = [mark["x"] for mark in marks(by_shop)].index("Bonn")
    (found,) = whence.link([by_shop, folded]).brush(by_shop, marks=[place]).values()
    for mark in found.to_pylist():
        column = 2 if mark["color"] == "price" else 3
        values = [row[column] for row in ROWS if row[0] == "Bonn" and row[1] == mark["x"] and row[column] is not None]
        assert mark["selected"] == (sum(values) if values else None)


def test_a_doubtful_cost_leaves_the_folded_price_without_doubt(ws: whence.Workspace) -> None:
    rows = [("a", 1.0, 2.0), ("b", 3.0, 4.0)]
    t = ws.create("t", rows, schema="g string, price double, cost double", cell_caveats=[(0, "cost", "a guess")])
    chart = t.chart(
        {"data": {"fold": ["price", "cost"]}, "aes": {"x": "g", "y": "value", "color": "measure"}, "stat": "sum"}
    )
    flags = chart.marks.caveats.marks().column("y").to_pylist()
    doubtful = [
        (mark["x"], mark["color"]) for mark, is_doubtful in zip(marks(chart), flags, strict=True) if is_doubtful
    ]
    assert doubtful == [("a", "cost")]


def test_a_level_is_the_mean_of_the_rows_or_of_the_marks_before_it(made: whence.Dataset) -> None:
    over_rows = made.chart({"aes": {"y": "price"}, "stat": "level"})
    assert marks(over_rows) == [{"y": pytest.approx(statistics.mean(row[2] for row in ROWS))}]
    bars: Spec = {"stat": "sum", "geom": "bar"}
    line: Spec = {"stat": ["sum", {"type": "level", "fun": "median"}], "geom": "rule"}
    chart = made.chart({"aes": {"x": "month", "y": "price"}, "layer": [bars, line]})
    sums = [sum(row[2] for row in ROWS if row[1] == month) for month in range(1, 7)]
    found = marks(chart)
    assert [mark["y"] for mark in found] == [*sums, statistics.median(sums)]
    assert chart.marks.lineage.backward([6], to="t").ids.tolist() == list(range(len(ROWS)))


def test_a_level_of_the_marks_follows_the_stat_and_the_geom_of_the_chart(made: whence.Dataset) -> None:
    line: Spec = {"stat": {"type": "level", "over": "marks"}, "geom": "rule"}
    constant: Spec = {"inherit": False, "aes": {"y": {"value": 9}}, "geom": "rule"}
    counts: Spec = {"aes": {"x": "month", "color": "shop"}, "geom": "bar", "layer": [{}, line, constant]}
    means: Spec = {"aes": {"x": "month", "y": "price"}, "stat": "mean", "layer": [{"geom": "bar"}, line, constant]}
    by_month = [statistics.mean(row[2] for row in ROWS if row[1] == month) for month in range(1, 7)]
    expected = {"counts": 1.0, "means": statistics.mean(by_month)}
    for name, spec in {"counts": counts, "means": means}.items():
        found = [mark["y"] for mark in marks(made.chart(spec)) if mark["layer"] != 0]
        assert found == [pytest.approx(expected[name]), 9], name


def test_levels_and_constants_stand_in_every_panel(made: whence.Dataset) -> None:
    layers = [
        {"stat": "sum", "geom": "bar"},
        {"stat": ["sum", "level"], "geom": "rule"},
        {"inherit": False, "aes": {"y": {"value": 20}}, "geom": "rule"},
    ]
    chart = made.chart({"aes": {"x": "month", "y": "price"}, "facet": {"wrap": "shop"}, "layer": layers})
    by_panel: dict[object, list[int]] = {panel: [] for panel in SHOPS}
    for block in chart.picture.blocks:
        by_panel[block.panel[0]].append(block.branch.number)
    assert by_panel == {shop: [0, 1, 2] for shop in SHOPS}
    means = {mark["facet"]: mark["y"] for mark in marks(chart) if mark["layer"] == 1}
    assert means == {shop: pytest.approx(statistics.mean(r[2] for r in ROWS if r[0] == shop)) for shop in SHOPS}


def axes(vega: object) -> Iterator[dict[str, Any]]:
    """Every y channel of a picture."""
    if isinstance(vega, dict):
        found = vega.get("encoding", {}).get("y")
        yield from [found] if found else []
        yield from (each for name, part in vega.items() if name != "datasets" for each in axes(part))
    elif isinstance(vega, list):
        yield from (each for part in vega for each in axes(part))


def test_a_second_axis_spans_its_own_layer_only(made: whence.Dataset) -> None:
    share = {"sql": "price / 1000", "title": "share"}
    layers: list[Spec] = [
        {"stat": "sum", "geom": "bar"},
        {"aes": {"y": share}, "stat": "mean", "geom": "line", "axis": "right"},
    ]
    vega = made.chart({"aes": {"x": "month", "y": "price"}, "layer": layers}).vega
    left, *_, right = axes(vega)
    assert left["scale"]["domain"][1] > 20
    assert right["scale"]["domain"][1] < 0.02
    assert right["axis"]["orient"] == "right"
    assert (left["title"], right["title"]) == ("sum of price", "mean of share")
    assert vega["resolve"] == {"scale": {"y": "independent"}}


def order_of(chart: Any) -> list[object]:  # noqa: ANN401 - a chart of some dataset
    encoding = chart.vega.get("encoding") or chart.vega["layer"][0]["encoding"]
    found: list[object] = encoding["x"]["scale"]["domain"]
    return found


def test_categories_are_sorted_by_their_value_or_by_another_column(made: whence.Dataset) -> None:
    sums: Spec = {"aes": {"x": "shop", "y": "price"}, "stat": "sum", "geom": "bar"}
    by_price = [row["shop"] for row in duck("select shop from t group by shop order by sum(price) desc, shop")]
    assert order_of(made.chart({**sums, "scale": {"x": {"order_by": "-y"}}})) == by_price
    by_cost = {**sums, "aes": {"x": "shop", "y": "price", "order": "cost"}, "scale": {"x": {"order_by": "order"}}}
    expected = [row["shop"] for row in duck("select shop from t group by shop order by sum(cost), shop")]
    assert order_of(made.chart(by_cost)) == expected
    counted = {"aes": {"x": "shop", "order": "cost"}, "geom": "bar", "scale": {"x": {"order_by": "-order"}}}
    assert order_of(made.chart(counted)) == expected[::-1]


WRONG: list[tuple[Spec, str]] = [
    ({"data": {"where": {"column": "shap", "in": ["a"]}}}, "has no column shap"),
    ({"data": {"where": {"column": "shop"}}}, "says one of in, not_in and between, not nothing"),
    ({"data": {"where": {"column": "shop", "in": "a"}}}, "a list of values is needed"),
    ({"data": {"where": {"column": "month", "between": [1]}}}, "two ends are needed, not 1"),
    ({"data": {"fold": ["price"]}}, "two or more different columns are needed"),
    ({"data": {"fold": ["price", "shop"]}, "aes": {"x": "month", "y": "value"}}, "columns of one kind can be folded"),
    ({"data": {"fold": ["price", "cost"], "as": ["shop", "value"]}, "aes": {"x": "shop"}}, "has a column shop already"),
    (
        {"data": {"fold": ["price", "cost"]}, "aes": {"x": "shop", "y": "price"}},
        "price is folded into measure and value",
    ),
    ({"layer": [{"axis": "top"}]}, "the axis of a layer is left or right"),
    ({"layer": [{"axis": "right"}]}, "no layer is left for the axis at the left"),
    ({"layer": [{}, {"axis": "right"}], "facet": {"wrap": "shop"}}, "no place between the panels of a facet"),
    ({"scale": {"x": {"order_by": "size"}}}, "there is no size to sort by"),
]


def test_what_cannot_be_drawn_is_said(made: whence.Dataset) -> None:
    for part, said in WRONG:
        spec = {"aes": {"x": "shop", "y": "price"}, "stat": "sum", "geom": "bar", **part}
        with pytest.raises(BadChart, match=said):
            made.chart(spec).vega  # noqa: B018 - drawing it is what fails
