"""Measures the words of a picture in a real browser: which overlap, and which are cut off at its edge."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import combinations

import vl_convert
from playwright.sync_api import Page

_DRAW = """
window.drawChart = async (spec) => {
  document.body.innerHTML = '<div id="chart" style="display: inline-block"></div>';
  await vegaEmbed("#chart", spec, {renderer: "svg", actions: false});
  const svg = document.querySelector("#chart svg"), frame = svg.getBoundingClientRect();
  const words = [...svg.querySelectorAll("text")].filter(each => each.textContent.trim() && isSeen(each));
  return words.map(each => ({text: each.textContent, corners: corners(each), cut: isOutside(each, frame)}));
};
const isSeen = (element) => {
  for (let each = element; each && each.tagName !== "svg"; each = each.parentElement)
    if (each.getAttribute("opacity") === "0" || each.getAttribute("display") === "none") return false;
  return element.style.opacity !== "0";
};
const isOutside = (element, frame) => {
  const box = element.getBoundingClientRect();
  return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1
    || box.bottom > frame.bottom + 1;
};
// Slanted words are slanted rectangles, whose bounding boxes overlap although they do not.
const corners = (element) => {
  const {x, y, width, height} = element.getBBox(), matrix = element.getScreenCTM();
  const inset = height * 0.2; // letters do not fill the line
  return [[x, y + inset], [x + width, y + inset], [x + width, y + height - inset], [x, y + height - inset]]
    .map(([px, py]) => { const at = new DOMPoint(px, py).matrixTransform(matrix); return [at.x, at.y]; });
};
"""
Point = tuple[float, float]


def open_drawing(page: Page) -> None:
    """Load what draws charts into a page."""
    page.set_content("<html><body></body></html>")
    page.add_script_tag(content=vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version="6.1"))
    page.add_script_tag(content=_DRAW)


def faults_of(page: Page, vega: Mapping[str, object]) -> list[str]:
    """Return what a reader would stumble over: words on each other, and words cut off."""
    found = page.evaluate("spec => window.drawChart(spec)", json.loads(json.dumps(vega)))
    pairs = combinations(found, 2)
    lying = [(one, other) for one, other in pairs if overlap(one["corners"], other["corners"])]
    cut = [f"cut off: {word['text']}" for word in found if word["cut"]]
    return [*cut, *(f"on each other: {one['text']} | {other['text']}" for one, other in lying)]


def overlap(one: list[Point], other: list[Point]) -> bool:
    """Return whether two rectangles, slanted or not, overlap by more than a pixel: no line parts them."""
    for shape in (one, other):
        for first, second in zip(shape, [*shape[1:], shape[0]], strict=True):
            across = (second[1] - first[1], first[0] - second[0])
            length = (across[0] ** 2 + across[1] ** 2) ** 0.5
            if length == 0:
                continue
            (low, high), (start, end) = (_span(each, across, length) for each in (one, other))
            if high <= start + 1 or end <= low + 1:
                return False
    return True


def _span(shape: list[Point], across: Point, length: float) -> tuple[float, float]:
    places = [(x * across[0] + y * across[1]) / length for x, y in shape]
    return min(places), max(places)
