"""Lines and areas around a centre: marks stand at their angle and radius, and lines between them are bent."""

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
from whence.charts.save import as_svg
from whence.charts.vega import to_vega

RADAR: dict[str, object] = {"aes": {"x": "g", "y": "amount"}, "geom": "radial_line"}
WIND: dict[str, object] = {"aes": {"x": "n", "y": "amount"}, "geom": {"type": "radial_line", "turn": 360}}
AREA: dict[str, object] = {"aes": {"x": "n", "y": "amount", "color": "g"}, "geom": "radial_area"}
Marks = dict[str, list[object]]
Row = dict[str, Any]


def drawn(spec: dict[str, object], marks: Marks) -> list[Row]:
    return compose(compiled(spec), pa.table(marks), Doubts(), 100).blocks[0].rows


def polar(row: Row) -> tuple[float, float]:
    """Angle from the top, clockwise in degrees, and radius."""
    return math.degrees(math.atan2(row["_across"], row["_up"])) % 360, math.hypot(row["_across"], row["_up"])


def of_marks(rows: list[Row]) -> list[Row]:
    return [row for row in rows if "_mark" in row]


def pieces(rows: list[Row]) -> list[Row]:
    return [row for row in rows if "_between" in row and row["_across"] is not None]


def test_names_share_the_circle_and_values_are_radii() -> None:
    rows = drawn(RADAR, {"x": ["a", "b", "c", "d"], "y": [1.0, 2.0, 4.0, 3.0]})
    assert [polar(row) for row in of_marks(rows)] == [
        pytest.approx((90 * place, share)) for place, share in enumerate((0.25, 0.5, 1.0, 0.75))
    ]
    assert [row["_label"] for row in rows if "_label" in row] == ["a", "b", "c", "d"]
    assert [(row["_grid"], row["_ring"]) for row in rows if "_grid" in row] == [
        pytest.approx((value / 4, value)) for value in range(5)
    ]


def test_lines_between_names_are_straight_and_close() -> None:
    rows = drawn(RADAR, {"x": ["a", "b", "c"], "y": [1.0, 2.0, 3.0]})
    assert [row["_between"] for row in pieces(rows)] == [[2, 0]]  # back to where the line began
    assert polar(pieces(rows)[0]) == pytest.approx((0, 1 / 3))
    open_line = drawn(
        {**RADAR, "geom": {"type": "radial_line", "closed": False}}, {"x": ["a", "b", "c"], "y": [1, 2, 3]}
    )
    assert pieces(open_line) == []


def test_numbers_go_around_by_their_turn_and_lines_follow_the_circle() -> None:
    rows = drawn(WIND, {"x": [350.0, 10.0, 100.0, 370.0], "y": [4.0, 2.0, 2.0, 2.0]})
    assert sorted(polar(row) for row in of_marks(rows)) == [
        pytest.approx(each) for each in ((10, 0.5), (10, 0.5), (100, 0.5), (350, 1.0))
    ]
    between = [polar(row) for row in pieces(rows) if set(row["_between"]) <= {1, 2, 3} and polar(row)[0] > 10.001]
    assert len(between) >= 22
    assert all(radius == pytest.approx(0.5) for _, radius in between)
    # From 100 to 350 degrees, the radius grows in step with the angle: a spiral, not a chord.
    for angle, radius in (polar(row) for row in pieces(rows) if row["_between"] == [2, 0]):
        assert radius == pytest.approx(0.5 + 0.5 * (angle - 100) / 250)


def test_values_below_zero_move_the_centre() -> None:
    rows = of_marks(drawn(RADAR, {"x": ["a", "b", "c"], "y": [-2.0, 0.0, 2.0]}))
    assert [polar(row)[1] for row in rows] == pytest.approx([0, 0.5, 1])


def test_a_missing_value_breaks_the_line_and_a_mark_alone_is_seen() -> None:
    rows = drawn(RADAR, {"x": ["a", "b", "c", "d"], "y": [1.0, None, 2.0, None]})
    assert [(row["_mark"], row["_alone"]) for row in of_marks(rows)] == [(0, True), (2, True)]
    assert sum(row.get("_across", 0) is None for row in rows) == 2


def test_an_area_ends_in_the_centre_where_values_are_missing() -> None:
    rows = drawn(AREA, {"x": [0, 1, 2, 3], "y": [1.0, 2.0, None, 4.0], "color": ["a"] * 4})
    centres = [row for row in rows if row.get("_across") == 0 and row.get("_up") == 0]
    assert len(centres) == 1


def test_a_selection_keeps_the_rings_and_leaves_out_pieces_that_lead_to_other_marks() -> None:
    marks = pa.table({"x": ["a", "b", "c", "d"], "y": [1.0, 2.0, 4.0, 3.0]})
    spec = {**RADAR, "geom": {"type": "radial_line", "bent": True}}
    found: list[Row] = overlay(compiled(spec), marks, "y", {"y": [1.0, 2.0, None, None]}, 100)["rows"]
    assert [polar(row) for row in of_marks(found)] == [pytest.approx((0, 0.25)), pytest.approx((90, 0.5))]
    assert {tuple(row["_between"]) for row in found if "_between" in row} == {(0, 1)}
    assert max(row["_ring"] for row in found if row.get("_ring") is not None) == 4


def test_the_line_is_drawn_around_the_middle_of_the_panel() -> None:
    vega: Any = to_vega(parse(RADAR), compiled(RADAR), compose(compiled(RADAR), MARKS, Doubts(frozenset({1})), 100))
    ring = vega["layer"][-1]
    assert (ring["data"]["name"], ring["encoding"]["x"]["field"]) == ("doubtful", "_across")
    svg = as_svg(vega).decode()
    # The middle of 420 by 260 pixels; the greatest radius is 130 / 1.16.
    assert f"M210,{130 - 0.25 * 130 / 1.16:.3f}"[:12] in svg


MARKS = pa.table({"x": ["a", "b", "c", "d"], "y": [1.0, 2.0, 4.0, 3.0]})


def test_names_as_a_measure_are_refused() -> None:
    with pytest.raises(BadChart, match="radial_line needs a number as y, not text"):
        compiled({"aes": {"x": "n", "y": "g"}, "geom": "radial_line"})
