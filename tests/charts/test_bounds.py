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
    place, least, most = (fields["y"], "x", "x2") if fields["x"] == "_low" else (fields["x"], "y", "y2")
    return [(row[place], row[fields[least]], row[fields[most]]) for row in rows]


def has_intervals(vega: dict[str, Any]) -> bool:
    return "_low" in json.dumps(vega)


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


def test_stacked_marks_have_no_place_for_intervals(sales: "Dataset") -> None:
    stacked = sales.chart({"aes": {"x": "shop", "y": "amount", "color": "colour"}, "stat": "sum", "geom": "bar"})
    shown: Any = stacked.with_bounds().vega
    placed = shown["datasets"].get("bounded", [])
    assert [row["x"] for row in placed] == ["b"]
    assert all(row["y"] == row["_value"] for row in placed)


def test_unknown_bounds_draw_nothing(ws: "Workspace") -> None:
    torn = ws.create("torn", [("a", 1)], schema="k string, x int", cell_caveats=[(0, "x", "torn")])
    bars = torn.chart({"aes": {"x": "k", "y": "x"}, "stat": "sum", "geom": "bar"}).with_bounds()
    assert not has_intervals(bars.vega)
