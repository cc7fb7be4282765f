"""The notebook in a real browser: read, edit, run, drop and paste, two tabs, a restart in the middle."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import Theme, add_cell, choose_kind, faults, reads, watched_page, write
from tests.web.notebooks import FIRST_RUN, new_notebook, sql_cell, text_of, tour_page, version
from tests.web.servers import Served, serving
from whence.workspace.tour.tour import BY_SUPPLIER

RAINFALL = "town,mm\nBergen,2250\nOslo,trace\nTromso,1031\nBodo,1020\nHamar,580\n"
LONG = """\
select aggregate(sequence(0, 3000), id, (a, x) ->
  a + aggregate(sequence(0, 3000), 0L, (b, y) -> b + hash(x, y))) as s from range(0, 400, 1, 400)"""
"""Few rows, each of them slow: long to run, with nothing to keep in memory."""


@pytest.fixture
def page(browser: Browser, tour_served: Served) -> Iterator[Page]:
    with tour_page(browser, tour_served) as page:
        yield page


def test_a_notebook_is_read_edited_and_taken_back(page: Page) -> None:
    sql = sql_cell(page)
    expect(sql.get_by_role("link", name="by_supplier", exact=True)).to_be_visible()
    expect(sql.locator("td[data-doubt]").first).to_be_visible()
    text = text_of(sql)
    reads(text, BY_SUPPLIER)
    write(text, "select count(*) as parts from prices")
    text.press("Control+Enter")
    expect(sql.get_by_role("columnheader")).to_have_count(1, timeout=FIRST_RUN)
    expect(sql.get_by_text("ready")).to_be_visible(timeout=FIRST_RUN)
    page.get_by_role("region", name="History").get_by_role("button", name="Restore").first.click()
    reads(text, BY_SUPPLIER)
    expect(sql.get_by_role("columnheader")).to_have_count(4, timeout=20_000)


def test_a_mistake_is_marked_at_its_place_and_what_was_typed_stays(page: Page) -> None:
    sql = sql_cell(page)
    text = text_of(sql)
    write(text, "select part,\n  pric from prices")
    text.press("Control+Enter")
    expect(sql.get_by_role("alert")).to_contain_text("pric", timeout=FIRST_RUN)
    expect(sql.locator(".cm-lintRange-error")).to_have_text("pric")
    reads(text, "select part, pric from prices")
    write(text, BY_SUPPLIER)
    page.reload()
    reads(text_of(sql_cell(page)), BY_SUPPLIER)
    text_of(sql_cell(page)).press("Control+Enter")
    expect(sql_cell(page).get_by_role("columnheader")).to_have_count(4, timeout=FIRST_RUN)


def test_datasets_and_columns_are_completed(page: Page) -> None:
    text = text_of(sql_cell(page))
    write(text, "select * from ")
    page.keyboard.type("pri")
    option = page.get_by_role("option", name=re.compile("^prices "))
    expect(option).to_be_visible()
    page.wait_for_timeout(200)  # an editor takes Enter for a line end while the list is only just there
    page.keyboard.press("Enter")
    reads(text, "select * from prices")
    page.keyboard.type(" where prices.")
    expect(page.get_by_role("option", name=re.compile("^supplier"))).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Discard").click()
    reads(text, BY_SUPPLIER)


def test_undo_in_an_editor_touches_that_editor_only(page: Page) -> None:
    before = version(page)
    text = text_of(sql_cell(page))
    text.click()
    text.press("Control+End")
    page.keyboard.type(" -- a note")
    reads(text, f"{BY_SUPPLIER} -- a note")
    for _ in range(12):
        text.press("Control+z")
    reads(text, BY_SUPPLIER)
    assert version(page) == before


def test_keys_act_on_the_cell_once_its_text_is_left(page: Page) -> None:
    new_notebook(page, "keys")
    choose_kind(page, "markdown")
    note = page.locator("section[aria-label$=', markdown']")
    text = note.get_by_role("textbox")
    expect(text).to_be_focused()
    page.keyboard.press("Escape")
    expect(note).to_be_focused()
    page.keyboard.press("b")
    sql = page.locator("section[aria-label$=', sql']")
    expect(text_of(sql)).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    expect(note).to_be_focused()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator("section[data-cell]").last).to_have_attribute("aria-label", re.compile("markdown"))
    note.focus()
    page.keyboard.press("x")
    expect(note).to_have_count(0)
    expect(page.get_by_text("Cell deleted.")).to_be_visible()
    sql.focus()
    page.keyboard.press("Control+z")
    expect(note).to_be_visible()
    expect(page.get_by_text(re.compile("^Undone:"))).to_be_visible()
    page.keyboard.press("Control+Shift+z")
    expect(note).to_have_count(0)
    page.get_by_role("button", name="Show diff").click()
    expect(page.get_by_role("heading", name=re.compile("^Version .* against version"))).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("markdownremoved")
    page.get_by_role("button", name="Close").click()
    expect(sql.get_by_text(re.compile("^✎ *draft"))).to_be_visible()


def test_two_tabs_see_each_other(page: Page) -> None:
    new_notebook(page, "tabs")
    note = add_cell(page, "markdown").get_by_role("textbox")
    expect(note).to_be_focused()
    other = page.context.new_page()
    other.goto(page.url)
    cell = other.locator("section[aria-label$=', markdown']")
    write(note, "changed in the first tab")
    note.press("Control+Enter")
    cell.focus()
    theirs = cell.get_by_role("textbox")
    reads(theirs, "changed in the first tab")
    write(theirs, "and in the second")
    theirs.press("Control+Enter")
    reads(note, "and in the second")


def test_a_file_that_is_dropped_on_the_page_is_loaded(page: Page) -> None:
    new_notebook(page, "dropped")
    dropped = page.evaluate_handle(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "rainfall.csv", { type: "text/csv" }));
            return data;
        }""",
        RAINFALL,
    )
    main = page.get_by_role("heading", name="dropped")
    main.dispatch_event("dragover", {"dataTransfer": dropped})
    expect(page.get_by_text("Drop the file to load it")).to_be_visible()
    main.dispatch_event("drop", {"dataTransfer": dropped})
    cell = page.locator("section[aria-label$=', load']")
    expect(cell.get_by_role("link", name="rainfall", exact=True)).to_be_visible(timeout=FIRST_RUN)
    expect(cell.locator("td[data-doubt]")).to_have_count(1)
    expect(cell.get_by_role("textbox", name="source", exact=True)).to_have_value("rainfall.csv")
    cell.get_by_role("button", name="Change", exact=True).click()
    expect(cell.get_by_role("textbox", name="source", exact=True)).to_have_value(re.compile("^uploads/.*/rainfall.csv"))
    cell.get_by_role("link", name="rainfall", exact=True).click()
    expect(page.get_by_role("heading", name="rainfall")).to_be_visible()
    page.get_by_role("gridcell", name="null").first.click()
    expect(page.get_by_text("trace").first).to_be_visible(timeout=20_000)


