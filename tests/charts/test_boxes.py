"""Boxes over names are as wide as their place allows, and never lie on each other."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.charts.test_doubt_layers import Marks, Spec, drawn, layers
from whence.charts.save import as_svg

BOXES: Spec = {"aes": {"x": "g", "y": "amount"}, "geom": {"type": "box", "outliers": False}, "width": 400}


def boxes(places: list[object]) -> Marks:
    count = len(places)
    quartiles = {"lower": 1.5, "q1": 3.5, "y": 4.5, "q3": 8.5, "upper": 12.5}
    return {"layer": [0] * count, "x": places, **{name: [value] * count for name, value in quartiles.items()}}


def spans(svg: str) -> list[tuple[float, float]]:
    """From where to where each box reaches, from left to right."""
    shapes = re.findall(r'<path[^>]*aria-roledescription="bar"[^>]*d="M([\d.]+),[\d.]+h([\d.]+)', svg)
    return sorted((float(left), float(left) + float(wide)) for left, wide in shapes)


@pytest.mark.parametrize(("count", "least", "most"), [(3, 40, 80), (40, 3, 8)])
def test_boxes_over_names_fill_their_places_and_do_not_overlap(count: int, least: float, most: float) -> None:
    found = spans(as_svg(drawn(BOXES, boxes([f"g{place:02}" for place in range(count)]), range(0))).decode())
    assert len(found) == count
    assert all(least <= end - start <= most for start, end in found)
    assert all(end < start for (_, end), (start, _) in pairwise(found))


def test_boxes_lie_along_x_where_names_stand_along_y() -> None:
    marks = boxes(["a", "b", "c"])
    turned = {**marks, "x": marks["y"], "y": marks["x"]}
    vega = drawn({**BOXES, "aes": {"y": "g", "x": "amount"}}, turned, range(0))
    sizes = [{key: each["mark"][key] for key in ("width", "height", "size") if key in each["mark"]}
             for each in layers(vega) if "mark" in each]  # fmt: skip
    assert sizes == [{}, {"height": {"band": 0.5}}, {"height": {"band": 0.5}}, {"height": {"band": 0.5}}]


def test_boxes_over_numbers_and_those_of_a_chosen_size_have_that_many_pixels() -> None:
    over_numbers = {**BOXES, "aes": {"x": "x", "y": "amount"}}
    numbers = drawn(over_numbers, boxes([1.5, 4.0, 9.0]), range(0))
    assert {end - start for start, end in spans(as_svg(numbers).decode())} == {18.0}
    chosen = {**BOXES, "geom": {"type": "box", "outliers": False, "size": 30}}
    assert {end - start for start, end in spans(as_svg(drawn(chosen, boxes(["a", "b"]), range(0))).decode())} == {30.0}
