"""What the page offers with a dataset or a result: tools, remedies for a doubtful value, all rows as a file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import openpyxl
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import whence
from tests.web.conftest import BY_SUPPLIER, PRICES, cell, faults, grid, inspector, watched_page
from tests.web.servers import Served, serving

COLUMNS = ["part", "supplier", "description", "price", "stock"]
PARTS = ["A-100", "A-101", "B-200", "B-201", "B-202", "C-300", "C-301"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "prices.csv").write_text(PRICES, encoding="utf-8")
    with whence.open(folder / "w.whence") as ws:
        ws.create(
            "counted",
            [("bolts", 12, 1 / 3), ("nuts", 40, 2.5)],
            schema="what string, pieces int, share double",
            cell_caveats=[(0, "pieces", "smudged", (10, 14)), (1, "pieces", "torn off")],
        )
        ws.sql("select sum(pieces) as pieces from counted where what = 'bolts'", name="pieces_in_all")
        # The range says that the bolts are certainly there, so bounds need a run of their own.
        ws.sql("select what, pieces from counted where pieces > 5 and what = 'bolts'", name="more_than_five")
        notebook = ws.notebook("n")
        notebook.append("load", source=str(folder / "prices.csv"), name="prices")
        notebook.append("sql", source=BY_SUPPLIER, name="by_supplier")
        notebook.wait()
    with serving(folder / "w.whence") as server:
        yield server


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        watched.page.goto(f"{served.address}/?dataset=prices")
        yield watched.page
        # The browser reports a request that the server refuses with a sentence, such as a filter by what is no number.
        assert [each for each in watched.complaints if "Failed to load resource" not in each] == []


def test_all_rows_are_saved_as_a_file(page: Page, tmp_path: Path) -> None:
    grid(page, "prices").wait_for()
    for form in ("CSV", "Excel", "Parquet"):
        page.get_by_role("button", name="Download prices").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=form, exact=True).click()
        saved = tmp_path / download.value.suggested_filename
        download.value.save_as(saved)
        assert saved.stem == "prices"
        assert names_and_first_column(saved) == (COLUMNS, PARTS)


def test_view_and_edit_show_the_same_grid_with_the_same_selection(page: Page, served: Served) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=served.address)
    row, price = 4, 3
    picked = cell(page, "prices", row, price)
    picked.click()
    expect(picked).to_have_text("18.40")
    expect(picked).to_have_attribute("aria-label", "price, B-202: 18.40")
    expect(cell(page, "prices", 3, price)).to_have_attribute("aria-label", "price, B-201: null, doubtful")
    expect(grid(page, "prices").locator(f'[data-row="{row}"] [role="rowheader"] span')).to_have_text(["5", "7"])
    expect(inspector(page).get_by_role("heading", level=2)).to_have_text("price in row 5")
    expect(inspector(page).get_by_role("region", name="Value")).to_contain_text(re.compile(r"18\.4\D"))
    inspector(page).get_by_role("button", name="Copy as Python").click()
    expect(page.get_by_text('Copied: ws["prices"].lineage.cell(4, "price")')).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == 'ws["prices"].lineage.cell(4, "price")'

    switch = page.get_by_role("navigation", name="View or edit")
    switch.get_by_role("link", name="Edit").click()
    sheet = page.get_by_role("grid", name="prices, sheet")
    selected = sheet.locator("[data-active]")
    expect(selected).to_have_text("18.40")
    expect(selected).to_have_attribute("aria-label", "price, B-202: 18.40")
    expect(sheet.locator(f'[data-row="{row}"] [role="rowheader"] span')).to_have_text(["5", "7"])
    name = sheet.get_by_role("columnheader", name="price").get_by_text("price", exact=True)
    assert name.evaluate("e => getComputedStyle(e).textAlign") == "right"
    assert faults(page) == []
    switch.get_by_role("link", name="View").click()
    expect(picked).to_have_attribute("aria-selected", "true")
    expect(page).to_have_url(re.compile(r"\?dataset=prices&row=4&column=price$"))


def test_filter_sort_and_selection_are_the_same_in_both_modes(page: Page, served: Served) -> None:
    rows = grid(page, "prices")
    supplier = 1
    cell(page, "prices", 4, supplier).click()
    expect(inspector(page).get_by_role("region", name="Value")).to_contain_text("Acme")
    tools(page, "prices").get_by_role("button", name="Filter prices").click()
    form = page.get_by_role("form", name="Filter prices")
    expect(form.get_by_role("combobox", name="Column")).to_have_value("supplier")
    expect(form.get_by_role("textbox", name="Value")).to_have_value("Acme")
    form.get_by_role("button", name="Filter", exact=True).click()
    expect(form.get_by_role("status")).to_have_text("3 of 7 rows")
    expect(rows.get_by_role("rowheader").locator("span:first-of-type")).to_have_text(["3", "4", "5"])
    tools(page, "prices").get_by_role("button", name="Sort prices").click()
    page.get_by_role("menuitem", name="part", exact=True).click()
    tools(page, "prices").get_by_role("button", name="Sort prices").click()
    page.get_by_role("menuitem", name="part ↑").click()
    expect(rows.get_by_role("rowheader").locator("span:first-of-type")).to_have_text(["5", "4", "3"])
    expect(rows.get_by_role("gridcell", selected=True)).to_have_attribute("aria-label", "supplier, B-202: Acme")
    rows.focus()
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile("filter=.*row=3&column=supplier$"))
    assert faults(page) == []
    page.get_by_role("navigation", name="View or edit").get_by_role("link", name="Edit").click()
    sheet = page.get_by_role("grid", name="prices, sheet")
    expect(sheet.get_by_role("rowheader")).to_have_count(3)
    expect(sheet.locator("[data-active]")).to_have_attribute("aria-label", re.compile("^supplier, B-201: Acme"))
    page.get_by_role("navigation", name="View or edit").get_by_role("link", name="View").click()
    expect(rows.get_by_role("gridcell", selected=True)).to_have_attribute("aria-label", re.compile("^supplier, B-201"))
    rows.focus()
    page.keyboard.press("F2")
    expect(sheet.get_by_role("textbox")).to_have_value("Acme")


def test_the_menu_of_a_column_sorts_filters_and_opens_its_changes_in_the_sheet(page: Page, served: Served) -> None:
    rows = grid(page, "prices")
    page.get_by_role("button", name="Column part", exact=True).click()
    page.get_by_role("menuitem", name="Sort descending").click()
    expect(rows.get_by_role("columnheader", name="part")).to_have_attribute("aria-sort", "descending")
    expect(rows.get_by_role("rowheader").locator("span:first-of-type").first).to_have_text("7")
    page.get_by_role("button", name="Column supplier", exact=True).click()
    page.get_by_role("menuitem", name="Filter…").click()
    form = page.get_by_role("form", name="Filter prices")
    expect(form.get_by_role("combobox", name="Column")).to_have_value("supplier")
    form.get_by_role("textbox", name="Value").fill("Lumen")
    page.keyboard.press("Enter")
    expect(rows.get_by_role("rowheader").locator("span:first-of-type")).to_have_text(["7", "6"])
    cell(page, "prices", 0, 1).click()
    rows.focus()
    page.keyboard.press("Alt+ArrowDown")
    menu = page.get_by_role("menu", name="Column supplier")
    expect(menu.get_by_role("menuitem", name="Sort ascending")).to_be_focused()
    assert faults(page) == []
    menu.get_by_role("menuitem", name="Change capitals…").click()
    dialog = page.get_by_role("dialog", name="Change capitals: supplier")
    expect(dialog.get_by_role("cell", name="lumen").first).to_be_visible()
    page.keyboard.press("Escape")
    switch = page.get_by_role("navigation", name="View or edit")
    switch.get_by_role("link", name="View").click()
    expect(rows.get_by_role("rowheader")).to_have_count(2)
    switch.get_by_role("link", name="Edit").click()
    expect(page.get_by_role("grid", name="prices, sheet").get_by_role("rowheader")).to_have_count(2)
    expect(page.get_by_role("dialog")).to_have_count(0)


def names_and_first_column(saved: Path) -> tuple[list[str], list[str]]:
    if saved.suffix == ".parquet":
        table = pq.read_table(saved)
        return table.column_names, table.column(0).to_pylist()
    if saved.suffix == ".xlsx":
        rows = [list(map(str, row)) for row in openpyxl.load_workbook(saved).worksheets[0].iter_rows(values_only=True)]
    else:
        with saved.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
    return rows[0], [row[0] for row in rows[1:]]


def tools(page: Page, name: str) -> Locator:
    return page.get_by_role("toolbar", name=f"Tools of {name}")


def first_column(page: Page, name: str) -> Locator:
    return page.get_by_role("grid", name=re.compile(f"ows of {name}$")).locator("tbody td:first-child")


def test_a_result_is_filtered_sorted_lengthened_and_copied(page: Page, served: Served) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=served.address)
    page.goto(f"{served.address}/?notebook=n")
    expect(first_column(page, "prices")).to_have_text(PARTS[:5])
    tools(page, "prices").get_by_role("button", name="More rows of prices").click()
    expect(first_column(page, "prices")).to_have_text(PARTS)
    tools(page, "prices").get_by_role("button", name="Sort prices").click()
    page.get_by_role("menuitem", name="price", exact=True).click()
    expect(first_column(page, "prices").first).to_have_text("B-201")  # no value comes before all others, as in Spark
    page.get_by_role("columnheader", name="price", exact=True).get_by_role("button").click()
    expect(first_column(page, "prices").first).to_have_text("B-202")
    tools(page, "prices").get_by_role("button", name="Filter prices").click()
    form = page.get_by_role("form", name="Filter prices")
    form.get_by_role("combobox", name="Column").select_option("stock")
    form.get_by_role("combobox", name="Test").select_option("at least")
    form.get_by_role("textbox", name="Value").fill("many")
    page.keyboard.press("Enter")
    expect(form.get_by_role("status")).to_have_text(re.compile("'many' does not fit column stock"))
    form.get_by_role("button", name="Remove the filter stock at least many").click()
    form.get_by_role("textbox", name="Value").fill("190")
    page.keyboard.press("Enter")
    expect(first_column(page, "prices")).to_have_text(["C-301", "A-101", "A-100", "B-201"])
    expect(form.get_by_role("status")).to_have_text("4 of 7 rows")
    assert faults(page) == []
    tools(page, "prices").get_by_role("button", name="Copy prices as a table").click()
    expect(page.get_by_text("Copied 4 rows of 5 columns.")).to_be_visible()
    plain, html = page.evaluate(
        "async () => { const [item] = await navigator.clipboard.read();"
        " return Promise.all(['text/plain', 'text/html'].map(async t => (await item.getType(t)).text())) }"
    )
    assert plain.split("\n")[:2] == ["\t".join(COLUMNS), "C-301\tLumen\tRelay 24 V\t12.75\t190"]
    assert "<td>C-301</td><td>Lumen</td>" in html
    tools(page, "prices").get_by_role("link", name="Edit prices as a sheet").click()
    expect(page).to_have_url(re.compile("view=sheet.*filter="))
    expect(page.get_by_role("grid", name="prices, sheet").get_by_role("rowheader")).to_have_count(4)


def test_the_tools_of_a_result_lead_to_its_chart_caveats_lineage_and_explanation(page: Page, served: Served) -> None:
    def use(name: str, role: Literal["button", "link"] = "link") -> None:
        page.goto(f"{served.address}/?notebook=n")
        tools(page, "by_supplier").get_by_role(role, name=name).click()

    use("Draw by_supplier as a chart")
    expect(page.get_by_role("combobox", name="Dataset")).to_have_value("by_supplier")
    use("Caveats of by_supplier")
    expect(page.get_by_role("article", name="Group of caveats")).to_be_visible()
    page.get_by_role("button", name=re.compile("^in by_supplier")).click()
    expect(page).not_to_have_url(re.compile("dataset="))
    use("Lineage of by_supplier")
    expect(page.get_by_role("region", name="Graph")).to_contain_text("by_supplier")
    use("Explain values of by_supplier", "button")
    expect(page.get_by_text("Click the number of by_supplier that looks odd, then Explain.")).to_be_visible()
    page.get_by_role("grid", name="First rows of by_supplier").get_by_role("button", name="average price, Acme").click()
    tools(page, "by_supplier").get_by_role("button", name="Explain values of by_supplier").click()
    asked = page.get_by_role("region", name=re.compile(", explain$"))
    expect(asked).to_be_visible()
    cells = page.evaluate("async () => (await (await fetch('/api/notebooks/n')).json()).cells")
    given = {"source": "by_supplier", "column": "average_price", "outliers": [0], "direction": "high"}
    assert cells[2]["values"].items() >= given.items()
    row = tools(page, "by_supplier")
    row.get_by_role("link", name="Draw by_supplier as a chart").focus()
    page.keyboard.press("ArrowLeft")
    expect(row.get_by_role("button", name="Explain values of by_supplier")).to_be_focused()
    assert row.locator("[tabindex='0']").count() == 1


def test_a_doubtful_value_is_mended_read_as_missing_or_accepted(page: Page) -> None:
    price, stock = 3, 4
    cell(page, "prices", 3, price).click()
    inspector(page).get_by_role("button", name="Treat “21 USD” as missing").click()
    expect(page.get_by_text("The file is read again with “21 USD” as no value.")).to_be_visible()
    expect(inspector(page).get_by_text("Nothing is doubtful about this cell.")).to_be_visible()
    assert faults(page) == []

    cell(page, "prices", 5, stock).click()
    expect(inspector(page).get_by_role("button", name="Treat “n/a” as missing")).to_be_visible()
    inspector(page).get_by_role("button", name="Accept…").click()
    expect(page.get_by_role("form", name="Acknowledge")).to_be_visible()
    expect(page).to_have_url(re.compile("view=caveats.*group="))
    group = page.get_by_role("article", name="Group of caveats")
    expect(group.get_by_role("button", name="Treat “n/a” as missing")).to_be_visible()
    page.go_back()

    inspector(page).get_by_role("button", name="Fix").click()
    expect(page).to_have_url(re.compile("view=sheet.*row=5.*column=stock"))
    expect(page.get_by_role("grid")).to_be_visible()


def test_a_doubtful_value_tells_how_wrong_it_can_be(page: Page, served: Served) -> None:
    for row, words in (
        (0, "12 (between 10 and 14), given what caveats state."),
        (1, "It could be anything. No caveat states a range for it."),
    ):
        page.goto(f"{served.address}/?dataset=counted&row={row}&column=pieces")
        expect(inspector(page).get_by_role("status")).to_contain_text(words)
    header = grid(page, "counted").get_by_role("columnheader", name="pieces").get_by_text("≥ 33 % wide")
    expect(header).to_have_attribute("title", re.compile("1 of 2 doubtful cells could be anything. No range"))
    cell(page, "counted", 0, 1).hover()
    expect(cell(page, "counted", 0, 1)).to_have_attribute("title", "12 (between 10 and 14), given what caveats state")
    assert faults(page) == []


def test_bounds_of_a_result_come_with_it(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?dataset=pieces_in_all&row=0&column=pieces")
    expect(inspector(page).get_by_role("status")).to_contain_text("12 (between 10 and 14), given what caveats state.")
    header = grid(page, "pieces_in_all").get_by_role("columnheader", name="pieces")
    expect(header).to_contain_text("33 % wide")
    inspector(page).get_by_role("button", name="What makes it so wide?").click()
    parts = inspector(page).get_by_role("list", name="What makes it so wide").get_by_role("listitem")
    expect(parts).to_have_text(["smudged 100 % of the width. Accept this and it is 12."])
    page.get_by_role("navigation", name="View or edit").get_by_role("link", name="Edit").click()
    sheet = page.get_by_role("grid", name="pieces_in_all, sheet")
    expect(sheet.get_by_role("columnheader", name="pieces")).to_contain_text("33 % wide")
    expect(inspector(page).get_by_role("status")).to_contain_text("12 (between 10 and 14)")
    doubtful = sheet.locator("[data-doubtful]").first
    doubtful.hover()
    expect(doubtful).to_have_attribute("title", "12 (between 10 and 14), given what caveats state")
    assert faults(page) == []


def test_bounds_that_need_a_run_of_their_own_show_after_someone_asked(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?dataset=more_than_five&row=0&column=pieces")
    button = inspector(page).get_by_role("button", name="How wrong can it be?")
    expect(button).to_be_visible()
    header = grid(page, "more_than_five").get_by_role("columnheader", name="pieces")
    expect(header).not_to_contain_text("wide")
    button.click()
    expect(inspector(page).get_by_role("status")).to_contain_text("12 (between 10 and 14), given what caveats state.")
    expect(header).to_contain_text("33 % wide")
    cell(page, "more_than_five", 0, 1).hover()
    expect(cell(page, "more_than_five", 0, 1)).to_have_attribute("title", re.compile("between 10 and 14"))
    assert faults(page) == []


def test_view_and_edit_have_one_inspector(page: Page, served: Served) -> None:
    switch, panel = page.get_by_role("navigation", name="View or edit"), inspector(page)
    page.goto(f"{served.address}/?dataset=counted&row=0&column=share")
    for mode in ("View", "Edit"):
        switch.get_by_role("link", name=mode).click()
        expect(page.get_by_role("gridcell", selected=True)).to_contain_text("0.333")
        expect(panel.get_by_role("region", name="Value")).to_contain_text(str(1 / 3))
    switch.get_by_role("link", name="View").click()
    cell(page, "counted", 0, 1).click()
    expect(panel.get_by_role("heading", level=2)).to_have_text("pieces in row 1")
    expect(panel).to_contain_text("smudged")
    expect(panel.get_by_role("status")).to_contain_text("12 (between 10 and 14)")
    panel.evaluate("panel => { panel.isTheOne = true }")
    read = panel.inner_text()
    switch.get_by_role("link", name="Edit").click()
    sheet = page.get_by_role("grid", name="counted, sheet")
    expect(sheet.locator("[data-active]")).to_contain_text("12")
    expect(panel).to_contain_text("smudged")
    expect(panel.get_by_role("status")).to_contain_text("12 (between 10 and 14)")
    assert panel.evaluate("panel => panel.isTheOne")
    assert panel.inner_text() == read
    sheet.locator("[data-active]").click()
    page.keyboard.type("13")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    history = panel.get_by_role("region", name="Edit history").get_by_role("listitem")
    expect(history).to_have_text([re.compile("^13"), re.compile("^12 *In the data")])
    expect(panel).to_contain_text("Below: the data under the edit")
    expect(panel.get_by_role("status")).to_be_hidden()
    assert faults(page) == []
    switch.get_by_role("link", name="View").click()
    expect(panel.get_by_role("region", name="Edit history")).to_be_hidden()
    expect(panel).to_contain_text("smudged")
    expect(panel.get_by_role("status")).to_contain_text("12 (between 10 and 14)")
    assert panel.evaluate("panel => panel.isTheOne")
    assert panel.inner_text() == read