def test_a_long_job_shows_its_progress_and_is_cancelled(page: Page) -> None:
    new_notebook(page, "long")
    cell = add_cell(page, "sql")
    write(text_of(cell), LONG)
    text_of(cell).press("Control+Enter")
    dock = page.get_by_role("region", name="Jobs")
    expect(dock.get_by_text(re.compile(r"of 40\d tasks"))).to_be_visible(timeout=FIRST_RUN)
    expect(dock.get_by_role("progressbar")).to_be_visible()
    page.reload()
    expect(dock.get_by_role("progressbar")).to_be_visible(timeout=20_000)
    dock.get_by_role("button", name=re.compile("^Cancel")).click()
    expect(cell.get_by_text(re.compile("cancelled"))).to_be_visible(timeout=20_000)
    expect(dock).to_have_count(0)


def test_rows_that_are_pasted_outside_of_editors_become_a_load_cell(page: Page) -> None:
    new_notebook(page, "pasted")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    rows = "town\tmm\nBergen\t2250\nOslo\ttrace\nTromso\t1031\n"
    page.evaluate("text => navigator.clipboard.writeText(text)", rows)
    note = add_cell(page, "markdown")
    note.get_by_role("textbox").press("Control+v")
    reads(note.get_by_role("textbox"), rows.strip())  # in an editor it is text
    dialog = page.get_by_role("dialog", name="Paste data")
    expect(dialog).to_have_count(0)
    page.keyboard.press("Escape")
    expect(note).to_be_focused()
    page.keyboard.press("Control+v")
    expect(dialog).to_contain_text("4 lines, 2 columns, with tabs between them.")
    dialog.get_by_role("textbox", name="Name of the dataset").fill("rain")
    dialog.get_by_role("button", name="Load").click()
    cell = page.locator("section[aria-label$=', load']")
    expect(cell).to_be_focused()
    expect(cell.get_by_role("grid", name="First rows of rain")).to_contain_text("Tromso", timeout=FIRST_RUN)


def test_chips_and_the_outline_show_what_hangs_together(page: Page) -> None:
    sql = sql_cell(page)
    expect(page.locator("section[data-cell] svg.marks")).to_have_count(3)  # charts that come later move the page
    sql.get_by_role("button", name="reads prices").hover()
    expect(page.locator("section[data-cell][data-lit]")).to_have_count(3)
    sql.get_by_role("button", name="reads prices").click()
    expect(page.locator("section[aria-label$=', load']").first).to_be_focused()
    outline = page.get_by_role("region", name="Outline")
    outline.get_by_role("button", name="by_supplier", exact=True).click()
    expect(sql).to_be_focused()
    expect(outline.get_by_role("button", name="by_supplier", exact=True)).to_have_attribute("aria-current", "true")


