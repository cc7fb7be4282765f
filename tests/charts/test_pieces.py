"""Scales, positions, edges and brushes alone, without Spark."""

from __future__ import annotations

import math
import re
from datetime import date

import numpy as np
import pyarrow as pa
import pytest
import vl_convert

from whence.charts.brush import brushed_marks
from whence.charts.edges import round_edges
from whence.charts.operator import Call
from whence.charts.positions.position import Place
from whence.charts.positions.registry import find_position
from whence.charts.scales.registry import find_scale
from whence.model.errors import UserError


@pytest.mark.parametrize("name", ["linear", "log", "symlog", "sqrt", "pow"])
def test_scales_are_two_way_functions(name: str) -> None:
    call = Call(name, {}, "scale.x")
    scale = find_scale(call)
    chosen = scale.choose(call)
    for value in (0.5, 1.0, 7.25, 99.0):
        pixel = scale.position(value, (0.5, 99.0), (5.0, 100.0), chosen)
        assert 5.0 - 1e-9 <= pixel <= 100.0 + 1e-9
        assert scale.invert(pixel, (0.5, 99.0), (5.0, 100.0), chosen) == pytest.approx(value)


def test_the_linear_scale_is_that_of_the_paper() -> None:
    call = Call("linear", {}, "scale.y")
    scale = find_scale(call)
    assert scale.position(50_000, (0, 100_000), (5, 100), scale.choose(call)) == 50_000 / 100_000 * 95 + 5


def _vega_edges(values: list[float], maxbins: int) -> list[float]:
    """Where Vega itself begins its bins: read from the labels it writes for screen readers."""
    spec = {
        "data": {"values": [{"a": value} for value in values]},
        "mark": "bar",
        "encoding": {
            "x": {"field": "a", "bin": {"maxbins": maxbins}, "axis": {"format": ".17g"}},
            "y": {"aggregate": "count"},
        },
    }
    svg = vl_convert.vegalite_to_svg(spec, vl_version="6.1")
    found = re.findall(r'aria-label="a \(binned\): ([\u2212\-0-9.e]+) \u2013', svg)
    return sorted(float(each.replace("\u2212", "-")) for each in found)


@pytest.mark.parametrize(
    ("low", "high", "maxbins"), [(0.3, 9.7, 10), (-3.2, 41.0, 10), (0.001, 0.0093, 20), (5, 5, 10), (-1e6, 2e6, 15)]
)
def test_round_bins_begin_where_those_of_vega_begin(low: float, high: float, maxbins: int) -> None:
    edges = round_edges(low, high, maxbins)
    values = [edges.start + (place + 0.5) * edges.step for place in range(edges.count)]
    values = [min(max(value, low), high) for value in values]
    starts = sorted(
        {
            edges.start + min(math.floor((v - edges.start) / edges.step + edges.slack), edges.count - 1) * edges.step
            for v in [*values, low, high]
        }
    )
    assert _vega_edges([*values, low, high], maxbins) == pytest.approx(starts)


def test_stack_goes_up_and_down_from_zero() -> None:
    call = Call("stack", {}, "pos")
    rows = [{"x": "a", "y": 2.0}, {"x": "a", "y": -1.0}, {"x": "a", "y": 3.0}, {"x": "b", "y": 4.0}]
    placed = find_position(call).place(rows, Place({"x": "text", "y": "number"}), {})
    assert [(row["y2"], row["y"]) for row in placed] == [(0.0, 2.0), (0.0, -1.0), (2.0, 5.0), (0.0, 4.0)]


def test_fill_makes_every_place_one_high() -> None:
    call = Call("fill", {}, "pos")
    rows = [{"x": "a", "y": 2.0}, {"x": "a", "y": 6.0}, {"x": "b", "y": 5.0}]
    placed = find_position(call).place(rows, Place({"x": "text", "y": "number"}), {})
    assert [(row["y2"], row["y"]) for row in placed] == [(0.0, 0.25), (0.25, 1.0), (0.0, 1.0)]


def test_dodge_cuts_bins_into_parts() -> None:
    call = Call("dodge", {}, "pos")
    rows = [{"x": 0.0, "x2": 4.0, "color": "a", "y": 1}, {"x": 0.0, "x2": 4.0, "color": "b", "y": 1}]
    placed = find_position(call).place(rows, Place({"x": "number", "x2": "number", "color": "text", "y": "number"}), {})
    assert [(row["x"], row["x2"]) for row in placed] == [(0.0, 2.0), (2.0, 4.0)]


MARKS = pa.table(
    {
        "x": pa.array([0.0, 2.0, 4.0]),
        "x2": pa.array([2.0, 4.0, 6.0]),
        "y": pa.array([1, 5, 3]),
        "color": pa.array(["a", "b", "a"]),
    }
)


@pytest.mark.parametrize(
    ("said", "marks"),
    [
        ({"x": (0.5, 1)}, [0]),
        ({"x": (2, 4)}, [1]),
        ({"x": (3, 1.9)}, [0, 1]),
        ({"y": (3, 9)}, [1, 2]),
        ({"color": ["a"]}, [0, 2]),
        ({"x": (3, 9), "color": "a"}, [2]),
        ({"x": (7, 9)}, []),
    ],
)
def test_a_brush_selects_the_marks_it_covers(said: dict[str, object], marks: list[int]) -> None:
    assert brushed_marks(MARKS, "chart", None, said).tolist() == marks


def test_a_brush_selects_times_and_refuses_what_is_not_there() -> None:
    days = pa.table({"x": pa.array([date(2020, 1, 1), date(2020, 2, 1)]), "y": pa.array([1, 2])})
    assert brushed_marks(days, "chart", None, {"x": (date(2020, 1, 15), "2020-03-01")}).tolist() == [1]
    with pytest.raises(UserError, match=r"chart has no mark 7. Its marks are 0 to 2."):
        brushed_marks(MARKS, "chart", [0, 7], {})
    with pytest.raises(UserError, match=r"The marks of chart have no shape to brush. They have: x, y, color."):
        brushed_marks(MARKS, "chart", None, {"shape": ["o"]})
    assert np.array_equal(brushed_marks(MARKS, "chart", [2, 0], {}), [0, 2])
