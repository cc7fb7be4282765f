"""No words of a chart lie on each other or are cut off, in narrow and in wide charts, with few names and with many.

Themes change colours only, so that one of them is measured.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pyarrow as pa
import pytest
from playwright.sync_api import Page, sync_playwright

from tests.charts import golden
from tests.charts.gallery import GALLERY
from tests.charts.test_compile import Known
from tests.charts.text_boxes import faults_of, open_drawing
from tools.browser import find
from whence.charts.compile import compile_spec
from whence.charts.parse import parse
from whence.charts.picture import Doubts, compose
from whence.charts.vega import to_vega

WIDTHS = (400, 1200)
Marks = dict[str, list[object]]
Spec = dict[str, object]


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox", "--disable-gpu"])
        opened = browser.new_page(viewport={"width": 1500, "height": 1000})
        open_drawing(opened)
        yield opened
        browser.close()


def names(count: int) -> list[object]:
    return [f"category with quite a long name {number}" for number in range(count)]


def crowded(count: int) -> dict[str, tuple[Spec, Marks]]:
    """Charts of long names and large numbers, which crowd axes, legends and heads of panels."""
    many: list[object] = [1e6 * (number + 1) for number in range(count)]
    days: list[object] = [datetime(2020, 1, 1 + number % 28, number % 24) for number in range(count)]
    none: list[object] = [None] * count
    sums: Spec = {"aes": {"x": "g", "y": "amount"}, "stat": "sum", "geom": "bar"}
    layers: list[object] = [layer for layer in range(3) for _ in range(count)]
    cross: Marks = {
        "layer": layers,
        "x": [*names(count), *names(count), *none],
        "y": [*names(count), *none, *names(count)],
        "color": [*many, *many, *many],
    }
    return {
        "bars": (sums, {"x": names(count), "y": many}),
        "bars to the right": ({**sums, "aes": {"y": "g", "x": "amount"}}, {"y": names(count), "x": many}),
        "series": (
            {**sums, "aes": {"x": "g", "y": "amount", "color": "h"}},
            {"x": names(count), "y": many, "color": names(count)},
        ),
        "waterfall": (
            {"aes": {"x": "g", "y": "amount"}, "geom": "waterfall"},
            {"layer": [*[0] * count, 1], "x": [*names(count), "total"], "y": [*many, 1e8]},
        ),
        "pie": ({"aes": {"color": "g"}, "geom": "pie"}, {"color": names(count), "y": many}),
        "rose": ({"aes": {"x": "g"}, "geom": "rose"}, {"x": names(count), "y": many}),
        "radar": ({"aes": {"x": "g"}, "geom": "radial_line"}, {"x": names(count), "y": many}),
        "rings": ({"aes": {"x": "g"}, "geom": "radial_bar"}, {"x": names(count), "y": many}),
        "totals": ({"aes": {"x": "g", "y": "h"}, "geom": {"type": "cell", "totals": True}}, cross),
        "panels": ({**sums, "facet": {"wrap": "h"}}, {"facet": names(count), "x": ["u" * 8] * count, "y": many}),
        "times": ({"aes": {"x": "day", "y": "amount"}, "geom": "point"}, {"x": days, "y": many}),
    }


def drawn(spec: Spec, marks: Marks, width: int) -> dict[str, object]:
    read = parse(spec if "facet" in spec else {**spec, "width": width})
    made = compile_spec(read, Known(100))
    return to_vega(read, made, compose(made, pa.table(marks), Doubts(frozenset({1})), read.max_marks))


@pytest.mark.parametrize(("width", "counts"), [(400, (3, 12, 40)), (1200, (40,))])
def test_crowded_words_neither_overlap_nor_are_cut(page: Page, width: int, counts: tuple[int, ...]) -> None:
    found = {}
    for count in counts:
        for name, (spec, marks) in crowded(count).items():
            found[f"{name} of {count}"] = faults_of(page, drawn(spec, marks, width))[:5]
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_the_measure_finds_words_on_each_other_and_words_cut_off(page: Page) -> None:
    spec, marks = crowded(12)["bars"]
    vega: Any = copy.deepcopy(drawn(spec, marks, 400))
    for layer in vega["layer"]:
        layer["encoding"]["x"]["axis"] = {"labelAngle": 0, "labelOverlap": False, "labelLimit": 0}
    assert any(fault.startswith("on each other: category") for fault in faults_of(page, vega))
    narrow = {**vega, "autosize": "none"}
    assert any(fault.startswith("cut off:") for fault in faults_of(page, narrow))


@pytest.mark.long
@pytest.mark.parametrize("width", WIDTHS)
def test_words_of_the_gallery_neither_overlap_nor_are_cut(page: Page, width: int) -> None:
    found = {}
    for name, spec in GALLERY.items():
        answer: Any = golden.answer(spec if "facet" in spec else {**spec, "width": width}, 100)
        found[name] = faults_of(page, answer[2])[:5]
    assert {name: faults for name, faults in found.items() if faults} == {}
