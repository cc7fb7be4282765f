"""Columns of a sheet in a real browser: frozen, drawn wider, moved, wide tables and their headers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import SHEET_ROWS, SHEET_WIDTH
from tests.web.servers import Served
from tests.web.sheets import (
    cell,
    drawn,
    grid,
    header,
    open_sheet,
    pending,
    prices_page,
)


@pytest.fixture
def served(sheet_server: Served) -> Served:
    return sheet_server


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with prices_page(browser, served) as page:
        yield page


def test_columns_are_frozen_and_drawn_wider_for_this_browser(page: Page, served: Served) -> None:
    open_sheet(page, served, "wide", row=5, column="column_1")
    expect(cell(page, 5, 1, "wide")).to_have_text("6")
    grid(page, "wide").focus()
    page.keyboard.press("Alt+ArrowDown")
    page.get_by_role("menuitem", name="Freeze up to here").press("Enter")
    before = header(page, 1, "wide").bounding_box()
    header(page, 1, "wide").get_by_role("button").click()
    page.get_by_role("menuitem", name="Wider").click()
    after = header(page, 1, "wide").bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] == before["width"] + 40
    grid(page, "wide").focus()
    page.keyboard.press("Control+ArrowRight")
    expect(cell(page, 5, SHEET_WIDTH - 1, "wide")).to_be_in_viewport(ratio=1)
    expect(cell(page, 5, 1, "wide")).to_be_in_viewport(ratio=1)
    expect(cell(page, 5, 1, "wide")).to_have_text("6")
    page.reload()
    expect(header(page, 1, "wide")).to_be_in_viewport(ratio=1)


def test_a_column_is_drawn_to_another_place(page: Page) -> None:
    handle, target = header(page, 3).bounding_box(), header(page, 0).bounding_box()
    assert handle is not None
    assert target is not None
    page.mouse.move(handle["x"] + 40, handle["y"] + 12)
    page.mouse.down()
    page.mouse.move(target["x"] + 8, target["y"] + 12, steps=6)
    page.mouse.up()
    expect(header(page, 0)).to_contain_text("stock")
    expect(pending(page)).to_have_text("1 pending")


def test_a_wide_and_long_table_is_exact_wherever_it_is_entered(page: Page, served: Served) -> None:
    open_sheet(page, served, "wide", row=212_345, column="column_33")
    expect(cell(page, 212_345, 33, "wide")).to_have_text(f"{212_345 + 33:,}")
    grid(page, "wide").hover()
    before = drawn(page, "wide")[0]
    page.mouse.wheel(0, 90)
    expect(grid(page, "wide").get_by_role("row").nth(1)).to_have_attribute("aria-rowindex", str(before + 3 + 2))
    grid(page, "wide").focus()
    page.keyboard.press("Control+End")
    expect(cell(page, SHEET_ROWS - 1, SHEET_WIDTH - 1, "wide")).to_have_text(f"{SHEET_ROWS + SHEET_WIDTH - 2:,}")
    assert drawn(page, "wide")[-1] == SHEET_ROWS - 1
    page.keyboard.press("Control+Home")
    expect(cell(page, 0, 0, "wide")).to_have_text("0")
    assert len(drawn(page, "wide")) < 60
    assert grid(page, "wide").get_by_role("gridcell").count() < 60 * 16
    page.keyboard.press("F8")
    expect(cell(page, 200_000, 30, "wide")).to_have_attribute("aria-selected", "true")
    expect(cell(page, 200_000, 30, "wide")).to_contain_text("doubtful")


def test_headers_show_the_spread_of_the_values(page: Page) -> None:
    expect(header(page, 2).get_by_role("img")).to_have_accessible_name(
        re.compile("7 different values, from 0.42 to 18.4")
    )
    expect(header(page, 2)).to_contain_text("13 % null")
    expect(header(page, 2)).to_contain_text("has doubtful cells")
