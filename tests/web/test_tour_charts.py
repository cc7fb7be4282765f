"""The charts of the tour in a real browser: each opens in every view that a new user finds."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.conftest import watched_page
from tests.web.servers import Served

SLOW = 150_000
"""Spark starts first."""


@pytest.fixture(scope="module")
def workspace(fresh_tour: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tour as a new user has it."""
    copy = tmp_path_factory.mktemp("charts") / "tour.whence"
    shutil.copytree(fresh_tour, copy)
    return copy


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """The page, signed in; the test fails if it complained about anything."""
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        yield watched.page
        assert watched.complaints == []


def picture(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=re.compile(f"^Chart (of )?{name}")).locator("svg.marks")


def test_a_chart_with_a_series_opens_from_its_cell_and_beside_others(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?notebook=tour")
    cell = page.get_by_role("region", name="Cell c8, chart")
    cell.get_by_role("link", name="Change the chart").click()
    expect(picture(page, "deaths_by_year")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Put beside others").click()
    expect(page.get_by_role("heading", name="Linked charts")).to_be_visible()
    expect(picture(page, "deaths_by_year_chart")).to_be_visible(timeout=SLOW)
    page.goto(f"{served.address}/?notebook=tour")
    cell.get_by_role("link", name="Why does it look odd?").click(timeout=SLOW)
    expect(page.get_by_role("heading", name="Why does it look odd?")).to_be_visible(timeout=SLOW)
    expect(picture(page, "deaths_chart")).to_be_visible()
    expect(page.get_by_text("deaths_by_year has no column left that may explain the marks.")).to_be_visible()
    expect(page.get_by_role("button", name="Search", exact=True)).to_have_count(0)
    page.get_by_role("link", name="Draw causes_of_death as a chart").click()
    expect(page.get_by_role("region", name="Suggestions").get_by_role("button")).to_have_count(3, timeout=SLOW)
    page.get_by_role("link", name="Charts", exact=True).click()
    expect(picture(page, "prices_by_supplier")).to_be_visible(timeout=SLOW)
    expect(picture(page, "deaths_chart")).to_be_visible()


def test_the_tour_asks_why_a_chart_looks_odd_and_is_told(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?notebook=tour")
    cell = page.get_by_role("region", name="Cell c11, chart")
    cell.get_by_role("link", name="Why does it look odd?").click(timeout=SLOW)
    bars = page.get_by_role("group", name=re.compile("^Chart temperature_by_hour")).locator(
        'svg [aria-roledescription="bar"]:not([aria-hidden])'
    )
    expect(bars.nth(15)).to_be_visible(timeout=SLOW)
    for column in ("sensor", "room", "battery"):
        expect(page.get_by_role("checkbox", name=column, exact=True)).to_be_checked()
    for hour in (13, 14, 15):
        bars.nth(hour).click()
    expect(page.get_by_role("button", name="Odd (3)")).to_be_visible()
    page.get_by_role("button", name="Search", exact=True).click()
    answers = page.get_by_role("region", name="Answers")
    expect(answers.get_by_role("heading", name="Answers", exact=True)).to_be_visible(timeout=SLOW)
    best = answers.get_by_role("listitem").first
    expect(best).to_contain_text(re.compile("sensor is 4|battery"))
    expect(best).to_contain_text("12 rows")  # three hours of four readings
