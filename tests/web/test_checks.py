"""Checks in the browser: added from the menu of a dataset, changed, and seen on the rows they fail on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

import whence
from tests.web.conftest import faults, watched_page
from tests.web.servers import Served, serving

FIRST_RUN = 240_000
"""Milliseconds that a first query may take: Spark starts."""


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A notebook that loads a file with an amount that is missing."""
    folder = tmp_path_factory.mktemp("checks")
    (folder / "orders.csv").write_text("id,amount\n1,5\n2,\n3,8\n")
    with whence.open(folder / "w.whence") as ws:
        ws.notebook("orders").append("load", source=str(folder / "orders.csv"), name="orders")
        ws.notebook("orders").wait()
    with serving(folder / "w.whence") as server:
        yield server


@pytest.fixture
def page(browser: Browser, orders: Served) -> Iterator[Page]:
    with watched_page(browser) as watched:
        watched.page.goto(orders.link)
        yield watched.page
        assert watched.complaints == []


def test_checks_that_hold_are_added_and_a_stricter_one_marks_the_row_that_fails(page: Page) -> None:
    page.get_by_role("button", name="More about the dataset orders", exact=True).click()
    page.get_by_role("menuitem", name="Add checks").click()
    cell = page.locator("section[data-cell]").last
    expect(cell.get_by_text("3 rows: 3 checks passed")).to_be_visible(timeout=30_000)
    cell.get_by_text("more options").click()
    cell.get_by_label("not_null", exact=True).fill("amount")
    page.keyboard.press("Tab")
    assert faults(page) == []
    cell.get_by_role("button", name="Run", exact=True).click()
    expect(cell.get_by_text("amount is not null: 1 of 3 rows")).to_be_visible(timeout=30_000)
    expect(cell.get_by_text("line 3: amount is null")).to_be_visible()
