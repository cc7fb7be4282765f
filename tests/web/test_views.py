"""Caveats and lineage of the whole workspace in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.conftest import Theme, cell, faults, inspector, watched_page
from tests.web.corpus import NASTY
from tests.web.servers import Served

SPARK = 120_000
"""Milliseconds: Spark starts with the first question that runs a query again."""


def rail(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Notebooks and datasets")


def card(page: Page) -> Locator:
    return page.get_by_role("article", name="Group of caveats")


def groups(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Groups of caveats")


def open_caveats(page: Page) -> None:
    rail(page).get_by_role("link", name=re.compile("^Caveats")).click()
    expect(page.get_by_role("heading", name="Caveats")).to_be_visible()


def test_caveats_are_listed_in_groups_with_examples_and_impact(page: Page) -> None:
    open_caveats(page)
    groups(page).get_by_role("button", name=re.compile("prices · price")).click()
    expect(card(page)).to_contain_text("21 USD")
    expect(card(page).get_by_role("row", name=re.compile("prices row 4, price 6 21 USD"))).to_be_visible()
    impact = card(page).get_by_role("region", name="Impact")
    expect(impact).to_contain_text(re.compile("by_supplier.*1 cell of average_price.*of 3 rows"))
    assert "group=" in page.url
    page.reload()
    expect(card(page)).to_contain_text("21 USD")
    page.get_by_role("group", name="Group by").get_by_role("button", name="column").click()
    expect(groups(page).get_by_role("heading", name=re.compile("^stock"))).to_be_visible()
    assert "by=column" in page.url


def test_a_group_is_acknowledged_with_a_note_and_doubted_again(page: Page, served: Served) -> None:
    open_caveats(page)
    groups(page).get_by_role("button", name=re.compile("prices · price")).click()
    other = page.context.new_page()
    other.goto(f"{served.address}/?dataset=by_supplier")
    expect(cell(other, "by_supplier", 0, 2)).to_contain_text("doubtful")
    page.keyboard.press("e")
    expect(page.get_by_role("textbox", name="Note", exact=True)).to_be_focused()
    page.keyboard.type("agreed with Acme by phone")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("^Acknowledged: it stays"))).to_be_visible(timeout=SPARK)
    expect(groups(page).get_by_role("button", name=re.compile("prices · price"))).to_have_count(0)
    other.reload()
    expect(cell(other, "by_supplier", 0, 2)).to_be_visible()
    expect(cell(other, "by_supplier", 0, 2)).not_to_contain_text("doubtful")
    page.get_by_role("group", name="Show").get_by_role("button", name="acknowledged").click()
    expect(card(page)).to_contain_text("agreed with Acme by phone")
    page.get_by_role("heading", name="Caveats").click()
    page.keyboard.press("u")
    expect(page.get_by_text("Doubted again; its marks are back.")).to_be_visible(timeout=SPARK)
    other.reload()
    expect(cell(other, "by_supplier", 0, 2)).to_contain_text("doubtful")


def test_only_what_is_new_since_a_version_is_listed(page: Page) -> None:
    open_caveats(page)
    since = page.get_by_role("combobox", name=re.compile("^New since"))
    since.select_option("dataset:stocktake@")
    expect(page.get_by_text("1 new caveat in 1 group, 1 dataset looked at")).to_be_visible()
    expect(card(page)).to_contain_text("torn off")
    expect(card(page).get_by_role("region", name="Impact")).to_contain_text("1 cell of pieces, of 2 rows")
    assert "since=dataset" in page.url
    page.reload()
    expect(card(page).get_by_role("row", name=re.compile("stocktake row 2, pieces"))).to_be_visible()
    expect(page.get_by_role("combobox", name="Version", exact=True)).to_have_value("1")
    since.select_option("dataset:averages@")
    expect(page.get_by_text("Nothing new since version 1 of averages.")).to_be_visible()
    page.get_by_role("button", name="Show the old ones, too").click()
    expect(groups(page).get_by_role("button", name=re.compile("prices · price"))).to_be_visible()
    assert "since" not in page.url


def test_keys_walk_the_groups_and_open_a_place(page: Page) -> None:
    open_caveats(page)
    expect(card(page)).to_be_visible()
    first = card(page).get_by_role("heading").first.inner_text()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(card(page).get_by_role("heading").first).not_to_have_text(first)
    page.keyboard.press("k")
    page.keyboard.press("k")
    expect(card(page).get_by_role("heading").first).to_have_text(first)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("dataset="))
    page.go_back()
    expect(page.get_by_role("heading", name="Caveats")).to_be_visible()


def test_lineage_leads_from_an_aggregate_to_the_line_of_the_file(page: Page) -> None:
    cell(page, "by_supplier", 0, 2).click()
    inspector(page).get_by_role("link", name="Explore lineage").click()
    expect(page.get_by_role("heading", name="Lineage")).to_be_visible()
    graph = page.get_by_role("region", name="Graph")
    node = graph.get_by_role("button", name=re.compile("^prices · price"))
    expect(node).to_contain_text("doubtful")
    node.click()
    panel = page.get_by_role("complementary", name="About the selection")
    expect(panel).to_contain_text("line 6")
    panel.get_by_role("link", name="row 4").click()
    expect(cell(page, "prices", 3, 3)).to_have_attribute("aria-selected", "true")
    expect(inspector(page)).to_contain_text("prices.csv, line 6")


def test_columns_are_followed_and_the_picture_is_saved(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?view=lineage&dataset=by_supplier&column=average_price&level=columns")
    graph = page.get_by_role("region", name="Graph")
    expect(graph.get_by_role("button", name=re.compile("^prices · supplier string · grouped"))).to_be_visible()
    graph.get_by_role("button", name=re.compile("^prices · price double · ")).click()
    panel = page.get_by_role("complementary", name="About the selection")
    went = panel.get_by_role("region", name="Went into")
    went.get_by_role("button", name="by_supplier · average_price", exact=True).click()
    made = panel.get_by_role("region", name="Made of")
    expect(made).to_contain_text("aggregatedprices · price")
    page.get_by_role("combobox", name="Column", exact=True).select_option("stock")
    expect(graph.get_by_role("button", name=re.compile("^prices · stock"))).to_be_visible()
    page.get_by_role("group", name="Direction").get_by_role("button", name="results").click()
    expect(graph.get_by_role("button", name=re.compile("^prices · stock"))).to_have_count(0)
    page.get_by_role("group", name="Direction").get_by_role("button", name="sources").click()
    with page.expect_download() as saved:
        graph.locator("..").get_by_role("button", name="Save the picture").click()
    assert saved.value.suggested_filename == "lineage by_supplier_1 stock.svg"
    picture = saved.value.path().read_text(encoding="utf-8")
    assert picture.startswith("<svg ")
    assert "prices · stock" in picture


def test_a_row_that_is_missing_is_explained(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?view=lineage&dataset=prices&row=4&column=price&level=rows")
    graph = page.get_by_role("region", name="Graph")
    graph.get_by_role("button", name=re.compile("^others not in it")).click()
    why = page.get_by_role("region", name="Why not", exact=True)
    why.get_by_role("button", name="What became of row 5 of prices").click()
    expect(why).to_contain_text("Row 5 of prices@1 did not get into others@1", timeout=SPARK)
    expect(why).to_contain_text("supplierAcme")
    page.get_by_role("group", name="Level").get_by_role("button", name="datasets").click()
    graph.get_by_role("button", name=re.compile("^others ")).click()
    why.get_by_role("textbox", name="Condition").fill("part = 'A-100'")
    why.get_by_role("button", name="Why not?").click()
    expect(why).to_contain_text("Row 1 of prices is there: it is in row 1 of others.", timeout=SPARK)
    why.get_by_role("textbox", name="Condition").fill("part = 'Z'")
    why.get_by_role("button", name="Why not?").click()
    expect(why).to_contain_text("No row of prices is like that.", timeout=SPARK)


def test_keys_can_be_given_to_other_commands(page: Page) -> None:
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    sheet.get_by_role("button", name="Go anywhere, do anything: Ctrl K", exact=True).click()
    page.keyboard.press("Control+Alt+g")
    expect(sheet.get_by_role("button", name="Go anywhere, do anything: Ctrl Alt G", exact=True)).to_be_visible()
    sheet.get_by_role("button", name="Acknowledge: E", exact=True).click()
    page.keyboard.press("u")
    expect(sheet.get_by_text("U is taken: Doubt again (Caveats).")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name=re.compile("^Search Ctrl Alt G"))).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Commands")).to_have_count(0)
    page.keyboard.press("Control+Alt+g")
    expect(page.get_by_role("dialog", name="Commands")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Commands")).to_have_count(0)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    sheet.get_by_role("button", name="Reset all").click()
    expect(sheet.get_by_role("button", name="Go anywhere, do anything: Ctrl K", exact=True)).to_be_visible()


def test_rows_are_followed_in_both_directions(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?view=lineage&dataset=by_supplier&row=0&column=average_price&level=rows")
    graph = page.get_by_role("region", name="Graph")
    graph.get_by_role("button", name=re.compile("^prices 3 of 7 rows")).click()
    panel = page.get_by_role("complementary", name="About the selection")
    expect(panel).to_contain_text("3 rows behind row 1 of by_supplier")
    page.goto(f"{served.address}/?view=lineage&dataset=prices&row=3&column=price&level=rows")
    expect(graph.get_by_role("button", name=re.compile("^by_supplier 1 of 3 rows"))).to_be_visible()
    graph.get_by_role("button", name=re.compile("^by_supplier")).click()
    expect(panel).to_contain_text("1 row made from row 4 of prices")
    panel.get_by_role("button", name="Open row 1 of by_supplier").click()
    page.wait_for_url(re.compile(r"dataset=by_supplier&row=0"))


def test_the_graph_and_the_tree_can_be_walked_by_keys(page: Page) -> None:
    rail(page).get_by_role("link", name="Lineage").click()
    graph = page.get_by_role("region", name="Graph")
    prices = graph.get_by_role("button", name=re.compile("^prices "))
    prices.focus()
    page.keyboard.press("ArrowRight")
    expect(graph.locator("button:focus")).to_contain_text(re.compile("averages|by_supplier"))
    page.keyboard.press("ArrowLeft")
    expect(prices).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="prices")).to_be_visible()
    page.go_back()
    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Find in the graph").fill("dearest")
    page.keyboard.press("Enter")
    tree = page.get_by_role("tree", name="Lineage")
    expect(tree.get_by_role("treeitem").first).to_contain_text("dearest")
    tree.get_by_role("treeitem").first.focus()
    page.keyboard.press("ArrowDown")
    expect(tree.locator(":focus")).to_contain_text("averages")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(tree.locator(":focus")).to_contain_text("dearest")
    page.keyboard.press("ArrowLeft")
    expect(tree.get_by_role("treeitem")).to_have_count(1)


def test_names_and_values_are_never_taken_for_markup(page: Page, served: Served) -> None:
    open_caveats(page)
    groups(page).get_by_role("button", name=re.compile(re.escape(NASTY[2]))).click()
    expect(card(page)).to_contain_text(NASTY[2])
    page.goto(f"{served.address}/?view=lineage")
    expect(page.get_by_role("region", name="Graph")).to_contain_text(NASTY[0])
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Go to or do").fill("<img")
    expect(page.get_by_role("dialog").get_by_role("option").first).to_contain_text(NASTY[0])
    assert (
        page.locator("#root").evaluate("e => e.querySelectorAll('script, iframe, style, math, img[src=x]').length") == 0
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_serious_accessibility_fault(browser: Browser, served: Served, theme: Theme) -> None:
    with watched_page(browser, theme) as watched:
        page = watched.page
        page.goto(served.link)
        open_caveats(page)
        expect(card(page)).to_be_visible()
        assert faults(page) == []
        for level in ("datasets", "columns", "rows", "values"):
            page.goto(f"{served.address}/?view=lineage&dataset=by_supplier&row=0&column=average_price&level={level}")
            expect(page.get_by_role("region", name="Graph").get_by_role("button").first).to_be_visible()
            assert faults(page) == []
        assert watched.complaints == []
