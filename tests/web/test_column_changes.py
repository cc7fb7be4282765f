"""Calculated columns and changes of whole columns in a real browser, each with a preview before it is kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import faults
from tests.web.servers import Served
from tests.web.sheets import cell, column_menu, header, pending, prices_page, texts


@pytest.fixture
def served(sheet_server: Served) -> Served:
    return sheet_server


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with prices_page(browser, served) as page:
        yield page


def test_a_calculated_column_is_completed_previewed_and_added(page: Page) -> None:
    column_menu(page, 3, "Add a column…")
    dialog = page.get_by_role("dialog", name="Add a column after stock")
    expect(dialog.get_by_role("textbox", name="Name")).to_be_focused()
    page.keyboard.type("worth")  # over the name that is suggested
    expect(dialog.get_by_role("textbox", name="Name")).to_have_value("worth")
    formula = dialog.get_by_role("combobox", name="Formula, written as for the first row")
    formula.press_sequentially("=roundu")
    expect(dialog.get_by_role("option")).to_have_text(["ROUNDUPnumber, [digits]"])
    assert faults(page) == []
    formula.press("Enter")
    expect(dialog).to_contain_text("Rounded away from zero.")
    formula.press_sequentially("pri")
    formula.press("Tab")
    expect(formula).to_have_value("=ROUNDUP([@price]")
    formula.press_sequentially("*[@sto")
    dialog.get_by_role("option", name="stock").click()
    formula.press_sequentially(",-2)")
    preview = dialog.get_by_role("region", name="Preview")
    expect(preview.get_by_role("row").nth(1)).to_have_text("12200")
    expect(preview).to_contain_text("Computed for the first 8 rows.")
    expect(pending(page)).to_have_text("No edits")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(header(page, 4)).to_contain_text("worth")
    expect(cell(page, 7, 4)).to_contain_text("100")
    assert texts(page, 4, 3) == ["2200", "2400", "1100"]
    expect(pending(page)).to_have_text("1 pending")


def test_a_column_is_changed_from_its_menu_after_a_preview(page: Page) -> None:
    column_menu(page, 1, "Change capitals…")
    dialog = page.get_by_role("dialog", name="Change capitals: supplier")
    dialog.get_by_role("combobox", name="To").select_option("upper")
    preview = dialog.get_by_role("region", name="Preview")
    expect(preview).to_contain_text("8 values change in the first 8 rows.")
    expect(preview.get_by_role("row").nth(1)).to_have_text("1NorthwindNORTHWIND")
    assert faults(page) == []
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(cell(page, 0, 1)).to_contain_text("NORTHWIND")
    column_menu(page, 0, "Split a column…")
    split = page.get_by_role("dialog", name="Split a column: part")
    split.get_by_role("textbox", name="Separator").fill("-")
    expect(split.get_by_role("region", name="Preview").get_by_role("row").nth(1)).to_have_text("1A100")
    split.get_by_role("button", name="Save", exact=True).click()
    expect(header(page, 1)).to_contain_text("part_1")
    expect(header(page, 2)).to_contain_text("part_2")
    expect(cell(page, 2, 2)).to_contain_text("200")
    expect(pending(page)).to_have_text("3 pending")


@pytest.mark.long
@pytest.mark.parametrize(
    ("column", "item", "fields", "changes", "shown"),
    [
        (1, "Trim spaces…", {}, "Nothing changes in the first 8 rows.", "Northwind"),
        (1, "Replace values…", {"Find": "wind", "Replace with": "sea"}, "4 values change", "Northsea"),
        (3, "Convert to text…", {}, "8 values change", "5200"),
        (0, "Convert to numbers…", {}, "8 cells would show an error: 'A-100' is not a number.", "#VALUE!"),
        (0, "Convert to dates…", {}, "8 cells would show an error: 'A-100' is not a date.", "#VALUE!"),
    ],
)
def test_each_change_says_what_it_would_do(
    page: Page, column: int, item: str, fields: dict[str, str], changes: str, shown: str
) -> None:
    column_menu(page, column, item)
    dialog = page.get_by_role("dialog")
    for label, text in fields.items():
        dialog.get_by_role("textbox", name=label).fill(text)
    expect(dialog.get_by_role("region", name="Preview")).to_contain_text(changes)
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(cell(page, 0, column)).to_contain_text(shown)
    expect(pending(page)).to_have_text("1 pending")
