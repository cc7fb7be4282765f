"""Ways into a notebook that its tests share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.conftest import watched_page
from tests.web.servers import Served

FIRST_RUN = 240_000
"""Milliseconds: Spark starts with the first cell that runs."""


@contextmanager
def tour_page(browser: Browser, served: Served) -> Iterator[Page]:
    """The notebook of the tour; fails if the page complained about anything."""
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        watched.page.goto(f"{served.address}/?notebook=tour")
        expect(watched.page.get_by_role("heading", name="tour")).to_be_visible()
        yield watched.page
        assert watched.complaints == []


def new_notebook(page: Page, name: str) -> None:
    """An empty notebook of its own, so that tests do not meet."""
    field = page.get_by_role("textbox", name="Name of a new notebook")
    field.fill(name)
    field.press("Enter")
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def text_of(cell: Locator) -> Locator:
    return cell.get_by_role("textbox", name=re.compile("^the (query|code)$|text"))


def sql_cell(page: Page) -> Locator:
    return page.locator("section[aria-label$=', sql']").first


def version(page: Page) -> int:
    return int(page.get_by_text(re.compile(r"^version \d+$")).inner_text().split()[1])
