"""The rail in a real browser: groups, search, and what can be done to its entries, by mouse and by keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.conftest import Theme, faults, watched_page
from tests.web.servers import Served

FIRST_RUN = 240_000
"""Milliseconds: Spark starts with the first cell that runs."""

MAKE = """async ([name, datasets]) => {
  const send = async (path, body, type) =>
    (await fetch(path, { method: 'POST', headers: { 'content-type': type }, body })).json()
  const json = 'application/json'
  await send('/api/notebooks', JSON.stringify({ name }), json)
  for (const each of datasets) {
    const { path } = await send(`/api/uploads?name=${each}.csv`, 'x,y\\n1,2\\n', 'application/octet-stream')
    const cell = { kind: 'load', values: { source: path, name: each } }
    await send(`/api/notebooks/${name}/cells`, JSON.stringify(cell), json)
  }
}"""


@pytest.fixture
def page(browser: Browser, tour_served: Served) -> Iterator[Page]:
    with watched_page(browser) as watched:
        watched.page.goto(tour_served.link)
        watched.page.goto(f"{tour_served.address}/?notebook=tour")
        expect(watched.page.get_by_role("heading", name="tour")).to_be_visible()
        yield watched.page
        assert watched.complaints == []


def rail(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Notebooks and datasets")


def made_by(page: Page, notebook: str) -> Locator:
    return rail(page).get_by_role("list", name=f"Made by {notebook}", exact=True)


def entry(page: Page, name: str) -> Locator:
    return rail(page).get_by_role("link", name=re.compile(rf"^{name}\b"))


def choose(page: Page, what: str, command: str) -> None:
    """Take a command of an entry's menu by keys alone."""
    expect(page.get_by_role("dialog")).to_have_count(0)  # a dialog that closes takes the focus back with it
    rail(page).get_by_role("button", name=f"More about the {what}", exact=True).press("Enter")
    page.get_by_role("menuitem", name=re.compile(f"^{command}")).press("Enter")


def make_notebook(page: Page, name: str) -> None:
    """A notebook with two small files, which load without Spark."""
    page.evaluate(MAKE, [name, [f"{name}_ones", f"{name}_twos"]])
    page.goto(f"{page.url.partition('?')[0]}?notebook={name}")
    expect(entry(page, f"{name}_twos")).to_be_visible()


def test_entries_are_grouped_found_renamed_and_deleted_with_a_way_back(page: Page) -> None:
    expect(made_by(page, "tour").get_by_role("link", name=re.compile("^prices"))).to_be_visible()
    search = rail(page).get_by_role("searchbox")
    search.fill("supplier")
    expect(made_by(page, "tour").get_by_role("link", name=re.compile("^by_supplier"))).to_be_visible()
    search.fill("zebra")
    expect(rail(page).get_by_text("No results")).to_be_visible()
    search.press("Escape")
    page.keyboard.press("Control+b")
    expect(rail(page)).to_be_hidden()
    page.keyboard.press("Control+b")

    choose(page, "dataset prices", "Delete")
    dialog = page.get_by_role("dialog", name="Delete the dataset prices")
    expect(dialog).to_contain_text(re.compile(r"by_supplier.* made from it and will miss it\."))
    assert faults(page) == []
    dialog.get_by_role("button", name="Cancel").click()

    make_notebook(page, "small")
    entry(page, "small_ones").focus()
    page.keyboard.press("F2")
    expect(page.get_by_role("dialog", name="Rename the dataset small_ones")).to_be_visible()
    page.keyboard.type("units")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Renamed in 1 cell.")).to_be_visible()
    expect(made_by(page, "small").get_by_role("link", name=re.compile("^units"))).to_be_visible()

    choose(page, "dataset small_twos", "Delete")
    dialog = page.get_by_role("dialog", name="Delete the dataset small_twos")
    dialog.get_by_role("button", name="Delete").click()
    expect(entry(page, "small_twos")).to_have_count(0)
    page.get_by_role("button", name="Undo", exact=True).last.click()
    expect(entry(page, "small_twos")).to_be_visible()
    assert faults(page) == []


@pytest.mark.long
def test_notebooks_are_renamed_duplicated_exported_and_deleted(page: Page) -> None:
    make_notebook(page, "first")
    choose(page, "notebook first", "Rename")
    expect(page.get_by_role("dialog", name="Rename the notebook first")).to_be_visible()
    page.keyboard.type("second")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("notebook=second"))
    expect(page.get_by_role("heading", name="second", exact=True)).to_be_visible()
    for command, ending in (
        ("Export as Jupyter", "ipynb"),
        ("Export as PySpark", "zip"),
        ("Export as text", "txt"),
    ):
        with page.expect_download() as file:
            choose(page, "notebook second", command)
        assert file.value.suggested_filename == f"second.{ending}"
    choose(page, "notebook second", "Share as a file")
    with page.expect_download() as file:
        page.get_by_role("dialog").get_by_role("button", name="Save the file").click()
    assert file.value.suggested_filename == "second.html"
    with page.expect_download() as file:
        choose(page, "dataset first_ones", "Export as CSV")
    assert file.value.path().read_text(encoding="utf-8") == "x,y\n1,2\n"
    choose(page, "notebook second", "Duplicate")
    page.wait_for_url(re.compile("notebook=second(\\+|%20)copy"))
    expect(entry(page, "first_twos_copy")).to_be_visible(timeout=FIRST_RUN)
    choose(page, "dataset first_ones", "Duplicate")
    expect(page.get_by_text(re.compile("^first_ones_copy2 is made by a new cell"))).to_be_visible()
    entry(page, "second copy").focus()
    page.keyboard.press("Delete")
    dialog = page.get_by_role("dialog", name="Delete the notebook second copy")
    expect(dialog).to_contain_text("first_ones_copy and first_twos_copy")
    dialog.get_by_role("button", name="Delete").click()
    expect(entry(page, "second copy")).to_have_count(0)
    expect(entry(page, "first_twos_copy")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chart_opens_as_a_chart_and_folding_is_kept(browser: Browser, tour_served: Served, theme: Theme) -> None:
    with watched_page(browser, theme) as watched:
        page = watched.page
        page.goto(tour_served.link)
        page.goto(f"{tour_served.address}/?notebook=tour")
        fold = rail(page).get_by_role("button", name="Datasets of the notebook tour")
        fold.click()
        expect(made_by(page, "tour")).to_be_hidden()
        page.reload()
        expect(fold).to_have_attribute("aria-expanded", "false")
        fold.click()
        expect(made_by(page, "tour")).to_be_visible()
        charts = rail(page).locator("h2:text-is('Charts') + ul")
        charts.get_by_role("link").first.click()
        page.wait_for_url(re.compile("view=chart"))
        expect(page.locator("main svg[class*=marks], main canvas").first).to_be_visible(timeout=FIRST_RUN)
        assert faults(page) == []
        assert watched.complaints == []
