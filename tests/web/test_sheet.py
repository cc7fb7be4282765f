"""The sheet in a real browser: reading far and wide, editing, undoing, filtering, pasting, applying."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import whence
from tests.web.conftest import SHEET_PRICES, Theme, faults, watched_page
from tests.web.corpus import NASTY
from tests.web.servers import Served, serving, serving_apart
from tests.web.sheets import (
    cell,
    column_menu,
    drawn,
    forget_pending,
    grid,
    header,
    inspector,
    open_sheet,
    pending,
    prices_page,
    said,
)


@pytest.fixture
def served(sheet_server: Served) -> Served:
    return sheet_server


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with prices_page(browser, served) as page:
        yield page


def test_filters_are_chips_in_the_address_and_lose_nothing(page: Page) -> None:
    column_menu(page, 2, "Filter…")
    dialog = page.get_by_role("dialog", name="Look only at rows where")
    dialog.get_by_role("combobox", name="Column").select_option("supplier")
    offered = dialog.locator("datalist option")
    expect(offered.first).to_have_attribute("value", "Acme")  # as frequent as northwind, and before it
    expect(offered).to_have_count(4)
    dialog.get_by_role("combobox", name="Column").select_option("price")
    expect(offered.first).not_to_have_attribute("value", "Acme")
    dialog.get_by_role("combobox", name="Test").select_option("above")
    dialog.get_by_role("combobox", name="Value").fill("5")
    dialog.get_by_role("combobox", name="Value").press("Enter")
    filters = page.get_by_role("group", name="Filters")
    expect(filters).to_contain_text("Looking at 3 rows of 8.")
    expect(grid(page).get_by_role("rowheader")).to_have_text(["3", "5", "7"])
    cell(page, 1, 2).click()
    expect(page.get_by_role("textbox", name="Go to a cell")).to_have_value("C5")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(grid(page).get_by_role("rowheader")).to_have_text(["3", "7"])
    box = page.get_by_role("textbox", name="Go to a cell")
    box.fill("A7")
    box.press("Enter")
    expect(cell(page, 1, 0)).to_have_attribute("aria-selected", "true")
    box.fill("A4")
    box.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Row 4 is not among the rows you look at.")
    page.reload()
    expect(grid(page).get_by_role("rowheader")).to_have_text(["3", "7"])
    filters.get_by_role("button", name="All rows").click()
    expect(grid(page).get_by_role("rowheader")).to_have_count(8)
    assert "filter" not in page.url


def test_values_are_chosen_merged_and_converted_and_columns_hidden(page: Page, served: Served) -> None:
    column_menu(page, 1, "Choose from its values…")
    dialog = page.get_by_role("dialog", name="Values of supplier")
    expect(dialog).to_contain_text("4 different values.")
    dialog.get_by_role("checkbox", name=re.compile("^northwind")).check()
    expect(dialog).to_contain_text("1 value chosen, 3 rows.")
    assert faults(page) == []
    dialog.get_by_role("button", name="Filter", exact=True).click()
    expect(grid(page).get_by_role("rowheader")).to_have_text(["2", "7", "8"])
    filters = page.get_by_role("group", name="Filters")
    filters.get_by_role("button", name="supplier is northwind", exact=True).click()
    dialog.get_by_role("checkbox", name=re.compile("^Acme")).check()
    dialog.get_by_role("combobox", name="Show or leave out").select_option("is none of")
    dialog.get_by_role("button", name="Filter", exact=True).click()
    expect(grid(page).get_by_role("rowheader")).to_have_text(["1", "doubtful row6"])
    filters.get_by_role("button", name="All rows").click()
    column_menu(page, 1, "Merge similar values…")
    merge = page.get_by_role("dialog", name="Merge similar values of supplier")
    merge.get_by_role("checkbox", name="Merge northwind, Northwind", exact=True).check()
    assert faults(page) == []
    merge.get_by_role("button", name="Merge 1 group", exact=True).click()
    expect(cell(page, 0, 1)).to_contain_text("northwind")
    expect(pending(page)).to_have_text("1 pending")
    column_menu(page, 3, "Convert to text…")
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    expect(header(page, 3)).to_contain_text("string")
    column_menu(page, 1, "Hide column")
    expect(header(page, 1)).to_have_count(0)
    expect(filters).to_contain_text("1 hidden column: supplier")
    cell(page, 0, 0).click()
    page.keyboard.press("ArrowRight")
    expect(cell(page, 0, 2)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowLeft")
    expect(cell(page, 0, 0)).to_have_attribute("aria-selected", "true")
    open_sheet(page, served, "prices")
    expect(header(page, 1)).to_have_count(0)
    filters.get_by_role("button", name="Show", exact=True).click()
    expect(header(page, 1)).to_contain_text("supplier")


def test_rows_and_columns_are_inserted_moved_renamed_sorted_and_deleted(page: Page) -> None:
    cell(page, 0, 0).click()
    page.get_by_role("button", name="Row").click()
    page.get_by_role("menuitem", name="Insert below").click()
    expect(grid(page).get_by_role("rowheader")).to_have_count(9)
    page.get_by_role("button", name="Row").click()
    page.get_by_role("menuitem", name="Move down").click()
    expect(cell(page, 1, 0)).to_have_text("A-100")
    column_menu(page, 1, "Move left")
    expect(header(page, 0)).to_contain_text("supplier")
    column_menu(page, 0, "Rename…")
    page.get_by_role("textbox", name="Name", exact=True).fill("maker")
    page.keyboard.press("Enter")
    expect(header(page, 0)).to_contain_text("maker")
    column_menu(page, 3, "Sort descending")
    expect(cell(page, 0, 1)).to_have_text("A-100")
    column_menu(page, 2, "Delete column")
    expect(grid(page).get_by_role("columnheader")).to_have_count(4)
    cell(page, 0, 0).click()
    page.get_by_role("button", name="Row").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(cell(page, 0, 1)).to_have_text("A-101")
    expect(pending(page)).to_have_text("7 pending")


def test_a_text_is_found_and_replaced(page: Page) -> None:
    grid(page).focus()
    page.keyboard.press("Control+h")
    page.get_by_role("textbox", name="Find", exact=True).fill("ACME")
    page.keyboard.press("Enter")
    expect(cell(page, 2, 1)).to_have_attribute("aria-selected", "true")
    page.get_by_role("textbox", name="Find", exact=True).fill("Acme")
    page.get_by_role("textbox", name="Replace with").fill("Apex")
    page.get_by_role("button", name="Replace all").click()
    expect(cell(page, 3, 1)).to_contain_text("Apex")
    expect(pending(page)).to_have_text("1 pending")


def test_doubts_are_reached_by_key_and_the_inspector_follows(page: Page) -> None:
    page.keyboard.press("F8")
    expect(cell(page, 3, 2)).to_have_attribute("aria-selected", "true")
    expect(inspector(page)).to_contain_text("21 USD is no number")
    page.keyboard.press("F8")
    expect(cell(page, 5, 0)).to_have_attribute("aria-selected", "true")
    expect(inspector(page)).to_contain_text("may be there twice")
    page.keyboard.press("F8")
    expect(said(page)).to_contain_text("Went round the end")
    page.keyboard.press("Shift+F8")
    expect(cell(page, 5, 0)).to_have_attribute("aria-selected", "true")
    rail = page.get_by_role("button", name="Whole table: 2 doubtful and 0 edited cells")
    expect(rail).to_be_visible()


def test_the_inspector_tells_what_was_done_to_a_cell(page: Page) -> None:
    for value in ("7", "8"):
        cell(page, 3, 2).click()
        page.keyboard.type(value)
        page.keyboard.press("Enter")
    cell(page, 3, 2).click()
    steps = inspector(page).get_by_role("region", name="Edit history").get_by_role("listitem")
    expect(steps).to_have_text([re.compile("^8"), re.compile("^7"), re.compile("^null *In the data")])


def test_applying_makes_one_cell_of_a_notebook(page: Page) -> None:
    for row, value in ((3, "21"), (5, "3.4")):
        cell(page, row, 2).click()
        page.keyboard.type(value)
        page.keyboard.press("Enter")
    expect(pending(page)).to_have_text("2 pending")
    page.get_by_role("button", name="Apply", exact=True).click()
    dialog = page.get_by_role("dialog", name="Save 2 edits as a notebook step")
    dialog.get_by_role("textbox", name="Name of the result").fill("repaired")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="edits")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^repaired")).first).to_be_visible(timeout=120_000)
    sheets = json.loads(page.evaluate("fetch('/api/sheets').then(r => r.text())"))
    assert [sheet for sheet in sheets if sheet["operations"]] == []
    page.get_by_role("navigation").get_by_role("link").filter(has_text="repaired").click()
    page.get_by_role("link", name="Edit", exact=True).click()
    expect(cell(page, 3, 2, "repaired")).to_have_text("21.00")
    cell(page, 3, 2, "repaired").click()
    expect(inspector(page)).to_contain_text("Where it came from")


def test_discarding_asks_first_and_leaves_the_data(page: Page) -> None:
    cell(page, 0, 0).click()
    page.keyboard.type("gone")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Discard").click()
    dialog = page.get_by_role("dialog", name="Discard 1 pending edits?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(cell(page, 0, 0)).to_contain_text("gone")
    page.get_by_role("button", name="Discard").click()
    dialog.get_by_role("button", name="Discard").click()
    expect(cell(page, 0, 0)).to_have_text("A-100")
    expect(pending(page)).to_have_text("No edits")


def test_edits_wait_while_the_server_is_away_even_over_a_reload(page: Page) -> None:
    page.route("**/operations", lambda route: route.abort())
    cell(page, 0, 0).click()
    page.keyboard.type("kept")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("1 edit waits in this browser")
    expect(cell(page, 0, 0)).to_contain_text("kept")
    page.unroute("**/operations")
    page.reload()
    expect(cell(page, 0, 0)).to_contain_text("kept")
    expect(pending(page)).to_have_text("1 pending")


def test_two_tabs_see_each_other(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    expect(cell(other, 0, 0)).to_have_text("A-100")
    cell(page, 0, 0).click()
    page.keyboard.type("first")
    page.keyboard.press("Enter")
    expect(cell(other, 0, 0)).to_contain_text("first", timeout=15_000)
    cell(other, 1, 0).click()
    other.keyboard.type("second")
    other.keyboard.press("Enter")
    expect(cell(page, 1, 0)).to_contain_text("second", timeout=15_000)
    expect(pending(page)).to_have_text("2 pending")
    other.get_by_role("button", name="Discard").click()
    other.get_by_role("dialog").get_by_role("button", name="Discard").click()
    page.get_by_role("button", name="Open a new sheet").click()
    expect(cell(page, 0, 0)).to_have_text("A-100")


def test_pages_that_fail_are_told_and_tried_again(page: Page, served: Served) -> None:
    body = json.dumps({"error": {"kind": "DamagedFile", "message": "A file is damaged.", "hint": ""}})
    page.route(
        "**/api/sheets/*/page*", lambda route: route.fulfill(status=400, body=body, content_type="application/json")
    )
    page.goto(f"{served.address}/?dataset=prices&view=sheet")
    expect(page.get_by_role("alert")).to_contain_text("A file is damaged.")
    page.unroute("**/api/sheets/*/page*")
    page.get_by_role("button", name="Retry").click()
    expect(cell(page, 0, 0)).to_have_text("A-100")


def test_an_empty_sheet_says_so_and_takes_a_row(page: Page, served: Served) -> None:
    open_sheet(page, served, "nothing")
    page.get_by_role("button", name="Insert a row").click()
    expect(grid(page, "nothing").get_by_role("rowheader")).to_have_text(["1"])
    cell(page, 0, 0, "nothing").click()
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(cell(page, 0, 0, "nothing")).to_contain_text("7")
    expect(inspector(page)).to_contain_text("The row was inserted here")


def test_data_is_never_taken_for_markup(page: Page, served: Served) -> None:
    open_sheet(page, served, "nasty")
    expect(cell(page, 1, 0, "nasty")).to_have_text(NASTY[1])
    cell(page, 1, 1, "nasty").click()
    page.keyboard.press("F2")
    page.keyboard.type("<img src=x onerror=alert(99)>")
    page.keyboard.press("Enter")
    header(page, 0, "nasty").get_by_role("button").click()
    page.get_by_role("menuitem", name="Filter…").click()
    page.get_by_role("combobox", name="Value", exact=True).fill(NASTY[3])
    page.keyboard.press("Enter")
    expect(grid(page, "nasty").get_by_role("rowheader")).to_have_text(["4"])
    assert page.locator("#root").evaluate("e => e.querySelectorAll('script, iframe, math, img[src=x]').length") == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_serious_accessibility_fault(browser: Browser, served: Served, theme: Theme) -> None:
    with watched_page(browser, theme) as watched:
        page = watched.page
        page.goto(served.link)
        forget_pending(page)
        open_sheet(page, served, "prices", row=3, column="price")
        expect(inspector(page)).to_contain_text("21 USD")
        assert faults(page) == []
        page.keyboard.type("many")
        assert faults(page) == []
        page.keyboard.press("Enter")
        expect(pending(page)).to_have_text("1 pending")
        page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Control+h")
        assert faults(page) == []
        header(page, 1).get_by_role("button").click()
        assert faults(page) == []
        page.get_by_role("menuitem", name="Filter…").click()
        assert faults(page) == []
        assert watched.complaints == []


def test_keys_alone_lead_into_the_grid_and_out_again(page: Page) -> None:
    page.keyboard.press("F6")
    for _ in range(4):
        if grid(page).evaluate("e => e === document.activeElement"):
            break
        page.keyboard.press("F6")
    expect(grid(page)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(cell(page, 0, 0)).to_have_attribute("aria-selected", "true")
    active = grid(page).get_attribute("aria-activedescendant")
    assert active is not None
    assert page.locator(f'[id="{active}"]').inner_text().strip() == "A-100"
    page.keyboard.press("Escape")
    expect(grid(page).locator('[aria-selected="true"]')).to_have_count(0)
    page.keyboard.press("Tab")
    expect(grid(page)).not_to_be_focused()


def test_edits_survive_a_server_that_ends_in_the_middle(browser: Browser, tmp_path: Path) -> None:
    workspace = tmp_path / "w.whence"
    with whence.open(workspace) as ws:
        ws.create("prices", SHEET_PRICES, schema="part string, supplier string, price double, stock int")
    with watched_page(browser) as watched:
        page = watched.page
        with serving_apart(workspace) as server:
            page.goto(server.link)
            open_sheet(page, server, "prices")
            cell(page, 2, 0).click()
            page.keyboard.type("half way")
            with page.expect_response(lambda answer: answer.request.method == "POST" and answer.ok):
                page.keyboard.press("Enter")
            expect(pending(page)).to_have_text("1 pending")
            server.process.kill()
        with serving(workspace) as server:
            page.goto(server.link)
            open_sheet(page, server, "prices")
            expect(cell(page, 2, 0)).to_contain_text("half way")
            expect(pending(page)).to_have_text("1 pending")


TEN_MILLION = 10_000_000


@pytest.mark.long
def test_ten_million_rows_are_exact_and_edited_like_ten(browser: Browser, tmp_path: Path) -> None:
    with whence.open(tmp_path / "w.whence") as ws:
        text = "id, id * 3 as tripled, concat('part ', id % 5000) as part, id / 4 as quarter"
        ws.sql(f"select {text} from range({TEN_MILLION})", name="ten")
    with serving(tmp_path / "w.whence") as server, watched_page(browser) as watched:
        page = watched.page
        page.goto(server.link)
        open_sheet(page, server, "ten")
        box = page.get_by_role("textbox", name="Go to a cell")
        for row in (1, 3_000_001, 6_123_456, 9_999_999, TEN_MILLION):
            box.fill(f"#{row:,}")
            box.press("Enter")
            expect(cell(page, row - 1, 0, "ten")).to_have_text(str(row - 1), timeout=30_000)
        box.fill("B6123456")
        box.press("Enter")
        expect(cell(page, 6_123_455, 1, "ten")).to_have_text(f"{6_123_455 * 3:,}")
        grid(page, "ten").hover()
        before = drawn(page, "ten")[0]
        page.mouse.wheel(0, 90)
        expect(grid(page, "ten").get_by_role("row").nth(1)).to_have_attribute("aria-rowindex", str(before + 3 + 2))
        page.keyboard.type("=SUM(A1:A3)")
        page.keyboard.press("Enter")
        expect(cell(page, 6_123_455, 1, "ten")).to_contain_text("3")
        expect(pending(page)).to_have_text("1 pending")
        page.keyboard.press("Control+z")
        expect(cell(page, 6_123_455, 1, "ten")).to_have_text(f"{6_123_455 * 3:,}", timeout=30_000)
        header(page, 0, "ten").get_by_role("button").click()
        page.get_by_role("menuitem", name="Filter…").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("combobox", name="Test").select_option("above")
        dialog.get_by_role("combobox", name="Value").fill(str(TEN_MILLION - 6))
        dialog.get_by_role("combobox", name="Value").press("Enter")
        numbers = [f"{TEN_MILLION - 4 + i:,}" for i in range(5)]
        expect(grid(page, "ten").get_by_role("rowheader")).to_have_text(numbers, timeout=60_000)
        assert watched.complaints == []
