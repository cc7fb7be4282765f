"""Forms of cells in a real browser: what they offer, and their effect before it is kept."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from importlib.resources import as_file, files

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import add_cell, faults
from tests.web.notebooks import FIRST_RUN, new_notebook, tour_page
from tests.web.servers import Served


@pytest.fixture
def page(browser: Browser, tour_served: Served) -> Iterator[Page]:
    with tour_page(browser, tour_served) as page:
        yield page


def parts_of(supplier: str) -> list[str]:
    with (
        as_file(files("whence.workspace.tour") / "prices.csv") as path,
        path.open(newline="", encoding="utf-8") as file,
    ):
        return [row["part"] for row in csv.DictReader(file) if row["supplier"] == supplier]


def test_a_new_form_reads_what_is_made_above_it_and_its_fields_stand_in_one_line(page: Page) -> None:
    new_notebook(page, "prefilled")
    first = add_cell(page, "sort")
    expect(first.get_by_label("source", exact=True)).to_have_value("")
    first.get_by_label("source", exact=True).fill("prices")
    first.get_by_label("columns", exact=True).fill("price")
    first.get_by_role("button", name="Run", exact=True).first.click()
    expect(first.get_by_text("ready", exact=False).first).to_be_visible(timeout=FIRST_RUN)
    second = add_cell(page, "drop_duplicates")
    expect(second.get_by_label("source", exact=True)).to_have_value("sort_1")
    expect(second.get_by_label("columns", exact=True)).to_be_focused()
    # What it would do stands below before anything is typed.
    expect(second.get_by_role("region", name="Effect of the cell").locator("tbody tr").first).to_be_visible()
    lefts = second.locator("[data-form] :is(input, select)").evaluate_all(
        "fields => [...new Set(fields.map(field => Math.round(field.getBoundingClientRect().left)))]"
    )
    assert len(lefts) == 1
    second.get_by_role("button", name="Run", exact=True).first.click()
    expect(second.get_by_role("link", name="drop_duplicates_1", exact=True)).to_be_visible(timeout=FIRST_RUN)


def test_a_form_offers_what_is_there_and_shows_its_effect_before_it_is_kept(page: Page) -> None:
    new_notebook(page, "forms")
    cell = add_cell(page, "filter")
    source = cell.get_by_label("source", exact=True)
    source.click()
    cell.get_by_role("option", name=re.compile("^prices 20 rows$")).click()
    expect(source).to_have_value("prices")
    cell.get_by_label("Column to compare").fill("supp")
    offered = cell.get_by_role("option", name=re.compile("^supplier string"))
    expect(offered.get_by_role("img", name="4 different values")).to_be_visible()
    column = cell.get_by_label("Column to compare")
    expect(column).to_have_attribute("aria-activedescendant", re.compile("-0$"))
    page.keyboard.press("Enter")
    expect(column).to_have_value("supplier")
    cell.get_by_label("Value to compare with").click()
    cell.get_by_role("option", name=re.compile("^Acme Supply 5 rows$")).click()
    cell.get_by_role("button", name="Use").click()
    expect(cell.get_by_label("condition", exact=True)).to_have_value("supplier = 'Acme Supply'")
    effect = cell.get_by_role("region", name="Effect of the cell")
    expect(effect).to_contain_text("15 rows go. Kept rows where supplier = 'Acme Supply'.", timeout=FIRST_RUN)
    expect(effect.locator("tbody tr:not([data-dropped]) td:nth-child(2)")).to_have_text(parts_of("Acme Supply"))
    assert faults(page) == []
    effect.get_by_role("button", name="As SQL").click()
    expect(effect).to_contain_text("from `prices` where (supplier = 'Acme Supply')", use_inner_text=False)
    effect.get_by_role("button", name="As Python").click()
    expect(effect).to_contain_text(
        "ws.lens('filter', 'prices', name='filter_1', condition=\"supplier = 'Acme Supply'\")"
    )
    expect(cell.locator("header")).to_contain_text("draft")
    cell.locator("header").get_by_role("button", name="Run", exact=True).click()
    expect(cell.get_by_text(re.compile("^✓ *ready"))).to_be_visible(timeout=FIRST_RUN)
    expect(cell.get_by_text("5 rows", exact=True)).to_be_visible()
    expect(effect).to_have_count(0)
    cell.get_by_role("button", name=re.compile("^More for cell")).click()
    page.get_by_role("menuitem", name="Show as SQL or Python").click()
    expect(effect).to_contain_text("where (supplier = 'Acme Supply')")
    cell.get_by_label("condition", exact=True).fill("prise > 5")
    expect(effect).to_contain_text("There is no column prise")
    cell.get_by_label("condition", exact=True).fill("supplier = 'Rheinwerk'")
    expect(effect.locator("tbody tr:not([data-dropped]) td:nth-child(2)")).to_have_text(parts_of("Rheinwerk"))
    cell.get_by_role("button", name="Discard").click()
    expect(cell.get_by_label("condition", exact=True)).to_have_value("supplier = 'Acme Supply'")


@pytest.mark.long
def test_names_with_values_are_pairs_and_columns_are_chosen_by_keys(page: Page) -> None:
    new_notebook(page, "pairs")
    cell = add_cell(page, "rename")
    cell.get_by_label("source", exact=True).fill("prices")
    cell.get_by_label("columns", exact=True).fill("stock")
    cell.get_by_label("columns, value 1").fill("in stock")
    cell.get_by_label("columns, name 2").fill("part")
    cell.get_by_label("columns, value 2").fill("number")
    effect = cell.get_by_role("region", name="Effect of the cell")
    expect(effect.get_by_role("columnheader", name="in stock was stock")).to_be_visible(timeout=FIRST_RUN)
    expect(effect.get_by_role("columnheader", name="number was part")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(cell.get_by_role("columnheader", name="in stock", exact=True)).to_be_visible(timeout=FIRST_RUN)
    expect(cell.get_by_label("columns, name 2")).to_have_value("part")
    chosen = add_cell(page, "select")
    chosen.get_by_label("source", exact=True).fill("prices")
    columns = chosen.get_by_label("columns", exact=True)
    columns.click()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    expect(columns).to_have_value("part, supplier")
    page.keyboard.press("Escape")
    expect(chosen.get_by_role("listbox")).to_have_count(0)
    effect = chosen.get_by_role("region", name="Effect of the cell")
    expect(effect).to_contain_text("4 columns go.", timeout=FIRST_RUN)


def test_what_a_form_would_do_and_its_result_come_into_sight(page: Page) -> None:
    new_notebook(page, "sight")
    page.set_viewport_size({"width": 1280, "height": 560})
    cell = add_cell(page, "group_by")
    cell.get_by_label("source", exact=True).fill("prices")
    cell.get_by_label("columns", exact=True).fill("supplier")
    names, values = cell.get_by_label("values", exact=True), cell.get_by_label("values, value 1")
    expect(names).to_have_attribute("placeholder", "new columns")
    expect(values).to_have_attribute("placeholder", "an aggregate in SQL, such as sum(price)")
    names.fill("n")
    values.fill("count(*)")
    effect = cell.get_by_role("region", name="Effect of the cell")
    expect(effect.locator("tbody tr").first).to_be_in_viewport(timeout=FIRST_RUN)
    expect(values).to_be_in_viewport()
    page.keyboard.press("Control+Enter")
    rows = cell.get_by_role("grid", name=re.compile("^First rows"))
    expect(rows.get_by_role("gridcell").last.or_(rows.locator("td").last).first).to_be_in_viewport(timeout=FIRST_RUN)
    expect(values).to_be_focused()
