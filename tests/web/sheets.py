"""Ways into the sheet view that its tests share."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.conftest import watched_page
from tests.web.servers import Served


def forget_pending(page: Page) -> None:
    """Sheets that earlier tests left."""
    page.evaluate(
        "async () => { for (const s of await (await fetch('/api/sheets')).json())"
        " await fetch(`/api/sheets/${s.id}/discard`, {method: 'POST'}) }"
    )


def open_sheet(page: Page, served: Served, name: str, **where: object) -> None:
    query = urllib.parse.urlencode({"dataset": name, "view": "sheet", **where})
    page.goto(f"{served.address}/?{query}")
    expect(grid(page, name)).to_be_visible()


def grid(page: Page, name: str = "prices") -> Locator:
    return page.get_by_role("grid", name=f"{name}, sheet", exact=True)


def cell(page: Page, row: int, column: int, name: str = "prices") -> Locator:
    return grid(page, name).locator(f'[aria-rowindex="{row + 2}"] [aria-colindex="{column + 2}"]')


def header(page: Page, column: int, name: str = "prices") -> Locator:
    return grid(page, name).get_by_role("columnheader").and_(page.locator(f'[aria-colindex="{column + 2}"]'))


def texts(page: Page, column: int, rows: int, name: str = "prices") -> list[str]:
    found = [cell(page, row, column, name).locator("span").first.inner_text() for row in range(rows)]
    return [text.strip() for text in found]


def pending(page: Page) -> Locator:
    return page.get_by_role("status").filter(has_text=re.compile("pending|No edits"))


def inspector(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Inspector")


def column_menu(page: Page, column: int, item: str) -> None:
    header(page, column).get_by_role("button").click()
    page.get_by_role("menuitem", name=item, exact=True).click()


def said(page: Page) -> Locator:
    return page.locator("footer").get_by_role("status")


def drawn(page: Page, name: str) -> list[int]:
    rows = grid(page, name).get_by_role("row").evaluate_all("rows => rows.map(r => Number(r.ariaRowIndex))")
    return [row - 2 for row in rows if row > 1]


@contextmanager
def prices_page(browser: Browser, served: Served) -> Iterator[Page]:
    """The sheet of the prices with nothing pending; fails if the page complained about anything."""
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        forget_pending(watched.page)
        open_sheet(watched.page, served, "prices")
        yield watched.page
        assert [each for each in watched.complaints if "Failed to load resource" not in each] == []
