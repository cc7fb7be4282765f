"""Editing cells of a sheet in a real browser: typing, formulas, the formula bar, ranges and identical values."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.servers import Served
from tests.web.sheets import (
    cell,
    column_menu,
    grid,
    header,
    inspector,
    pending,
    prices_page,
    said,
    texts,
)


@pytest.fixture
def served(sheet_server: Served) -> Served:
    return sheet_server


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with prices_page(browser, served) as page:
        yield page


def test_a_typed_value_shows_at_once_and_is_kept_by_the_server(page: Page, served: Served) -> None:
    cell(page, 3, 2).click()
    page.keyboard.type("21")
    field = page.get_by_role("textbox", name="price, row 4")
    expect(field).to_have_value("21")
    page.keyboard.press("Enter")
    expect(cell(page, 3, 2)).to_contain_text("21")
    expect(cell(page, 3, 2)).to_contain_text("edited")
    expect(cell(page, 4, 2)).to_have_attribute("aria-selected", "true")
    expect(pending(page)).to_have_text("1 pending")
    expect(cell(page, 3, 2)).not_to_contain_text("doubtful")
    page.reload()
    expect(cell(page, 3, 2)).to_contain_text("21")
    expect(pending(page)).to_have_text("1 pending")


def test_enter_f2_tab_and_escape_edit_as_in_every_spreadsheet(page: Page) -> None:
    cell(page, 0, 0).click()
    page.keyboard.press("F2")
    expect(page.get_by_role("textbox", name="part, row 1")).to_have_value("A-100")
    page.keyboard.type("x")
    page.keyboard.press("Escape")
    expect(cell(page, 0, 0)).to_have_text("A-100")
    expect(pending(page)).to_have_text("No edits")
    # The field is gone, and the keys are the grid's again.
    page.wait_for_function("!['BODY', 'INPUT', 'TEXTAREA'].includes(document.activeElement.tagName)")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="part, row 1")).to_have_value("A-100")
    page.keyboard.type("-b")
    page.keyboard.press("Tab")
    expect(cell(page, 0, 0)).to_contain_text("A-100-b")
    expect(cell(page, 0, 1)).to_have_attribute("aria-selected", "true")
    page.keyboard.type("Noon")
    page.keyboard.press("Shift+Tab")
    expect(cell(page, 0, 0)).to_have_attribute("aria-selected", "true")
    expect(pending(page)).to_have_text("2 pending")
    page.keyboard.press("Delete")
    expect(cell(page, 0, 0)).to_contain_text(re.compile("null|empty"))


def test_an_input_method_chooses_with_enter_without_ending_the_edit(page: Page) -> None:
    cell(page, 0, 1).click()
    page.keyboard.press("F2")
    field = page.get_by_role("textbox", name="supplier, row 1")
    field.evaluate(
        "e => { e.dispatchEvent(new CompositionEvent('compositionstart', {bubbles: true}));"
        " e.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'Enter', isComposing: true, bubbles: true, cancelable: true})) }"
    )
    expect(field).to_be_visible()
    page.keyboard.insert_text("本社")
    page.keyboard.press("Enter")
    expect(cell(page, 0, 1)).to_contain_text("本社")


def test_formulas_follow_and_undo_goes_back_one_step_at_a_time(page: Page) -> None:
    column_menu(page, 3, "Insert column right…")
    page.get_by_role("dialog").get_by_role("textbox", name="Name").fill("worth")
    page.keyboard.press("Enter")
    expect(header(page, 4)).to_contain_text("worth")
    cell(page, 0, 4).click()
    page.keyboard.type("=C1*D1")
    page.keyboard.press("Enter")
    expect(cell(page, 0, 4)).to_contain_text("2184")
    cell(page, 0, 4).click()
    expect(page.get_by_role("textbox", name="Value or formula")).to_have_value("=C1*D1")
    cell(page, 7, 4).click(modifiers=["Shift"])
    page.keyboard.press("Control+d")
    expect(cell(page, 2, 4)).to_contain_text("1087.5")
    cell(page, 2, 2).click()
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    expect(cell(page, 2, 4)).to_contain_text("1500")
    expect(pending(page)).to_have_text("4 pending")
    page.keyboard.press("Control+z")
    expect(cell(page, 2, 4)).to_contain_text("1087.5")
    page.keyboard.press("Control+Shift+z")
    expect(cell(page, 2, 4)).to_contain_text("1500")
    for _ in range(4):
        page.keyboard.press("Control+z")
    expect(pending(page)).to_have_text("No edits")
    expect(header(page, 4)).to_have_count(0)


def test_a_formula_that_fails_says_why_and_keeps_what_was_typed(page: Page) -> None:
    cell(page, 0, 2).click()
    page.keyboard.type("=1/0")
    page.keyboard.press("Enter")
    expect(cell(page, 0, 2)).to_contain_text("#DIV/0!")
    expect(cell(page, 0, 2)).to_have_attribute("aria-invalid", "true")
    page.keyboard.press("ArrowUp")
    expect(said(page)).to_contain_text("#DIV/0!")
    expect(page.get_by_role("textbox", name="Value or formula")).to_have_value("=1/0")
    expect(inspector(page).get_by_role("alert")).to_contain_text("#DIV/0!")


def test_what_does_not_fit_the_type_is_outlined_told_and_kept(page: Page) -> None:
    cell(page, 1, 3).click()
    page.keyboard.type("many")
    page.keyboard.press("Enter")
    expect(cell(page, 1, 3)).to_have_attribute("aria-invalid", "true")
    expect(cell(page, 1, 3)).to_contain_text("many")
    page.keyboard.press("ArrowUp")
    expect(said(page)).to_contain_text("“many” is no whole number")
    expect(header(page, 3)).to_contain_text("was int")
    page.keyboard.press("Control+z")
    expect(header(page, 3)).not_to_contain_text("was int")


def test_the_formula_bar_edits_and_the_name_box_goes_anywhere(page: Page) -> None:
    page.keyboard.press("Control+g")
    box = page.get_by_role("textbox", name="Go to a cell")
    expect(box).to_be_focused()
    box.fill("5:supplier")
    box.press("Enter")
    expect(cell(page, 4, 1)).to_have_attribute("aria-selected", "true")
    expect(box).to_have_value("B5")
    bar = page.get_by_role("textbox", name="Value or formula")
    bar.fill("ACME")
    bar.press("Enter")
    expect(cell(page, 4, 1)).to_contain_text("ACME")
    expect(grid(page)).to_be_focused()
    box.fill("Z99")
    box.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("no such column")


def test_ranges_are_summed_copied_and_pasted_with_a_preview(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    cell(page, 0, 2).click()
    for key in ("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight"):
        page.keyboard.press(key)
    summary = page.get_by_role("group", name="Selection")
    expect(summary).to_contain_text("6 cells")
    expect(summary).to_contain_text("sum 9,458.24")
    page.keyboard.press("Control+c")
    expect(said(page)).to_have_text("Copied 6 cells.")
    assert page.evaluate("navigator.clipboard.readText()") == "0.42\t5200\n0.57\t4100\n7.25\t150"
    page.evaluate("navigator.clipboard.writeText('screw\\tHere\\nnail\\tThere\\tand more\\n')")
    cell(page, 6, 1).click()
    page.keyboard.press("Control+v")
    preview = page.get_by_role("dialog", name=re.compile("Paste 2 rows . 3 columns"))
    expect(preview.get_by_role("columnheader")).to_have_text(["row", "B · supplier", "C · price", "D · stock"])
    expect(preview.get_by_role("alert")).to_contain_text("3 values do not fit")
    preview.get_by_role("button", name="Paste").click()
    expect(cell(page, 7, 1)).to_contain_text("nail")
    expect(pending(page)).to_have_text("1 pending")
    page.keyboard.press("Control+z")
    expect(cell(page, 7, 1)).to_have_text("northwind")


def test_the_same_is_offered_for_all_identical_values(page: Page) -> None:
    cell(page, 1, 1).click()
    page.keyboard.type("Northwind")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Apply to all").click()
    expect(cell(page, 7, 1)).to_contain_text("Northwind")
    assert [text.partition("\n")[0] for text in texts(page, 1, 8)].count("Northwind") == 4
    expect(pending(page)).to_have_text("2 pending")
