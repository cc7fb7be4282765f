"""Waterfalls, totals beside heat maps, hexagons and lone marks of lines: where they lie, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa
import pytest

from tests.charts.test_compile import compiled
from whence.charts.errors import BadChart
from whence.charts.parse import parse
from whence.charts.picture import Doubts, compose
from whence.charts.vega import to_vega

WATERFALL: dict[str, object] = {"aes": {"x": "g", "y": "amount"}, "geom": "waterfall"}
HEXAGONS: dict[str, object] = {"aes": {"x": "x", "y": "y"}, "geom": "hexagon", "width": 400, "height": 200}
TOTALS: dict[str, object] = {"aes": {"x": "g", "y": "h"}, "geom": {"type": "cell", "totals": True}}


def vega(spec: dict[str, object], marks: dict[str, list[object]]) -> Any:  # noqa: ANN401 - JSON
    made = compiled(spec)
    return to_vega(parse(spec), made, compose(made, pa.table(marks), Doubts(), 100))


def test_each_bar_of_a_waterfall_begins_where_the_one_before_it_ended() -> None:
    marks: dict[str, list[object]] = {"layer": [0, 0, 0, 1], "x": ["a", "b", "c", "total"], "y": [5.0, -3.0, 1.0, 3.0]}
    made = vega(WATERFALL, marks)
    ends = [(row["x"], row["y2"], row["y"]) for name in ("rows", "rows_1") for row in made["datasets"][name]]
    assert ends == [("a", 0, 5), ("b", 5, 2), ("c", 2, 3), ("total", 0, 3)]
    assert [row["_falls"] for row in made["datasets"]["rows"]] == [False, True, False]
    assert made["layer"][0]["encoding"]["x"]["scale"]["domain"] == ["a", "b", "c", "total"]


def test_a_waterfall_along_numbers_has_no_total() -> None:
    assert len(compiled({"aes": {"x": "n", "y": "amount"}, "geom": "waterfall"}).branches) == 1
    with pytest.raises(BadChart, match="a place among names only"):
        compiled({"aes": {"x": "n", "y": "amount"}, "stat": "total", "geom": "bar"})


def test_totals_stand_beside_the_heat_map_and_do_not_change_its_colours() -> None:
    marks: dict[str, list[object]] = {
        "layer": [0, 0, 1, 1, 2],
        "x": ["a", "b", "a", "b", None],
        "y": ["u", "u", None, None, "u"],
        "color": [3, 4, 3, 4, 7],
    }
    made = vega(TOTALS, marks)
    above, (cells, right) = made["vconcat"][0], made["vconcat"][1]["hconcat"]
    assert cells["encoding"]["color"]["scale"]["domain"] == [3, 4]
    assert above["layer"][0]["encoding"]["y"]["scale"]["domain"] == [0, 4]
    assert right["layer"][0]["encoding"]["x"]["scale"]["domain"] == [0, 7]
    assert above["width"] == cells["width"]
    assert right["height"] == cells["height"]


def test_totals_have_a_place_beside_one_heat_map_only() -> None:
    with pytest.raises(BadChart, match="not in the panels of a facet"):
        compiled({**TOTALS, "facet": {"x": "g"}})
    with pytest.raises(BadChart, match="functions that colour shows have totals"):
        compiled({"aes": {"x": "g", "y": "h"}, "stat": "identity", "geom": {"type": "cell", "totals": True}})


def test_a_hexagon_is_cut_to_the_pixels_of_its_ends() -> None:
    marks: dict[str, list[object]] = {"x": [0.0, 10.0], "x2": [2.0, 20.0], "y": [0.0, 8.0], "y2": [1.0, 10.0]}
    made = vega(HEXAGONS, {**marks, "color": [1, 2]})
    scale = made["encoding"]["x"]["scale"]
    assert (scale["domain"], scale["nice"]) == ([0, 20], False)
    corners = [tuple(map(float, each)) for each in re.findall(r"(-?[\d.]+),(-?[\d.]+)", made["mark"]["shape"])]
    # Two of 20 units are 40 of 400 pixels, and one of 10 units is 20 of 200.
    assert (max(x for x, _ in corners), max(y for _, y in corners)) == (20, 10)
    assert made["datasets"]["rows"][0]["_x_middle"] == 1


def test_hexagons_need_even_axes() -> None:
    with pytest.raises(BadChart, match="hexagons have one shape everywhere"):
        vega({**HEXAGONS, "scale": {"x": "symlog"}}, {"x": [1.0], "x2": [2.0], "y": [0.0], "y2": [1.0], "color": [1]})


def test_a_mark_that_no_line_leads_to_is_seen_as_a_point() -> None:
    spec: dict[str, object] = {"aes": {"x": "n", "y": "amount", "color": "g"}, "stat": "mean", "geom": "line"}
    marks: dict[str, list[object]] = {
        "color": ["a", "a", "a", "b", "c", "c", "c"],
        "x": [1, 2, 3, 1, 1, 2, 3],
        "y": [1.0, 2.0, 3.0, 4.0, 5.0, None, 6.0],
    }
    made = vega(spec, marks)
    assert [row["_alone"] for row in made["datasets"]["rows"]] == [False, False, False, True, True, False, True]
    points = made["layer"][1]
    assert points["mark"]["type"] == "point"
    assert points["encoding"]["opacity"] == {"condition": {"test": "datum._alone", "value": 1}, "value": 0}
