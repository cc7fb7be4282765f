"""Forms of cells whose parameter is a list of entries, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import whence
from tests.web.conftest import add_cell, faults
from tests.web.servers import Served, serving

SLOW = 120_000


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("entries") / "w.whence"
    with whence.open(folder) as ws:
        ws.create("prices", [("A-100", 0.42), ("B-200", 7.25)], "part string, price double")
        ws.notebook("entries")
    return folder


@pytest.fixture(scope="module")
def served(workspace: Path) -> Iterator[Served]:
    with serving(workspace) as server:
        yield server


@pytest.mark.long
def test_a_list_of_entries_has_a_line_for_each(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?notebook=entries")
    expect(page.get_by_text("This notebook is empty.")).to_be_visible()
    cell = add_cell(page, "comment")
    cell.get_by_label("source", exact=True).fill("prices")
    cell.get_by_label("comments, text 1").fill("in cents")
    cell.get_by_label("comments, row 1").fill("1")
    cell.get_by_label("comments, text 2").fill("asked for")
    cell.get_by_label("comments, column 2").click()
    cell.get_by_role("option", name=re.compile("^price")).click()
    cell.get_by_label("comments, text 3").fill("by mistake")
    cell.get_by_role("button", name="Remove entry 3 of comments").click()
    assert faults(page) == []
    cell.locator("header").get_by_role("button", name="Run", exact=True).click()
    expect(cell.get_by_text(re.compile("^✓ *ready"))).to_be_visible(timeout=SLOW)
    cells = page.evaluate("async () => (await (await fetch('/api/notebooks/entries')).json()).cells")
    assert cells[0]["values"]["comments"] == [{"text": "in cents", "row": 1}, {"text": "asked for", "column": "price"}]
    page.reload()
    expect(cell.get_by_label("comments, column 2")).to_have_value("price")
