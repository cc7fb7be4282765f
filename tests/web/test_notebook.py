"""The notebook in a real browser: read, edit, run, go back, branch, two tabs, a restart in the middle."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import ROOT, Served, serving
from whence.cli.demo.tour import BY_SUPPLIER


FIRST_RUN = 240_000
"""Milliseconds: Spark starts with the first cell that runs."""


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the tour, made as `whence demo` makes it."""
    if not (ROOT / "src/whence/server/static/index.html").is_file():
        pytest.skip("the page is not built")
    place = tmp_path_factory.mktemp("tour") / "tour.whence"
    script = f"""
import whence
from whence.cli.demo.tour import make_tour
with whence.open({str(place)!r}) as ws:
    make_tour(ws)
"""
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
    return place


@pytest.fixture(scope="module")
def served(tour: Path) -> Iterator[Served]:
    with serving(tour) as server:
        yield server


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1400, "height": 950})
    page = context.new_page()
    page.goto(served.link)
    yield page
    context.close()


def test_a_notebook_is_read_edited_and_taken_back(page: Page, tmp_path: Path) -> None:
    expect(page.get_by_role("heading", name="tour")).to_be_visible(timeout=20_000)
    sql = page.locator("section[aria-label='Cell c3, sql']")
    expect(sql.get_by_role("link", name="by_supplier")).to_be_visible()
    expect(sql.locator("td[data-doubt]").first).to_be_visible()
    text = sql.get_by_role("textbox", name="the query")
    expect(text).to_have_value(BY_SUPPLIER)
    text.fill("select count(*) as parts from prices")
    text.press("Control+Enter")
    expect(sql.get_by_role("columnheader")).to_have_count(1, timeout=FIRST_RUN)
    expect(sql.get_by_text("ready")).to_be_visible(timeout=FIRST_RUN)
    page.screenshot(path=str(tmp_path / "notebook.png"))
    history = page.get_by_role("complementary", name="History")
    history.get_by_role("button", name="Restore").first.click()
    expect(text).to_have_value(BY_SUPPLIER, timeout=20_000)
    expect(sql.get_by_role("columnheader")).to_have_count(4, timeout=20_000)


def test_a_mistake_is_said_in_one_sentence_and_what_was_typed_stays(page: Page) -> None:
    sql = page.locator("section[aria-label='Cell c3, sql']")
    text = sql.get_by_role("textbox", name="the query")
    text.fill("select pric from prices")
    text.press("Control+Enter")
    expect(sql.get_by_role("alert")).to_contain_text("pric", timeout=FIRST_RUN)
    expect(text).to_have_value("select pric from prices")
    text.fill(BY_SUPPLIER)
    page.reload()
    expect(page.locator("section[aria-label='Cell c3, sql'] textarea")).to_have_value(BY_SUPPLIER, timeout=20_000)
    page.locator("section[aria-label='Cell c3, sql'] textarea").press("Control+Enter")
    expect(page.locator("section[aria-label='Cell c3, sql']").get_by_role("columnheader")).to_have_count(4, timeout=FIRST_RUN)


def test_two_tabs_see_each_other(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    note = page.locator("section[aria-label='Cell c1, markdown'] textarea")
    note.fill("changed in the first tab")
    note.press("Control+Enter")
    expect(other.locator("section[aria-label='Cell c1, markdown'] textarea")).to_have_value(
        "changed in the first tab", timeout=20_000
    )


def test_a_branch_has_its_own_cells(page: Page) -> None:
    history = page.get_by_role("complementary", name="History")
    history.get_by_role("button", name="Branch").first.click()
    history.get_by_role("textbox", name="Name of the branch").fill("try")
    history.get_by_role("textbox", name="Name of the branch").press("Enter")
    expect(page.get_by_role("combobox", name="Branch")).to_have_value("try", timeout=20_000)
    page.get_by_role("combobox", name="Branch").select_option("main")
    expect(page.get_by_role("combobox", name="Branch")).to_have_value("main", timeout=20_000)


def test_a_file_of_ones_own_is_loaded_and_asked_about(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "rainfall.csv"
    file.write_text("town,mm\nBergen,2250\nOslo,trace\nTromso,1031\nBodo,1020\nHamar,580\n")
    page.locator("input[type=file]").last.set_input_files(str(file))
    cell = page.locator("section[aria-label$=', load']").last
    expect(cell.get_by_role("link", name="rainfall")).to_be_visible(timeout=FIRST_RUN)
    expect(cell.locator("td[data-doubt]")).to_have_count(1)
    cell.get_by_role("link", name="rainfall").click()
    expect(page.get_by_role("heading", name="rainfall")).to_be_visible()
    page.get_by_role("gridcell", name="null").first.click()
    expect(page.get_by_text("trace").first).to_be_visible(timeout=20_000)


def test_what_cannot_be_done_is_said_where_one_looks(page: Page) -> None:
    page.get_by_role("combobox", name="Branch").wait_for()
    page.route("**/api/notebooks/tour/cells", lambda route: route.abort())
    page.get_by_role("button", name="+ sql").last.click()
    problem = page.get_by_role("alert").filter(has_text="does not answer")
    expect(problem).to_be_in_viewport()
    problem.get_by_role("button", name="Close").click()
    expect(problem).to_have_count(0)


def test_a_mark_of_a_chart_leads_to_its_rows(page: Page, tmp_path: Path) -> None:
    chart = page.locator("section[aria-label='Cell c4, chart']")
    marks = chart.locator("svg [aria-label*='in doubt']")
    expect(marks.first).to_be_visible(timeout=20_000)
    marks.nth(0).click()
    inspector = page.get_by_role("complementary", name="Inspector")
    expect(inspector.get_by_text("8.1375")).to_be_visible()
    expect(inspector.get_by_text("B-201")).to_be_visible()
    expect(inspector.get_by_text("21 USD", exact=True)).to_be_visible()
    page.screenshot(path=tmp_path / "chart.png")
