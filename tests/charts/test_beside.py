"""Shapes of several series at one number stand side by side, also with the points beyond them."""

from __future__ import annotations

import pyarrow as pa
import pytest

from tests.charts.test_compile import compiled
from whence.charts.picture import Block, Doubts, compose

BOXES: dict[str, object] = {"aes": {"x": "n", "y": "amount", "color": "g"}, "geom": "box"}
VIOLINS: dict[str, object] = {**BOXES, "geom": "violin"}
FIVE = ("y", "lower", "q1", "q3", "upper")


def blocks(spec: dict[str, object], marks: dict[str, list[object]]) -> tuple[Block, ...]:
    return compose(compiled(spec), pa.table(marks), Doubts(), 100).blocks


def boxes(xs: list[object], colors: list[object], layers: list[object]) -> dict[str, list[object]]:
    return {"layer": layers, "x": xs, "color": colors, **{name: [1.0] * len(xs) for name in FIVE}}


def test_boxes_along_numbers_stand_beside_each_other_and_so_do_their_outliers() -> None:
    marks = boxes([1, 1, 3, 3, 5, 3], ["a", "b", "a", "b", "a", "b"], [0, 0, 0, 0, 0, 1])
    box, points = blocks(BOXES, marks)
    assert [row["x"] for row in box.rows] == pytest.approx([0.6, 1.4, 2.6, 3.4, 4.6])
    assert [row["x"] for row in points.rows] == pytest.approx([3.4])
    assert [row["_x"] for row in box.rows] == [1, 1, 3, 3, 5]


def test_boxes_of_one_series_stay_where_they_are() -> None:
    (box,) = blocks({"aes": {"x": "n", "y": "amount"}, "geom": "box"}, boxes([1, 2], ["a", "a"], [0, 0]))
    assert [row["x"] for row in box.rows] == [1, 2]


def test_boxes_at_listed_numbers_are_moved_within_their_band() -> None:
    spec = {**BOXES, "scale": {"x": "band"}}
    (box,) = blocks(spec, boxes([1, 1], ["a", "b"], [0, 0]))
    assert [(row["x"], row["_dodge"]) for row in box.rows] == [(1, "a"), (1, "b")]


def test_violins_of_several_series_share_their_slot() -> None:
    marks: dict[str, list[object]] = {
        "x": [4, 4, 9], "color": ["a", "b", "a"], "y": [0.0, 0.0, 0.0], "density": [2.0, 1.0, 2.0],
    }  # fmt: skip
    (violins,) = blocks(VIOLINS, marks)
    edges = [(row["_left"], row["_right"]) for row in violins.rows]
    assert edges == [pytest.approx(each) for each in ((-0.45, 0.0), (0.1125, 0.3375), (0.55, 1.0))]


def test_one_violin_has_its_slot_alone() -> None:
    marks: dict[str, list[object]] = {"x": [4, 9], "color": ["a", "b"], "y": [0.0, 0.0], "density": [2.0, 1.0]}
    (violins,) = blocks(VIOLINS, marks)
    assert [row["_right"] for row in violins.rows] == pytest.approx([0.45, 1.225])
