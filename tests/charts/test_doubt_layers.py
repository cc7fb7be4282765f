"""Doubt can be seen on narrow bars, on words and on lines, and axes of whole numbers have no ticks between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from tests.charts.test_compile import Known
from whence.charts.compile import compile_spec
from whence.charts.parse import parse
from whence.charts.picture import Doubts, compose
from whence.charts.save import as_svg
from whence.charts.theme import DOUBT, DOUBT_FILL, DOUBT_LINE
from whence.charts.vega import to_vega

Marks = dict[str, list[object]]
Spec = dict[str, object]
BARS: Spec = {"aes": {"x": "g", "y": "amount"}, "stat": "sum", "geom": "bar", "width": 400}
LINE: Spec = {"aes": {"x": "x", "y": "y"}, "stat": "mean", "geom": "line", "max_marks": 1000}


def drawn(spec: Spec, marks: Marks, doubts: range = range(1)) -> dict[str, Any]:
    read = parse(spec)
    made = compile_spec(read, Known(100))
    picture = compose(made, pa.table(marks), Doubts(frozenset(doubts)), read.max_marks)
    return to_vega(read, made, picture)


def layers(vega: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield vega
    for each in vega.get("layer", ()):
        yield from layers(each)


def over_doubts(vega: dict[str, Any]) -> dict[str, Any]:
    """The mark that is drawn over the marks in doubt."""
    (found,) = (each["mark"] for each in layers(vega) if each.get("data") == {"name": "doubtful"})
    assert isinstance(found, dict)
    return found


def bars(count: int) -> Marks:
    return {"x": [f"g{place:02}" for place in range(count)], "y": [place + 0.5 for place in range(count)]}


@pytest.mark.parametrize(("count", "slope"), [(3, (1, 1)), (16, (1, 1)), (17, (0, 1)), (40, (0, 1))])
def test_stripes_follow_each_other_along_narrow_bars_and_are_slanted_on_wide_ones(
    count: int, slope: tuple[int, int]
) -> None:
    fill = over_doubts(drawn(BARS, bars(count)))["fill"]
    assert (fill["x1"], fill["y1"], fill["x2"], fill["y2"]) == (0, 0, *slope)


def test_stripes_on_narrow_bars_to_the_right_follow_each_other_to_the_right() -> None:
    spec = {**BARS, "aes": {"y": "g", "x": "amount"}, "height": 200}
    marks = bars(40)
    fill = over_doubts(drawn(spec, {"x": marks["y"], "y": marks["x"]}))["fill"]
    assert (fill["x2"], fill["y2"]) == (1, 0)


def test_a_word_in_doubt_is_written_in_the_colour_of_doubt_and_not_ringed() -> None:
    spec: Spec = {"aes": {"x": "g", "y": "amount"}, "stat": "mean", "geom": {"type": "text", "color": "green"}}
    mark = over_doubts(drawn(spec, bars(3)))
    assert mark == {"type": "text", "fontSize": 11, "style": DOUBT_FILL, "fontWeight": "bold"}
    words = re.findall(r"<text[^>]*>0\.5</text>", as_svg(drawn(spec, bars(3))).decode())
    assert any(f'fill="{DOUBT}"' in word for word in words), words


@pytest.mark.parametrize(("doubts", "is_filled"), [(1, False), (30, False), (31, True), (300, True)])
def test_marks_of_a_line_get_rings_unless_many_are_in_doubt(doubts: int, is_filled: bool) -> None:
    marks: Marks = {"x": [float(place) for place in range(300)], "y": [place % 7 + 0.5 for place in range(300)]}
    mark = over_doubts(drawn(LINE, marks, range(doubts)))
    assert (mark["type"], mark["filled"]) == ("point", is_filled)
    assert mark["style"] == (DOUBT_FILL if is_filled else DOUBT_LINE)


def test_edges_rings_and_dots_in_doubt_have_the_colour_of_doubt() -> None:
    line: Marks = {"x": [0.0, 1.5, 2.0], "y": [2.5, 1.0, 3.0]}
    many: Marks = {"x": [place + 0.5 for place in range(40)], "y": [place % 7 + 0.5 for place in range(40)]}
    for spec, marks, doubts, look in (
        (BARS, bars(3), 1, f'stroke="{DOUBT}"'),
        (LINE, line, 1, f'stroke="{DOUBT}"'),
        (LINE, many, 40, f'fill="{DOUBT}"'),
    ):
        assert as_svg(drawn(spec, marks, range(doubts))).decode().count(look) == doubts


def labels(svg: str, role: str) -> list[str]:
    """The words of an axis."""
    axis = svg.partition(f'aria-label="{role}-axis')[2].partition("role-axis-title")[0]
    return re.findall(r"<text[^>]*>([^<]*)</text>", axis)


def test_an_axis_of_whole_numbers_has_no_ticks_between_them() -> None:
    counted: Spec = {"aes": {"x": "g"}, "stat": "count", "geom": "bar", "height": 300}
    assert labels(as_svg(drawn(counted, {"x": ["a", "b"], "y": [1, 2]})).decode(), "Y") == ["0", "1", "2"]
    measured: Spec = {**counted, "aes": {"x": "g", "y": "amount"}, "stat": "mean"}
    assert "0.5" in labels(as_svg(drawn(measured, {"x": ["a", "b"], "y": [1.5, 2]})).decode(), "Y")


def test_an_axis_of_shares_has_ticks_between_nothing_and_all() -> None:
    spec: Spec = {"aes": {"x": "g", "color": "h"}, "stat": "count", "geom": "bar", "pos": "fill"}
    marks: Marks = {"x": ["a", "b"], "y": [3, 4], "color": ["u", "u"]}
    assert labels(as_svg(drawn(spec, marks)).decode(), "Y") == ["0%", "20%", "40%", "60%", "80%", "100%"]


def test_legends_of_sizes_and_shapes_are_not_black() -> None:
    spec: Spec = {"aes": {"x": "x", "y": "y", "size": "amount", "shape": "h"}, "geom": "point"}
    marks: Marks = {"x": [1.5, 2.0], "y": [1.0, 2.5], "size": [3.0, 40.0], "shape": ["u", "v"]}
    legend = as_svg(drawn(spec, marks)).decode().partition("role-legend")[2]
    assert "#4b5160" in legend
    assert 'fill="black"' not in legend
    assert 'fill="#000' not in legend
