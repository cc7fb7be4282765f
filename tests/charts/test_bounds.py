"""Intervals over marks whose bounds are known, against the bounds of the mark table."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from whence import Dataset, Workspace

ROWS = [("a", "amber", 1, 10), ("a", "blue", 2, 20), ("b", "amber", 3, 30), ("b", "blue", 4, -5)]


@pytest.fixture
def sales(ws: "Workspace") -> "Dataset":
    return ws.create(
        "sales",
        ROWS,
        schema="shop string, colour string, day int, amount int",
        cell_caveats=[(1, "amount", "smudged", (15, 28)), (3, "amount", "torn", (-8, 2))],
    )


def intervals(vega: dict[str, Any]) -> list[tuple[object, object, object]]:
    """What the lines that are drawn show: their place, low and high end."""
    (layer,) = [each for each in vega["layer"] if each["mark"]["type"] == "rule"]
    fields = {name: channel.get("field") for name, channel in layer["encoding"].items() if isinstance(channel, dict)}
    rows = vega["datasets"][layer["data"]["name"]]
    place, least, most = (fields["y"], "x", "x2") if fields["x"] == "_from" else (fields["x"], "y", "y2")
    return [(row[place], row[fields[least]], row[fields[most]]) for row in rows]


def has_intervals(vega: dict[str, Any]) -> bool:
    return '"_from"' in json.dumps(vega)


def test_bars_show_between_which_values_they_lie(sales: "Dataset", tmp_path: Path) -> None:
    bars = sales.chart({"aes": {"x": "shop", "y": "amount"}, "stat": "sum", "geom": "bar"})
    assert has_intervals(bars.vega)
    told = [tuple(bars.marks.caveats.bounds(row, "y")) for row in range(2)]
    assert told == [(25, 30, 38), (22, 25, 32)]
    shown = bars.with_bounds()
    vega: Any = shown.vega
    assert intervals(shown.vega) == [("a", 25, 38), ("b", 22, 32)]
    assert vega["layer"][0]["encoding"]["y"]["scale"]["domain"][1] >= 38
    assert has_intervals(bars.redrawn())
    shown.save(tmp_path / "bars.svg")
    assert "<svg" in (tmp_path / "bars.svg").read_text()


def test_flipped_bars_points_and_bins_show_intervals(sales: "Dataset") -> None:
    flipped = sales.chart({"aes": {"x": "shop", "y": "amount"}, "stat": "sum", "geom": "bar", "coord": {"flip": True}})
    assert intervals(flipped.with_bounds().vega) == [("a", 25, 38), ("b", 22, 32)]
    points = sales.chart({"aes": {"x": "day", "y": "amount"}, "geom": "point"})
    assert intervals(points.with_bounds().vega) == [(2, 15, 28), (4, -8, 2)]
    bins = sales.chart(
        {"aes": {"x": "day", "y": "amount"}, "stat": {"type": "bin", "bins": 1, "fun": "sum"}, "geom": "bar"}
    ).with_bounds()
    edges = bins.marks.to_arrow().to_pylist()[0]
    assert intervals(bins.vega) == [((edges["x"] + edges["x2"]) / 2, 10 + 15 + 30 - 8, 10 + 28 + 30 + 2)]


def test_stacked_marks_show_intervals_over_the_marks_below_them(sales: "Dataset") -> None:
    spec = {"aes": {"x": "shop", "y": "amount", "color": "colour"}, "stat": "sum", "geom": "bar"}
    stacked = sales.chart(spec).with_bounds()
    marks = stacked.marks.to_arrow().to_pylist()
    told = [tuple(stacked.marks.caveats.bounds(row, "y")) for row in range(len(marks))]
    tops: dict[tuple[object, bool], int] = {}
    expected = []
    for mark, (low, value, high) in zip(marks, told, strict=True):
        assert isinstance(value, int)
        assert isinstance(low, int)
        assert isinstance(high, int)
        start = tops.get((mark["x"], value < 0), 0)
        tops[mark["x"], value < 0] = start + value
        if (low, high) != (value, value):
            expected.append((mark["x"], start + low, start + high))
    assert intervals(stacked.vega) == expected
    assert len(expected) == 2
    vega: Any = stacked.vega
    assert [(row["_low"], row["_high"]) for row in vega["datasets"]["bounded"]] == [(15, 28), (-8, 2)]


def test_shares_have_no_place_for_intervals(sales: "Dataset") -> None:
    spec = {"aes": {"x": "shop", "y": "amount", "color": "colour"}, "stat": "sum", "geom": "bar", "pos": "fill"}
    shown: Any = sales.chart(spec).with_bounds().vega
    assert all(row["y"] == row["_value"] for row in shown["datasets"].get("bounded", []))


@pytest.mark.parametrize("geom", ["line", "area"])
def test_lines_and_areas_have_a_band(ws: "Workspace", geom: str) -> None:
    days = ws.create(
        "days",
        [("a", 1, 10), ("a", 2, 20), ("a", 3, 30), ("b", 1, 5), ("b", 2, 6), ("a", 4, 7)],
        schema="k string, day int, amount int",
        cell_caveats=[(1, "amount", "smudged", (15, 28)), (5, "amount", "torn")],
    )
    chart = days.chart({"aes": {"x": "day", "y": "amount", "color": "k"}, "geom": geom, "pos": "identity"})
    vega: Any = chart.with_bounds().vega
    band = next(each for each in vega["layer"] if each["encoding"].get("y", {}).get("field") == "_from")
    assert band["mark"]["type"] == "area"
    assert band["encoding"]["y2"] == {"field": "_to"}
    assert band["encoding"]["color"]["field"] == "color"
    rows = [(row["color"], row["x"], row["_from"], row["_to"]) for row in vega["datasets"][band["data"]["name"]]]
    assert sorted(rows, key=str) == [("a", 1, 10, 10), ("a", 2, 15, 28), ("a", 3, 30, 30), ("a", 4, None, None)]
    assert not any(each["mark"]["type"] == "rule" for each in vega["layer"])
    tips = [each["encoding"]["tooltip"] for each in vega["layer"] if "doubtful" in each["data"]["name"]]
    assert [tip["title"] for tip in tips[0] if tip["field"] in ("_low", "_high")] == ["at least", "at most"]


def test_unknown_bounds_draw_nothing(ws: "Workspace") -> None:
    torn = ws.create("torn", [("a", 1)], schema="k string, x int", cell_caveats=[(0, "x", "torn")])
    bars = torn.chart({"aes": {"x": "k", "y": "x"}, "stat": "sum", "geom": "bar"}).with_bounds()
    assert not has_intervals(bars.vega)