def test_the_command_palette_goes_anywhere(page: Page) -> None:
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Go to or do")
    field.fill("by_sup")
    expect(page.get_by_role("dialog").get_by_role("option").first).to_contain_text("by_supplier")
    field.press("Enter")
    expect(page.get_by_role("grid", name="by_supplier", exact=True)).to_be_visible()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Go to or do").fill("show lin")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Lineage")).to_be_visible()


def test_what_cannot_be_done_is_said_where_one_looks(browser: Browser, tour_served: Served) -> None:
    with watched_page(browser) as watched:  # the request that is cut off is a complaint of the browser
        page = watched.page
        page.goto(tour_served.link)
        page.goto(f"{tour_served.address}/?notebook=tour")
        page.get_by_role("combobox", name="Branch").wait_for()
        page.route("**/api/notebooks/tour/cells", lambda route: route.abort())
        choose_kind(page, "sql")
        problem = page.get_by_role("alert").filter(has_text="does not answer")
        expect(problem).to_be_in_viewport()
        problem.get_by_role("button", name="Close").click()
        expect(problem).to_have_count(0)


def test_a_restart_in_the_middle_loses_nothing_that_was_typed(browser: Browser, tmp_path: Path) -> None:
    with watched_page(browser) as watched:
        page = watched.page
        with serving(tmp_path / "w.whence") as server:
            page.goto(server.link)
            new_notebook(page, "kept")
            cell = add_cell(page, "markdown")
            note = cell.get_by_role("textbox")
            write(note, "typed before the end")
            port = int(server.address.rpartition(":")[2])
        expect(page.get_by_text("The whence server does not answer.")).to_be_visible(timeout=30_000)
        note.press("Control+Enter")
        expect(page.get_by_role("alert").filter(has_text="does not answer")).to_be_visible()
        reads(note, "typed before the end")
        with serving(tmp_path / "w.whence", port) as server:
            page.goto(server.link)
            page.goto(f"{server.address}/?notebook=kept")
            cell.focus()
            reads(note, "typed before the end")
            note.press("Control+Enter")
            expect(page.get_by_role("button", name="Save and run")).to_have_count(0)
            page.reload()
            cell.focus()
            reads(note, "typed before the end")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_serious_accessibility_fault(browser: Browser, tour_served: Served, theme: Theme) -> None:
    with watched_page(browser, theme) as watched:
        page = watched.page
        page.goto(tour_served.link)
        page.goto(f"{tour_served.address}/?notebook=tour")
        expect(text_of(sql_cell(page))).to_be_visible()
        assert faults(page) == []
        page.get_by_role("button", name=re.compile("^More for cell")).first.click()
        assert faults(page) == []
        page.keyboard.press("Escape")
        page.keyboard.press("Control+k")
        assert faults(page) == []
        page.keyboard.press("Escape")
        page.goto(f"{tour_served.address}/?notebook=tour&compare=1-3")
        expect(page.get_by_role("heading", name=re.compile("^Version 1"))).to_be_visible()
        assert faults(page) == []
        page.goto(f"{tour_served.address}/?notebook=tour&version=2")
        expect(page.get_by_role("heading", name=re.compile("^Viewing version 2"))).to_be_visible()
        assert faults(page) == []
        assert watched.complaints == []


def test_a_mark_of_a_chart_leads_to_its_rows(page: Page) -> None:
    chart = page.locator("section[aria-label$=', chart']").first
    marks = chart.locator("svg [aria-label*='in doubt']")
    expect(marks.first).to_be_visible(timeout=20_000)
    marks.nth(0).click()
    inspector = page.get_by_role("complementary", name="Inspector")
    expect(inspector.get_by_text("8.1375")).to_be_visible()
    expect(inspector.get_by_text("B-201")).to_be_visible()
    expect(inspector.get_by_text("21 USD", exact=True)).to_be_visible()


def test_equal_values_behind_a_cell_are_all_counted(page: Page, tour_served: Served) -> None:
    page.goto(f"{tour_served.address}/?dataset=deaths_by_year&row=0&column=deaths")
    first = page.get_by_role("grid", name="deaths_by_year", exact=True).locator('[data-row="0"]')
    expect(first.get_by_role("gridcell", selected=True)).to_be_visible()
    year, sex = first.get_by_role("gridcell").all_inner_texts()[:2]
    causes = files("whence.workspace.tour") / "causes_of_death.csv"
    with as_file(causes) as path, path.open(encoding="utf-8", newline="") as file:
        behind = [row for row in csv.DictReader(file) if (row["Year"], row["Sex"][:1]) == (year, sex)]
    assert len(behind) > 50  # more than a list shows
    inspector = page.get_by_role("complementary", name="Inspector")
    expect(inspector.get_by_text(f"\N{MULTIPLICATION SIGN} {len(behind)}")).to_have_count(2)  # the year and the sex
