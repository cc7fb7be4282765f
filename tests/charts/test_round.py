"""Charts without axes: slices, sectors and rings have the angles and radii that their values ask for."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pytest

from tests.charts.test_compile import compiled
from whence.charts.errors import BadChart
from whence.charts.overlay import overlay
from whence.charts.parse import parse
from whence.charts.picture import Doubts, compose
from whence.charts.vega import to_vega

PIE: dict[str, object] = {"aes": {"color": "g"}, "geom": "pie"}
ROSE: dict[str, object] = {"aes": {"x": "g", "y": "amount"}, "geom": {"type": "rose", "inner": 0.5}}
RINGS: dict[str, object] = {"aes": {"x": "g", "y": "amount", "color": "h"}, "geom": "radial_bar"}
TURN = 2 * math.pi


def drawn(spec: dict[str, object], marks: dict[str, list[object]]) -> list[dict[str, Any]]:
    picture = compose(compiled(spec), pa.table(marks), Doubts(), 100)
    return picture.blocks[0].rows


def column(rows: list[dict[str, Any]], name: str) -> list[Any]:
    return [row[name] for row in rows]


def test_slices_of_a_pie_follow_each_other_by_their_shares() -> None:
    rows = drawn(PIE, {"color": ["a", "b", "c"], "y": [50, 49, 1]})
    assert column(rows, "_from") == pytest.approx([0, 0.5 * TURN, 0.99 * TURN])
    assert column(rows, "_to") == pytest.approx([0.5 * TURN, 0.99 * TURN, TURN])
    assert column(rows, "_reach") == [1, 1, 1]
    assert column(rows, "_label") == ["50 %", "49 %", None]


def test_the_area_of_a_sector_shows_its_value() -> None:
    rows = drawn(ROSE, {"x": ["a", "b"], "y": [4.0, 1.0]})
    areas = [(row["_to"] - row["_from"]) * (row["_reach"] ** 2 - row["_hole"] ** 2) for row in rows]
    assert areas[0] == pytest.approx(4 * areas[1])
    assert column(rows, "_hole") == pytest.approx([0.5, 0.5])
    assert column(rows, "_label") == ["a", "b"]


def test_bars_of_one_ring_follow_each_other_and_the_longest_ring_takes_three_quarters() -> None:
    rows = drawn(RINGS, {"x": ["a", "b", "a"], "y": [1.0, 1.0, 3.0], "color": ["u", "u", "v"]})
    assert column(rows, "_from") == pytest.approx([0, 0, 0.25 * 0.75 * TURN])
    assert column(rows, "_to") == pytest.approx([0.25 * 0.75 * TURN, 0.25 * 0.75 * TURN, 0.75 * TURN])
    assert rows[0]["_reach"] == rows[2]["_reach"] > rows[1]["_reach"]
    assert column(rows, "_label") == ["a", "b", None]


def test_a_selection_fills_a_part_of_its_slice_and_leaves_the_angles() -> None:
    marks = pa.table({"color": ["a", "b"], "y": [30, 10]})
    found = overlay(compiled(PIE), marks, "y", {"y": [15, None]}, 100)
    (row,) = found["rows"]
    assert (row["_from"], row["_to"]) == pytest.approx((0, 0.75 * TURN))
    assert row["_reach"] == pytest.approx(math.sqrt(0.5))


@pytest.mark.parametrize("spec", [PIE, ROSE])
def test_values_below_zero_are_refused(spec: dict[str, object]) -> None:
    name = "x" if spec is ROSE else "color"
    with pytest.raises(BadChart, match="is below zero"):
        drawn(spec, {name: ["a", "b"], "y": [3.0, -1.0]})


def test_slices_by_numbers_are_refused() -> None:
    with pytest.raises(BadChart, match="a slice for each name, and color holds a number"):
        compiled({"aes": {"color": "n", "y": "amount"}, "geom": "pie"})


def test_a_whole_of_nothing_has_no_angles() -> None:
    assert column(drawn(PIE, {"color": ["a"], "y": [0]}), "_to") == [0]


def test_panels_have_circles_of_their_own_size() -> None:
    made = compiled({**PIE, "facet": {"wrap": "h"}})
    picture = compose(made, pa.table({"facet": ["u", "v"], "color": ["a", "a"], "y": [1, 1]}), Doubts(), 100)
    vega: Any = to_vega(parse({**PIE, "facet": {"wrap": "h"}}), made, picture)
    radii = [layer["encoding"]["radius"]["scale"]["range"] for panel in vega["concat"] for layer in panel["layer"]]
    assert radii == [[0, 70]] * 4


def test_doubtful_slices_are_hatched_between_the_same_angles() -> None:
    made = compiled(PIE)
    picture = compose(made, pa.table({"color": ["a", "b"], "y": [1, 1]}), Doubts(frozenset({1})), 100)
    vega: Any = to_vega(parse(PIE), made, picture)
    hatched = vega["layer"][-1]
    assert hatched["mark"]["type"] == "arc"
    assert "gradient" in hatched["mark"]["fill"]
    assert hatched["encoding"]["theta"]["field"] == "_from"
    assert [row["color"] for row in vega["datasets"]["doubtful"]] == ["b"]
