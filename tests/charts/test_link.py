"""Brushing gives what the charts give when they are run again on the selected rows alone."""

from __future__ import annotations

import math
import random
import statistics
from datetime import date

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import whence
from whence.charts.spec import Channel, Data
from whence.charts.workspace_source import WorkspaceSource
from whence.model.errors import UserError
from whence.workspace.chart import Chart

Row = tuple[str, str, float, int | None]
DatasetChart = Chart[whence.Dataset]
SCHEMA = "g string, h string, x double, n int"
BINS = {"type": "bin", "start": 0, "step": 1}


def rows(count: int, seed: int) -> list[Row]:
    chance = random.Random(seed)
    return [
        (chance.choice("abcd"), chance.choice("uvw"), chance.random() * 6, chance.choice([None, *range(9)]))
        for _ in range(count)
    ]


SPECS: dict[str, dict[str, object]] = {
    "sums": {"aes": {"x": "g", "y": "n", "color": "h"}, "stat": "sum", "geom": "bar"},
    "bins": {"aes": {"x": "x"}, "stat": BINS},
    "means": {"aes": {"x": "h", "y": "n"}, "stat": "mean", "geom": "bar"},
    "medians": {"aes": {"x": "g", "y": "x"}, "stat": "median", "geom": "bar"},
    "kinds": {"aes": {"x": "g", "y": "h"}, "stat": {"type": "distinct", "of": "y"}, "geom": "bar"},
    "running": {"aes": {"x": "n"}, "stat": "cumulative", "geom": "line"},
    "layers": {"aes": {"x": "n", "y": "x"}, "layer": [{"stat": "max", "geom": "bar"}, {"stat": "min", "geom": "line"}]},
    "points": {"aes": {"x": "x", "y": "n"}, "geom": "point"},
    "boxes": {"aes": {"x": "g", "y": "x"}, "geom": {"type": "box", "outliers": False}},
    "errors": {"aes": {"x": "h", "y": "n"}, "geom": "errorbar"},
    "ranges": {"aes": {"x": "h", "y": "n", "color": "g"}, "stat": {"type": "interval", "extent": "range"}},
    "quartiles": {"aes": {"x": "n", "y": "g"}, "stat": {"type": "interval", "extent": "iqr"}, "geom": "errorbar"},
    "fits": {"aes": {"x": "x", "y": "n", "color": "h"}, "stat": "smooth", "geom": "errorband"},
    "slices": {"aes": {"color": "g", "y": "n"}, "geom": "pie"},
    "steps": {"aes": {"x": "h", "y": "x"}, "geom": "waterfall"},
    "crosses": {"aes": {"x": "g", "y": "h"}, "geom": {"type": "cell", "totals": True}},
    "violins": {"aes": {"x": "g", "y": "x"}, "geom": "violin", "stat": {"type": "density", "bandwidth": 0.8}},
    "violin pairs": {
        "aes": {"x": "g", "y": "x", "detail": "h"},
        "geom": "violin",
        "stat": {"type": "density", "bandwidth": 0.8},
    },
}
_CURVES = ("fits", "violins", "violin pairs")
_MEASURES = ("lower", "q1", "q3", "upper", "density")


def over(chart: DatasetChart, table: pa.Table) -> dict[tuple[object, ...], object]:
    """The selected values of each mark that has one, by what tells marks apart and the name of the measure."""
    keys = [
        name
        for name in table.column_names
        if name in ("layer", "x", "x2", "y", "color", "detail") and name != chart.value
    ]
    found: dict[tuple[object, ...], object] = {}
    for row in table.to_pylist():
        key = tuple(repr(row[name]) for name in keys)
        for name in chart.measures:
            selected = "selected" if name == chart.value else f"selected_{name}"
            value = row[selected] if "selected" in row else row[name]
            if value not in (None, 0):
                found[*key, name] = value
    return found


