"""Stop in a real browser: the query ends in Spark, and the cell shows again what it had made before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import whence
from tests.web.conftest import add_cell, watched_page, write
from tests.web.servers import Served, serving_apart

JOIN = "select sum(a.x * b.x) as s, count(distinct a.x + b.x) as n from t a join t b on a.k = b.k"
"""Minutes of work in the middle of one stage, where Spark's generated code does not look for an interruption."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with whence.open(tmp_path / "w.whence") as ws:
        ws.create("t", pa.table({"k": [n % 2 for n in range(400_000)], "x": list(range(400_000))}))
        notebook = ws.notebook("n")
        notebook.mode = "lazy"
        notebook.append("sql", "select 7 as seven", name="j")
    with serving_apart(tmp_path / "w.whence") as server:
        yield server


def test_stop_ends_the_query_and_shows_the_output_of_before(browser: Browser, served: Served) -> None:
    with watched_page(browser) as watched:
        page = watched.page
        page.goto(f"{served.link}")
        page.goto(f"{served.address}/?notebook=n")
        first = page.locator("section[data-cell]").first
        query = first.get_by_role("textbox", name="the query")
        run(page, query)
        state(first, "ready")
        write(query, JOIN)
        run(page, query)
        state(first, re.compile(r"running.* \d+ of \d+ tasks"))
        page.wait_for_timeout(1_000)  # into the stage that takes minutes, whose count stands still
        first.get_by_role("button", name=re.compile("^Stop")).click()
        state(first, "cancelled")
        expect(first.get_by_role("gridcell", name="7", exact=False)).to_be_visible()
        second = add_cell(page, "sql")
        other = second.get_by_role("textbox", name="the query")
        write(other, "select 8 as eight")
        run(page, other)
        state(second, "ready")
        assert watched.complaints == []


def run(page: Page, query: Locator) -> None:
    query.click()
    page.keyboard.press("Control+Enter")


def state(cell: Locator, words: str | re.Pattern[str]) -> None:
    """Spark may have to start, or start again."""
    expect(cell.locator("header")).to_contain_text(words, timeout=120_000)
