"""Every geom over every kind of column in a real browser: marks have an extent, and axes have ticks."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

import whence
from tests.web.conftest import ROOT, watched_page
from tests.web.servers import Served
from whence.charts.geoms.registry import GEOMS

SCHEMA = "g string, n int, size double, day date, at timestamp, amount double"
SCALES = {
    "size": ("auto", "linear", "log", "symlog", "sqrt", "pow"),
    "n": ("auto", "band", "point"),
    "day": ("auto", "utc", "time", "band", "point"),
    "at": ("auto", "utc", "time"),
    "g": ("auto", "band", "point"),
}
BY_MONTH = {"type": "bin", "unit": "month", "fun": "mean"}
WIDTHS = (400, 1200)
EVEN = ("auto", "linear", "utc", "time")
"""The scales on which equal differences take equal lengths."""

Spec = dict[str, object]
VISITS = [
    ("FR", 2.3, 48.9, 5.0),
    ("Germany", 13.4, 52.5, 8.0),
    ("ITA", 12.5, 41.9, 2.0),
    ("724", -3.7, 40.4, 4.0),
    ("Atlantis", -30.0, 35.0, 1.0),
]
WITHOUT_AXES: dict[str, tuple[str, Spec, int]] = {
    "countries": ("visits", {"aes": {"x": "country", "color": "amount"}, "geom": "map_country"}, 4),
    "points": ("visits", {"aes": {"x": "longitude", "y": "latitude", "size": "amount"}, "geom": "map_point"}, 5),
    "contours": ("t", {"aes": {"x": "size", "y": "amount"}, "stat": {"type": "contour", "levels": 4}}, 4),
    "radar": ("t", {"aes": {"x": "g", "y": "amount"}, "stat": "mean", "geom": "radial_line"}, 3),
    "radial area": ("t", {"aes": {"x": "n"}, "stat": "count", "geom": "radial_area"}, 8),
}
"""By name, the dataset and the specification of charts of outlines or without axes, and how many marks are seen."""


def _rows() -> list[tuple[str, int, float, date, datetime, float]]:
    chance = random.Random(7)
    start, noon = date(2012, 2, 1), datetime(2012, 5, 1, 12)
    return [
        (
            chance.choice("abc"),
            chance.randrange(1, 9),
            10 ** chance.uniform(0, 3),
            start + timedelta(days=chance.randrange(280)),
            noon + timedelta(minutes=chance.randrange(3000)),
            abs(chance.gauss(50, 20)) + 1,
        )
        for _ in range(240)
    ]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "src/whence/server/static/index.html").is_file():
        pytest.fail("The page is not built: run ./dev web.")
    place = tmp_path_factory.mktemp("kinds") / "kinds.whence"
    with whence.open(place) as ws:
        ws.create("t", _rows(), schema=SCHEMA)
        ws.create("visits", VISITS, schema="country string, longitude double, latitude double, amount double")
    return place


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """The page, signed in; the test fails if it complained about anything."""
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        yield watched.page
        assert watched.complaints == []


def has_axes(geom: str) -> bool:
    """Whether a geom is drawn along x and y, not around a centre."""
    return any({"x", "y"} & set(each.channels) for each in GEOMS[geom].draw({}, {}))


def layered(spec: Spec, geom: str) -> Spec:
    """The geom below another layer over the same columns."""
    other = {"geom": "line", "stat": "mean"} if geom == "point" else {"geom": "point", "stat": "identity"}
    return {**spec, "layer": [{"geom": geom}, other]}


def check_picture(page: Page, served: Served, spec: Spec, name: str) -> None:
    """Draw it, and find marks that spread over the picture, and ticks on the axis below."""
    place = urlencode({"view": "chart", "dataset": "t", "spec": json.dumps(spec)})
    page.goto(f"{served.address}/?{place}")
    picture = page.get_by_role("group", name=re.compile("^Chart of t")).locator("svg.marks")
    expect(picture, name).to_be_visible(timeout=150_000)
    found = picture.evaluate(
        """svg => {
          const boxes = [...svg.querySelectorAll(".role-mark path, .role-mark line, .role-mark text")]
            .map(each => each.getBoundingClientRect()).filter(box => box.width > 0 || box.height > 0);
          const span = (low, high) => boxes.length
            ? Math.max(...boxes.map(box => box[high])) - Math.min(...boxes.map(box => box[low])) : 0;
          const labels = [...svg.querySelectorAll(".role-axis-label text")].map(each => each.textContent);
          return {width: span("left", "right"), height: span("top", "bottom"), all: svg.getBoundingClientRect().width,
                  labels: labels.filter(Boolean).length, broken: svg.outerHTML.includes("NaN")};
        }"""
    )
    assert found["width"] > found["all"] / 4, (name, found)
    assert found["height"] > 20, (name, found)
    assert found["labels"] >= 5, (name, found)
    assert not found["broken"], name


def test_lines_areas_and_bars_over_time_spread_over_their_axis(page: Page, served: Served) -> None:
    for geom in ("line", "area", "bar"):
        spec: Spec = {"aes": {"x": "day", "y": "amount"}, "stat": BY_MONTH}
        check_picture(page, served, {**spec, "geom": geom}, f"{geom} by month")
    check_picture(page, served, layered({"aes": {"x": "day", "y": "amount"}}, "line"), "line and points by day")
    check_picture(page, served, {"aes": {"x": "at", "y": "amount"}, "geom": "bar"}, "bars at moments")


@pytest.mark.parametrize("name", WITHOUT_AXES)
def test_marks_that_stand_on_no_axis_are_seen_in_narrow_and_wide_pictures(
    page: Page, served: Served, name: str
) -> None:
    dataset, spec, count = WITHOUT_AXES[name]
    for width in WIDTHS:
        place = urlencode({"view": "chart", "dataset": dataset, "spec": json.dumps({**spec, "width": width})})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.goto(f"{served.address}/?{place}")
            picture = page.get_by_role("group", name=re.compile(f"^Chart of {dataset}")).locator("svg.marks")
            expect(picture, name).to_be_visible(timeout=150_000)
            boxes = picture.evaluate(MARK_BOXES)
            assert len(boxes) == count, (name, width, theme, boxes)
            assert all(box["width"] > 1 and box["height"] > 1 for box in boxes), (name, width, theme, boxes)
            assert not any(box["broken"] for box in boxes), name
            if "WHENCE_PICTURES" in os.environ:  # to look at them
                picture.screenshot(path=f"{os.environ['WHENCE_PICTURES']}/{name}_{width}_{theme}.png")


MARK_BOXES = """svg => {
  const found = new Map();
  for (const each of svg.querySelectorAll(".role-mark path")) {
    const mark = each.__data__?.datum?._mark, box = each.getBoundingClientRect();
    if (mark === undefined) continue;
    const known = found.get(mark) ?? {width: 0, height: 0, broken: false};
    found.set(mark, {width: Math.max(known.width, box.width), height: Math.max(known.height, box.height),
                     broken: known.broken || each.outerHTML.includes("NaN")});
  }
  return [...found.values()];
}"""
"""The largest extent of what belongs to each mark."""


@pytest.mark.long
@pytest.mark.parametrize("geom", sorted(name for name in GEOMS if has_axes(name)))
def test_every_geom_is_drawn_on_every_scale(page: Page, served: Served, geom: str) -> None:
    for column, scales in SCALES.items():
        if (geom == "histogram" and column == "g") or (geom == "violin" and column not in ("n", "g")):
            continue  # names have no bins, and one row has no density
        for scale in scales:
            if GEOMS[geom].traits.fits_pixels and not (column != "g" and scale in EVEN):
                continue  # hexagons have one shape everywhere
            if geom == "contour" and scale == "log":
                continue  # bells around values reach below zero: refused, see test_contours.py
            spec: Spec = {"aes": {"x": column, "y": "amount"}, "scale": {"x": scale}}
            for width in WIDTHS:
                sized = {**spec, "width": width, "height": 260}
                check_picture(page, served, {**sized, "geom": geom}, f"{geom} {column} {scale} {width}")
                check_picture(page, served, layered(sized, geom), f"{geom} {column} {scale} {width}, two layers")
