"""Legends in a real browser: an entry shows its group alone, colours stay, and keys do the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import whence
from tests.web.conftest import ROOT, faults, watched_page
from tests.web.servers import Served

ROWS = [(day, group, amount) for day in ("mon", "tue", "wed") for group, amount in (("a", 3.0), ("b", 5.0), ("c", 2.0))]
STACKED = '{"aes": {"x": "day", "y": "amount", "color": "kind"}, "stat": "sum", "geom": "bar"}'
COLOURED = '{"aes": {"x": "day", "y": "amount", "color": "amount"}, "stat": "identity", "geom": "point"}'


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three groups on three days."""
    if not (ROOT / "src/whence/server/static/index.html").is_file():
        pytest.fail("The page is not built: run ./dev web.")
    place = tmp_path_factory.mktemp("legends") / "legends.whence"
    with whence.open(place) as ws:
        ws.create("sold", ROWS, schema="day string, kind string, amount double")
    return place


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """The page, signed in, which complains about nothing."""
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        yield watched.page
        assert watched.complaints == []


def entry(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name="Show only some groups").get_by_role("button", name=name, exact=True)


def bars(page: Page) -> Locator:
    return page.locator('svg [aria-roledescription="bar"]')


def groups(page: Page) -> dict[str, set[str]]:
    """The colours of the bars of each group."""
    found: dict[str, set[str]] = {}
    for bar in bars(page).all():
        named = re.search(r"kind: (\w)", bar.get_attribute("aria-label") or "")
        assert named is not None
        found.setdefault(named[1], set()).add(bar.get_attribute("fill") or "")
    return found


def bottoms(page: Page) -> set[int]:
    """Where bars end at the bottom, in pixels from the top of the picture: the page may scroll."""
    picture = page.locator("svg.marks").bounding_box()
    assert picture is not None
    boxes = [bar.bounding_box() for bar in bars(page).all()]
    return {round(box["y"] + box["height"] - picture["y"]) for box in boxes if box is not None}


def test_entries_of_a_legend_show_groups_in_their_colours(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?{urlencode({'view': 'chart', 'dataset': 'sold', 'spec': STACKED})}")
    expect(bars(page)).to_have_count(9, timeout=150_000)  # Spark starts first
    all_groups, base = groups(page), max(bottoms(page))
    assert {name: len(colours) for name, colours in all_groups.items()} == {"a": 1, "b": 1, "c": 1}

    entry(page, "b").click()
    expect(bars(page)).to_have_count(3)
    assert groups(page) == {"b": all_groups["b"]}
    assert bottoms(page) == {base}  # what stood on another group now stands on the axis
    expect(entry(page, "b")).to_have_attribute("aria-pressed", "true")
    entry(page, "c").click(modifiers=["Shift"])
    expect(bars(page)).to_have_count(6)
    assert groups(page) == {name: all_groups[name] for name in "bc"}
    assert faults(page) == []
    entry(page, "b").click(modifiers=["Shift"])
    expect(bars(page)).to_have_count(3)
    entry(page, "c").click()
    expect(bars(page)).to_have_count(9)
    assert groups(page) == all_groups

    # The same by keys; those of the picture below stay what they are.
    entry(page, "a").focus()
    page.keyboard.press("Enter")
    expect(bars(page)).to_have_count(3)
    page.keyboard.press("Tab")
    expect(entry(page, "b")).to_be_focused()
    page.keyboard.press("Shift+Space")
    expect(bars(page)).to_have_count(6)
    page.keyboard.press("Escape")
    expect(bars(page)).to_have_count(9)
    expect(page.get_by_text("selected", exact=False)).to_have_count(0)


def test_a_legend_of_numbers_has_no_groups_to_choose(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?{urlencode({'view': 'chart', 'dataset': 'sold', 'spec': COLOURED})}")
    expect(page.locator("svg.marks")).to_be_visible(timeout=150_000)
    expect(page.locator("svg .role-legend")).not_to_have_count(0)
    expect(page.get_by_role("group", name="Show only some groups")).to_have_count(0)
