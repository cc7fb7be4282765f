"""Checks in the browser: added from the menu of a dataset, changed, and seen on the rows they fail on."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

import whence
from tests.web.conftest import faults, grid
from tests.web.servers import Served, serving

FIRST_RUN = 60_000
"""Milliseconds that a first query may take: Spark starts."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Notebooks that load files in which values are missing or odd."""
    folder = tmp_path_factory.mktemp("checks")
    (folder / "orders.csv").write_text("id,amount\n1,5\n2,\n3,8\n")
    (folder / "visits.csv").write_text("ward,age\nNorth,34\nEast,230\nNorth,7\nSouths,\n")
    (folder / "wards.csv").write_text("ward\nNorth\nWest\n")
    (folder / "beds.csv").write_text("ward,beds\nNorth,10\nEast,20\n")
    with whence.open(folder / "w.whence") as ws:
        ws.notebook("orders").append("load", source=str(folder / "orders.csv"), name="orders")
        ws.notebook("orders").wait()
        for name in ("visits", "wards", "beds"):
            ws.notebook("hospital").append("load", source=str(folder / f"{name}.csv"), name=name)
        ws.notebook("hospital").wait()
    with serving(folder / "w.whence") as server:
        yield server


def test_checks_that_hold_are_added_and_a_stricter_one_marks_the_row_that_fails(page: Page) -> None:
    page.get_by_role("button", name="More about the dataset orders", exact=True).click()
    page.get_by_role("menuitem", name="Add checks").click()
    cell = page.locator("section[data-cell]").last
    expect(cell.get_by_text("3 rows: 3 checks passed")).to_be_visible(timeout=30_000)
    cell.get_by_text("more options").click()
    cell.get_by_label("not null", exact=True).fill("amount")
    page.keyboard.press("Tab")
    assert faults(page) == []
    cell.get_by_role("button", name="Run", exact=True).click()
    expect(cell.get_by_text("amount is not null: 1 of 3 rows")).to_be_visible(timeout=30_000)
    expect(cell.get_by_text("line 3: amount is null")).to_be_visible()


def test_a_check_from_the_menu_of_a_column_counts_failing_rows_first_and_makes_them_red(page: Page) -> None:
    open_dataset(page, "visits")
    page.get_by_role("button", name="Column age", exact=True).click()
    page.get_by_role("menuitem", name="Add a check…").click()
    dialog = page.get_by_role("dialog", name="Add a check: age")
    preview = dialog.get_by_role("region", name="Preview")
    expect(preview.get_by_role("status")).to_have_text("1 row of 4 fails.", timeout=FIRST_RUN)
    expect(preview.get_by_role("listitem")).to_have_text(["Line 5: age is missing"])
    dialog.get_by_role("button", name="age is between 7 and 230", exact=True).click()
    expect(dialog.get_by_label("Largest")).to_have_value("230")
    expect(preview.get_by_role("status")).to_have_text("No row of 4 fails.")
    dialog.get_by_label("Largest").fill("120")
    expect(preview.get_by_role("status")).to_have_text("1 row of 4 fails.")
    expect(preview.get_by_role("listitem")).to_have_text(["Line 3: age is 230"])
    assert faults(page) == []
    dialog.get_by_role("button", name="Add", exact=True).click()
    cell = page.locator("section[aria-label$=', expect']").last
    expect(cell.get_by_text("age is between 7 and 120: 1 of 4 rows")).to_be_visible(timeout=FIRST_RUN)
    open_dataset(page, "visits")
    expect(grid(page, "visits").locator("[data-doubtful]")).to_have_text(["230doubtful"])


def test_each_kind_of_check_of_a_column_says_how_many_rows_fail(page: Page) -> None:
    open_dataset(page, "visits", view="sheet")
    page.get_by_role("button", name="Column ward", exact=True).click()
    page.get_by_role("menuitem", name="Add a check…").click()
    dialog = page.get_by_role("dialog", name="Add a check: ward")
    counted = dialog.get_by_role("region", name="Preview").get_by_role("status")
    kind = dialog.get_by_role("combobox", name="Each value")
    expect(counted).to_have_text("No row of 4 fails.", timeout=FIRST_RUN)
    kind.select_option("is unique and not missing")
    expect(counted).to_have_text("2 rows of 4 fail.")
    kind.select_option("is one of")
    dialog.get_by_label("Values, one on each line").fill("North\nEast")
    expect(counted).to_have_text("1 row of 4 fails.")
    kind.select_option("matches")
    dialog.get_by_label("Regular expression for the whole text").fill("[A-Z][a-z]{3}")
    expect(counted).to_have_text("3 rows of 4 fail.")
    dialog.get_by_label("Regular expression for the whole text").fill("[A-Z")
    expect(counted).to_contain_text("PatternSyntaxException")
    kind.select_option("is in another dataset")
    dialog.get_by_role("combobox", name="Dataset", exact=True).select_option("wards")
    expect(dialog.get_by_role("combobox", name="Column", exact=True)).to_have_value("ward")
    expect(counted).to_have_text("2 rows of 4 fail.")
    dialog.get_by_role("button", name="Add", exact=True).click()
    cell = page.locator("section[aria-label$=', expect']").last
    expect(cell.get_by_text("ward is in wards (ward): 2 of 4 rows")).to_be_visible(timeout=FIRST_RUN)


def test_a_range_stated_from_the_menu_of_a_column_shows_at_its_cells(page: Page) -> None:
    open_dataset(page, "beds")
    page.get_by_role("button", name="Column beds", exact=True).click()
    page.get_by_role("menuitem", name="State a range…").click()
    dialog = page.get_by_role("dialog", name="State a range: beds")
    dialog.get_by_label("In which rows").fill("ward = 'East'")
    dialog.get_by_label("Least value").fill("15")
    expect(dialog.get_by_role("button", name="State", exact=True)).to_be_disabled()
    dialog.get_by_label("Greatest value").fill("25")
    dialog.get_by_label("Why it is in doubt").fill("an estimate")
    assert faults(page) == []
    dialog.get_by_role("button", name="State", exact=True).click()
    cell = page.locator("section[aria-label$=', caveat']").last
    expect(cell).to_have_attribute("data-status", "ready", timeout=FIRST_RUN)
    open_dataset(page, "beds")
    doubtful = grid(page, "beds").locator("[data-doubtful]")
    expect(doubtful).to_have_text(["20doubtful"])
    doubtful.hover()
    expect(doubtful).to_have_attribute("title", "20 (between 15 and 25), given what caveats state")


def open_dataset(page: Page, name: str, **where: str) -> None:
    address = page.url.partition("/?")[0].rstrip("/")
    page.goto(f"{address}/?{urlencode({'dataset': name, **where})}")
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
