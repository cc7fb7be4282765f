"""Plays the tour as its guide says, click by click: for the tests, and for the film in the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from playwright.sync_api import Locator, Page, expect

SLOW = 240_000
"""Milliseconds that a step may take whose query has to start Spark."""


def play_tour(page: Page, address: str) -> Iterator[str]:
    """Do what each step asks for, and yield what can be seen, once before and once after the page has answered."""
    page.goto(f"{address}/?notebook=tour")
    yield from _trace(page)
    yield from _fix(page)
    yield from _explain(page, address)
    yield from _compare(page, address)
    yield from _accept(page)


def guide(page: Page) -> Locator:
    """The guide, which stands in the rail."""
    return page.get_by_role("region", name="Guide of the tour")


def _trace(page: Page) -> Iterator[str]:
    _begin(page, "Trace a wrong number")
    red = _grid(page, "by_supplier").get_by_role("button", name=re.compile("^average price, Rheinwerk"))
    red.evaluate("cell => cell.scrollIntoView({ block: 'center' })")
    yield "An average is red"
    red.click()
    expect(_inspector(page).get_by_text("21 Euro").first).to_be_visible(timeout=SLOW)
    _outcome(page, "the rows behind the average")
    yield "Its rows, and the line of the file"


def _fix(page: Page) -> Iterator[str]:
    _begin(page, "Put it right")
    _inspector(page).get_by_role("button", name="Fix").first.click()
    page.get_by_role("gridcell", selected=True).wait_for()
    page.keyboard.type("21")
    page.keyboard.press("Enter")
    yield "The value is typed over"
    page.get_by_role("button", name="Apply", exact=True).click()
    _outcome(page, "not red any more")
    yield "The average is computed again"


def _explain(page: Page, address: str) -> Iterator[str]:
    _begin(page, "Ask why a bar is odd")
    page.goto(f"{address}/?notebook=tour")
    page.get_by_role("region", name="Cell c11, chart").get_by_role("link", name="Why does it look odd?").click()
    chart = page.get_by_role("group", name=re.compile("^Chart temperature_by_hour"))
    bars = chart.locator('svg [aria-roledescription="bar"]:not([aria-hidden])')
    expect(bars.nth(15)).to_be_visible(timeout=SLOW)
    yield "Three bars are too high"
    for hour in (13, 14, 15):
        bars.nth(hour).click()
    page.get_by_role("button", name="Search", exact=True).click()
    _outcome(page, "The answer names the rows")
    yield "The answer: one sensor, while its battery was low"


def _compare(page: Page, address: str) -> Iterator[str]:
    _begin(page, "Compare two versions")
    page.goto(f"{address}/?notebook=tour")
    page.get_by_role("region", name="History").get_by_role("button", name="Compare").first.click()
    page.mouse.move(0, 0)  # the preview of the version goes
    _outcome(page, "which cells are new")
    expect(page.get_by_text("by_supplier").last).to_be_visible(timeout=SLOW)
    yield "Two versions side by side"


def _accept(page: Page) -> Iterator[str]:
    _begin(page, "Accept a doubt")
    guide(page).get_by_role("button", name="Show me where").click()
    form = page.get_by_role("form", name="Acknowledge").first
    note = form.get_by_role("textbox")
    note.fill("Not counted in that year")
    yield "A doubt that is fine as it is"
    form.get_by_role("button", name="Acknowledge").click()
    _outcome(page, "It stays listed with your note")
    yield "It stays listed, and marks nothing"


def _begin(page: Page, title: str) -> None:
    expect(guide(page).get_by_role("heading", name=title)).to_be_visible(timeout=SLOW)


def _outcome(page: Page, words: str) -> None:
    expect(guide(page).get_by_role("status")).to_contain_text(words, timeout=SLOW)


def _grid(page: Page, dataset: str) -> Locator:
    return page.get_by_role("grid", name=f"First rows of {dataset}")


def _inspector(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Inspector")
