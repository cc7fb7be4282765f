"""What the sheet tells about edits: where they go when they are applied, and what was taken back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import whence
from tests.web.conftest import faults, watched_page
from tests.web.servers import Served, serving
from tests.web.sheets import cell, column_menu, forget_pending, open_sheet, pending, said

PRICES = "part,price\nA,1.5\nB,21 USD\nC,n/a\nD,2.5\nE,n/a\nF,3\nG,4\nH,5\nI,6\nJ,7\nK,8\nL,9\n"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two notebooks, of which the second makes the data."""
    folder = tmp_path_factory.mktemp("apply")
    (folder / "prices.csv").write_text(PRICES, encoding="utf-8")
    with whence.open(folder / "w.whence") as ws:
        ws.notebook("a diary").append("markdown", "Nothing is made here.")
        lists = ws.notebook("lists")
        lists.append("load", source=str(folder / "prices.csv"), name="prices")
        lists.append("markdown", "What follows.")
        lists.wait()
    return folder / "w.whence"


@pytest.fixture(scope="module")
def served(workspace: Path) -> Iterator[Served]:
    with serving(workspace) as server:
        yield server


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """The sheet of the prices with nothing pending."""
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        forget_pending(watched.page)
        open_sheet(watched.page, served, "prices")
        yield watched.page
        assert [each for each in watched.complaints if "Failed to load resource" not in each] == []


def edit(page: Page, row: int, column: int, text: str) -> None:
    cell(page, row, column).click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def test_undo_names_the_column_and_the_row_of_a_new_column(page: Page) -> None:
    column_menu(page, 1, "Insert column right…")
    page.get_by_role("textbox", name="Name", exact=True).fill("remark")
    page.keyboard.press("Enter")
    edit(page, 2, 2, "checked")
    expect(pending(page)).to_have_text("2 pending")
    expect(page.get_by_role("button", name="Apply", exact=True)).to_be_enabled()  # the server has both
    page.keyboard.press("Control+z")
    expect(said(page)).to_have_text("Took back: Set remark in row 3.")


def test_enter_pastes_and_escape_leaves_the_sheet_as_it_is(page: Page) -> None:
    def paste() -> None:
        cell(page, 0, 0).click()
        page.evaluate(
            """() => {
                const data = new DataTransfer();
                data.setData('text/plain', 'X\\nY');
                document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true}));
            }"""
        )
        expect(page.get_by_role("dialog", name=re.compile("^Paste 2 rows"))).to_be_visible()

    paste()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(pending(page)).to_have_text("No edits")
    paste()
    expect(page.get_by_role("button", name="Paste", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(cell(page, 1, 0)).to_contain_text("Y")
    expect(pending(page)).to_have_text("1 pending")


def test_the_same_is_offered_only_for_cells_that_read_the_same_in_the_file(page: Page) -> None:
    edit(page, 2, 1, "0.5")
    offer = page.get_by_role("status").filter(has_text="identical")
    expect(offer).to_contain_text("Apply to 1 identical value of price")
    page.get_by_role("button", name="Apply to all").click()
    expect(cell(page, 4, 1)).to_contain_text("0.5")
    expect(cell(page, 1, 1)).not_to_contain_text("0.5")


def test_edits_become_a_cell_of_the_notebook_that_makes_the_data(page: Page) -> None:
    edit(page, 0, 1, "1.75")
    expect(pending(page)).to_have_text("1 pending")
    page.get_by_role("button", name="Apply as…").click()
    expect(page.get_by_role("combobox", name="Notebook")).to_have_value("lists")
    expect(page.get_by_role("textbox", name="Name of the result")).to_have_value("prices")
    expect(page.get_by_role("dialog")).to_contain_text("right after the cell that makes prices")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("lists")
    assert "notebook=lists" in page.url
    step = page.locator("section[aria-label$=', sheet']")
    edits = step.get_by_role("list", name="1 edit")
    expect(edits.get_by_role("listitem")).to_have_text(["price in one row: 1.75"])
    history = page.get_by_role("region", name="History")
    expect(history.get_by_role("button", name=re.compile("Added prices, 1 edit"))).to_be_visible()
    assert faults(page) == []
    edits.get_by_role("button", name="Remove edit 1: price in one row: 1.75").click()
    expect(step.get_by_text("No edits.")).to_be_visible()
    step.get_by_role("button", name="Save and run").click()
    expect(step.get_by_role("gridcell", name="price, A: 1.5", exact=True)).to_be_visible(timeout=60_000)