def curve(name: str, chart: DatasetChart, kept: list[int], data: list[Row]) -> dict[tuple[object, ...], object]:
    """The same by NumPy, at the places where the curve of all rows is drawn."""
    found: dict[tuple[object, ...], object] = {}
    for mark in chart.marks.to_arrow().to_pylist():
        if "density" in mark:
            series = [place for place in kept if data[place][:2] == (mark["x"], mark.get("detail", data[place][1]))]
            mine = np.array([data[place][2] for place in series])
            bells = np.exp(-0.5 * ((mark["y"] - mine) / 0.8) ** 2) / (0.8 * math.sqrt(2 * math.pi))
            if len(mine):
                keys = (repr(mark[key]) for key in ("x", "y", "detail") if key in mark)
                found[*keys, "density"] = bells.mean()
            continue
        known = [data[place] for place in kept if data[place][1] == mark["color"] and data[place][3] is not None]
        x, y = np.array([row[2] for row in known]), np.array([row[3] for row in known])
        if len(known) > 2:
            fit = stats.linregress(x, y)
            middle = fit.intercept + fit.slope * mark["x"]
            left = ((y - fit.intercept - fit.slope * x) ** 2).sum() / (len(x) - 2)
            apart = (mark["x"] - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum()
            wide = stats.t.ppf(0.975, len(x) - 2) * math.sqrt(left * (1 / len(x) + apart))
            for column, value in (("y", middle), ("lower", middle - wide), ("upper", middle + wide)):
                found[repr(mark["x"]), repr(mark["color"]), column] = value
    return found


def check(
    ws: whence.Workspace,
    charts: dict[str, DatasetChart],
    answers: dict[DatasetChart, pa.Table],
    kept: list[int],
    data: list[Row],
) -> None:
    """Each chart against the same chart of the kept rows."""
    fewer = ws.create("fewer", [data[place] for place in kept], schema=SCHEMA)
    names = {chart: name for name, chart in charts.items()}
    for chart, table in answers.items():
        if names[chart] == "points":
            there = [row["selected"] is not None for row in table.to_pylist()]
            behind = [int(chart.marks.lineage.backward([mark], to="t").ids[0]) for mark in range(len(table))]
            assert there == [row in kept for row in behind]
            continue
        if names[chart] in _CURVES:
            assert over(chart, table) == pytest.approx(curve(names[chart], chart, kept, data)), names[chart]
            continue
        again = fewer.chart(SPECS[names[chart]], name="again").marks.to_arrow()
        assert over(chart, table) == pytest.approx(over(chart, again)), names[chart]


def test_brushing_equals_running_again_on_the_selected_rows(ws: whence.Workspace) -> None:
    data = rows(120, seed=5)
    t = ws.create("t", data, schema=SCHEMA)
    charts = {name: t.chart(spec, name=f"c_{name}") for name, spec in SPECS.items()}
    link = whence.link(list(charts.values()))
    answers = link.brush(charts["sums"], marks=[0, 3])
    marks = charts["sums"].marks.to_arrow().to_pylist()
    wanted = {(marks[mark]["x"], marks[mark]["color"]) for mark in (0, 3)}
    kept = [place for place, row in enumerate(data) if (row[0], row[1]) in wanted]
    check(ws, charts, answers, kept, data)
    both = link.brush(charts["bins"], x=(1.5, 3))  # rows in both brushes; bins 1 and 2 are covered
    kept = [place for place in kept if 1 <= data[place][2] < 3]
    check(ws, charts, {chart: both[chart] for chart in both if chart is not charts["sums"]}, kept, data)
    alone = {charts["sums"]: both[charts["sums"]]}  # a chart is not filtered by its own brush
    check(ws, charts, alone, [place for place, row in enumerate(data) if 1 <= row[2] < 3], data)
    cleared = link.clear()
    assert cleared[charts["means"]].column("selected").equals(cleared[charts["means"]].column("y"))


def test_points_beyond_the_whiskers_follow_their_boxes(ws: whence.Workspace) -> None:
    data = [
        *((g, h, float(n), 0) for g in "ab" for h in "uv" for n in range(8)),
        ("a", "u", 30.0, 0),
        ("a", "v", 16.5, 0),
    ]
    t = ws.create("t", data, schema=SCHEMA)
    boxes = t.chart({"aes": {"x": "g", "y": "x"}, "geom": "box"}, name="boxes")
    bars = t.chart({"aes": {"x": "h"}, "geom": "bar"}, name="bars")
    marks = boxes.marks.to_arrow().to_pylist()
    assert [(mark["layer"], mark["x"], mark["y"]) for mark in marks[2:]] == [(1, "a", 16.5), (1, "a", 30.0)]
    link = whence.link([boxes, bars])
    assert [follower is not None for _, follower in boxes.view.followers] == [True, True], "no new run for a step"
    answer = link.brush(bars, x=["u"])[boxes].to_pylist()
    assert [row["selected"] for row in answer] == [4.0, 3.5, None, 30.0]
    assert [row["selected_upper"] for row in answer] == [7.0, 7.0, None, None]


def test_brushes_cross_joins_and_datasets_and_say_when_they_cannot(ws: whence.Workspace) -> None:
    ws.create("orders", [(1, "a", 5), (2, "a", 7), (3, "b", 1), (4, "c", 2)], schema="id int, shop string, amount int")
    ws.create("shops", [("a", "north"), ("b", "south"), ("c", "south")], schema="shop string, region string")
    joined = ws.sql("select o.id, o.amount, s.region from orders o join shops s using (shop)", name="joined")
    by_shop = ws["orders"].chart({"aes": {"x": "shop", "y": "amount"}, "stat": "sum", "geom": "bar"})
    by_region = joined.chart({"aes": {"x": "region", "y": "amount"}, "stat": "sum", "geom": "bar"})
    shops = ws["shops"].chart({"aes": {"x": "region"}, "geom": "bar"})
    link = whence.link([by_shop, by_region, shops])
    answers = link.brush(by_shop, x=["a", "b"])
    assert [row["selected"] for row in answers[by_region].to_pylist()] == [12, 1]
    assert answers[shops].column("selected").to_pylist() == [None, None]
    assert link.notes == [
        "orders_chart and shops_chart share no source rows: nothing is behind both orders@1 and shops@1."
    ]
    assert [row["selected"] for row in link.brush(by_region, marks=[1])[by_shop].to_pylist()] == [None, 1, 2]
    assert [
        row["selected"] for row in whence.link([shops, by_region]).brush(shops, marks=[1])[by_region].to_pylist()
    ] == [None, 3]


def test_rows_of_linked_tables_are_those_behind_every_brush(ws: whence.Workspace) -> None:
    chance = random.Random(7)
    orders = [(n, chance.choice("abcd"), chance.randrange(8), chance.randrange(9)) for n in range(40)]
    ws.create("sold", orders, schema="id int, shop string, day int, amount int")
    totals = ws.sql("select day, sum(amount) total from sold where amount > 2 group by day order by day", name="totals")
    apart = ws.create("apart", [(1,)], schema="n int")
    by_shop = ws["sold"].chart({"aes": {"x": "shop"}, "geom": "bar"}, name="by_shop")
    by_amount = ws["sold"].chart({"aes": {"x": "amount"}, "geom": "bar", "stat": "count"}, name="by_amount")
    link = whence.link([by_shop, by_amount], tables=[ws["sold"], totals, apart])
    shops = by_shop.marks.to_arrow().column("x").to_pylist()
    amounts = by_amount.marks.to_arrow().column("x").to_pylist()
    assert link.rows(totals).count == totals.count
    for _ in range(6):
        marks = chance.sample(range(len(shops)), 2), chance.sample(range(len(amounts)), 3)
        link.brush(by_shop, marks=marks[0])
        link.brush(by_amount, marks=marks[1])
        chosen = ({shops[m] for m in marks[0]}, {amounts[m] for m in marks[1]})
        each = [
            {r for r, row in enumerate(orders) if row[column] in names}
            for column, names in zip((1, 3), chosen, strict=True)
        ]
        assert set(link.rows(ws["sold"]).ids.tolist()) == each[0] & each[1]
        days = totals.to_arrow().column("day").to_pylist()
        behind = {days.index(orders[r][2]) for r in each[0] & each[1] if orders[r][3] > 2}
        assert set(link.rows(totals).ids.tolist()) == behind
        assert link.rows(apart).count == 1
    assert link.notes[0] == "apart and by_shop share no source rows, so all rows of apart stay."
    link.clear()
    assert link.rows(ws["sold"]).count == 40
    with pytest.raises(UserError, match="by_shop@1 is not linked"):
        link.rows(by_shop.marks)


def test_a_mark_can_be_explained_and_its_cells_traced(ws: whence.Workspace) -> None:
    data = [(day, shop, 1.0 + 8 * day * (shop == "b")) for day in (0, 1) for shop in "abc" for _ in range(20)]
    sales = ws.create("sales", data, schema="day int, shop string, amount double")
    bars = sales.chart({"aes": {"x": "day", "y": "amount"}, "stat": "sum", "geom": "bar"})
    assert bars.marks.explain("y", outliers=[1], holdouts=[0])[0].predicate.sql == "shop = 'b'"
    cells = bars.marks.lineage.cell(0, "y", to="sales")
    assert {cell.row for cell in cells if cell.role == "aggregated"} == set(range(60))


def test_parameter_facets_share_one_pass_and_brush(ws: whence.Workspace) -> None:
    t = ws.create("t", [(float(n), n % 3) for n in range(30)], schema="x double, n int")
    spec = {"aes": {"x": "x"}, "stat": {"type": "bin", "bins": "B"}, "facet": {"x": {"param": "B", "values": [2, 3]}}}
    bins, bars = t.chart(spec, name="bins"), t.chart({"aes": {"x": "n"}, "stat": "count", "geom": "bar"}, name="bars")
    assert "grouping sets" in bins.compiled.sql
    assert len(bins.marks.parents()) == 1
    answers = whence.link([bins, bars]).brush(bars, marks=[1])
    assert answers[bins].column("selected").to_pylist() == [5, 5, 3, 4, 3]
    back = whence.link([bins, bars]).brush(bins, marks=[4])[bars]
    assert back.column("selected").to_pylist() == [3, 3, 4]


def test_ranges_come_from_footers_without_a_query(ws: whence.Workspace) -> None:
    rows_ = [(1.5, 3, date(2020, 1, 2)), (-2.5, None, date(2020, 3, 1)), (None, 7, None)]
    record = ws.create("t", rows_, schema="x double, n int, day date").record
    source = WorkspaceSource(ws._context.derive, record, "chart")
    found = [source.extent(Data(), Channel(column=name)) for name in ("x", "n", "day")]
    assert found == [(-2.5, 1.5), (3, 7), (date(2020, 1, 2), date(2020, 3, 1))]


def test_linking_charts_captures_no_lineage_and_a_brush_does(ws: whence.Workspace) -> None:
    data = rows(40, 7)
    ws.create("small", data, schema=SCHEMA)
    ws.capture.pause()
    one, other = ws["small"].chart(SPECS["sums"], name="one"), ws["small"].chart(SPECS["means"], name="other")
    edges = one.marks.context.readers.edges

    def captured() -> list[bool]:
        return [edges.is_at_hand(each.marks.record) for each in (one, other)]

    link = whence.link([one, other])
    assert captured() == [False, False]
    first = one.marks.to_arrow().to_pylist()[0]
    kept = [row for row in data if row[:2] == (first["x"], first["color"]) and row[3] is not None]
    wanted = {first["color"]: statistics.fmean(float(row[3] or 0) for row in kept)}
    answer = link.brush(one, marks=[0])[other].to_pylist()
    assert {row["x"]: row["selected"] for row in answer if row["selected"] is not None} == pytest.approx(wanted)
    assert captured() == [True, True]
    ws.capture.resume()
