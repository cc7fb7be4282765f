"""New cells in a real browser: empty drafts of every kind, two tabs, notes, output while a cell runs. No Spark."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from tests.recipes.repository_copy import perform_recipes
from tests.web.conftest import add_cell, faults, reads, watched_page, write
from tests.web.servers import Served, serving, serving_apart
from whence.model.plural import with_article
from whence.notebook.cells.registry import CELL_KINDS

A_FEW = ["trim", "chart", "parameters", "impute", "load"]


@pytest.fixture(scope="module")
def empty_served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("new") / "w.whence") as server:
        yield server


@pytest.fixture
def page(browser: Browser, empty_served: Served, request: pytest.FixtureRequest) -> Iterator[Page]:
    """An empty notebook of the test's own."""
    with watched_page(browser) as watched:
        watched.page.goto(empty_served.link)
        named_notebook(watched.page, request.node.name)
        yield watched.page
        # The browser says of each request that was refused that it was; the page must say nothing else.
        assert [each for each in watched.complaints if "status of 400" not in each] == []


def named_notebook(page: Page, name: str) -> None:
    field = page.get_by_role("textbox", name="Name of a new notebook")
    field.fill(name)
    field.press("Enter")
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def text_of(cell: Locator) -> Locator:
    return cell.get_by_role("textbox", name=re.compile("^the (query|code)$|text"))


def state(cell: Locator, words: str) -> None:
    expect(cell.locator("header")).to_contain_text(words)


def added_as_draft(page: Page, kind: str) -> None:
    cell = add_cell(page, kind)
    state(cell, "draft: not filled in yet")
    field = cell.locator("[data-form] input, [data-form] select").first
    expect(field).to_be_focused()
    assert field.input_value() == ""
    assert field.get_attribute("placeholder")
    page.keyboard.press("Control+Enter")
    expect(cell.get_by_role("alert")).to_contain_text(f"{with_article(kind)} cell needs source")
    page.wait_for_timeout(300)
    state(cell, "draft")


def test_the_menu_of_new_cells_is_searched_and_walked_by_keys(page: Page) -> None:
    first = add_cell(page, "markdown")
    write(text_of(first), "first")
    page.keyboard.press("Escape")
    page.keyboard.press("+")
    menu = page.get_by_role("dialog", name="Add a cell")
    search = menu.get_by_role("combobox", name="Search what to add")
    expect(search).to_be_focused()
    groups = ["Load", "Query", "Clean", "Prepare", "Chart", "Explain", "Text"]
    assert [each.get_attribute("aria-label") for each in menu.get_by_role("group").all()] == groups
    offered = {each.get_attribute("data-kind"): each.inner_text() for each in menu.get_by_role("option").all()}
    assert set(offered) == {"file", *CELL_KINDS}
    for kind in CELL_KINDS.values():
        assert kind.title in offered[kind.name]
        assert kind.summary.replace("`", "") in offered[kind.name]  # the menu shows no markup
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(first).to_be_focused()
    page.keyboard.press("+")
    search.fill("vlookup")
    expect(menu.get_by_role("option")).to_have_count(1)
    search.fill("rows")
    chosen = menu.locator("[aria-selected='true']")
    before = chosen.get_attribute("data-kind")
    page.keyboard.press("ArrowDown")
    expect(chosen).not_to_have_attribute("data-kind", before or "")
    walked_to = chosen.get_attribute("data-kind")
    page.keyboard.press("Enter")
    expect(page.locator("section[data-cell]")).to_have_count(2)
    state(page.locator(f"section[aria-label$=', {walked_to}']"), "draft")
    page.get_by_role("button", name="Add a cell here").first.click()
    search.fill("python")
    page.keyboard.press("Enter")
    expect(page.locator("section[data-cell]").nth(1)).to_have_attribute("aria-label", re.compile("python$"))


def test_a_file_is_uploaded_from_the_menu(page: Page) -> None:
    page.get_by_role("button", name="Add a cell", exact=True).click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("dialog", name="Add a cell").locator("[data-kind='file']").click()
    chooser.value.set_files({"name": "parts.csv", "mimeType": "text/csv", "buffer": b"part,price\na,1\n"})
    expect(page.locator("section[aria-label$=', load']").get_by_label("name", exact=True)).to_have_value("parts")


@pytest.mark.parametrize("kind", A_FEW)
def test_a_new_cell_of_any_kind_is_an_empty_draft(page: Page, kind: str) -> None:
    added_as_draft(page, kind)
    page.reload()
    state(page.locator("section[data-cell]"), "draft")


@pytest.mark.long
def test_every_kind_is_added_as_a_draft(page: Page) -> None:
    for kind in CELL_KINDS:
        if kind not in ("sql", "python", "markdown"):
            added_as_draft(page, kind)
    expect(page.locator("section[data-cell][data-status='draft']")).to_have_count(len(CELL_KINDS) - 3)


@pytest.mark.parametrize("kind", ["sql", "python", "markdown"])
def test_a_new_text_is_empty_with_the_caret_in_it_and_a_grey_hint(page: Page, kind: str) -> None:
    cell = add_cell(page, kind)
    state(cell, "draft: not filled in yet")
    expect(text_of(cell)).to_be_focused()
    hint = cell.locator(".cm-placeholder")
    expect(hint).to_be_visible()
    page.keyboard.type("x")
    expect(hint).to_have_count(0)
    reads(text_of(cell), "x")
    if kind == "sql":
        expect(cell.get_by_role("textbox", name="name")).to_have_attribute("placeholder", "sql_1")
    assert faults(page) == []


def test_a_draft_is_filled_in_run_undone_and_deleted(page: Page) -> None:
    cell = add_cell(page, "python")
    expect(text_of(cell)).to_be_focused()
    page.keyboard.insert_text("print(6 * 7)")
    cell.locator("header").get_by_role("button", name="Run", exact=True).click()
    state(cell, "ready")
    expect(cell).to_contain_text("42")
    cell.focus()
    page.keyboard.press("b")
    second = page.locator("section[aria-label$=', sql']")
    expect(text_of(second)).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    note = page.locator("section[aria-label$=', markdown']")
    state(note, "draft")
    note.focus()
    page.keyboard.press("x")
    expect(note).to_have_count(0)
    cell.focus()
    page.keyboard.press("Control+z")
    state(note, "draft")


def test_a_transformation_that_was_added_has_a_form(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its one file and its line in the registry are all that is added; the page is the one that was built before."""
    monkeypatch.setenv("PYTHONPATH", str(perform_recipes(tmp_path / "copy").root / "src"))
    with serving_apart(tmp_path / "w.whence") as server, watched_page(browser) as watched:
        watched.page.goto(server.link)
        named_notebook(watched.page, "words")
        cell = add_cell(watched.page, "reverse_text")
        state(cell, "draft: not filled in yet")
        fields = cell.locator("[data-form]")
        expect(fields.get_by_placeholder("the text column to write backwards")).to_be_visible()
        for field, value in (("source", "nowhere"), ("column", "w"), ("name", "backwards")):
            fields.get_by_label(field, exact=True).fill(value)
        watched.page.keyboard.press("Control+Enter")
        expect(cell).to_contain_text("nowhere")
        assert [each for each in watched.complaints if "status of 400" not in each] == []


def test_the_second_tab_that_saves_learns_of_the_first(page: Page, browser: Browser, empty_served: Served) -> None:
    note = add_cell(page, "markdown")
    write(text_of(note), "old")
    text_of(note).press("Control+Enter")
    state(note, "ready")
    with watched_page(browser) as watched:  # another browser: what is typed there is not seen here
        other = watched.page
        other.goto(empty_served.link)
        other.goto(page.url)
        theirs = other.locator("section[aria-label$=', markdown']")
        theirs.focus()
        write(text_of(theirs), "theirs")
        write(text_of(note), "mine")
        text_of(note).press("Control+Enter")
        expect(note.get_by_role("button", name="Save and run")).to_have_count(0)
        expect(other.get_by_text(re.compile(r"^version 3$"))).to_be_visible()
        text_of(theirs).press("Control+Enter")
        alert = theirs.get_by_role("alert")
        expect(alert).to_contain_text("was changed by another user meanwhile")
        expect(alert).to_contain_text("mine")
        reads(text_of(theirs), "theirs")
        reads(text_of(note), "mine")
        alert.get_by_role("button", name="Save mine all the same").click()
        expect(alert).to_have_count(0)
        reads(text_of(note), "theirs")
        other.set_viewport_size({"width": 1280, "height": 500})
        theirs.focus()
        write(text_of(theirs), "\n\n".join(f"line {number}" for number in range(40)))  # longer than the window is high
        shown = other.get_by_text(re.compile(r"^version \d+$"))
        before = shown.inner_text()
        note.focus()
        write(text_of(note), "mine again")
        text_of(note).press("Control+Enter")
        expect(shown).not_to_have_text(before)
        text_of(theirs).press("Control+Home")
        text_of(theirs).press("Control+Enter")
        expect(alert).to_contain_text("mine again")
        expect(alert).to_be_in_viewport(ratio=1)
        alert.get_by_role("button", name="Take theirs").click()
        expect(alert).to_have_count(0)
        reads(text_of(theirs), "mine again")
        assert [each for each in watched.complaints if "409" not in each] == []


def note_text(cell: Locator) -> Locator:
    return cell.frame_locator("iframe").locator("body")


def test_an_edited_note_shows_its_new_text(page: Page) -> None:
    note = add_cell(page, "markdown")
    for text in ("first words", "other words"):
        write(text_of(note), text)
        text_of(note).press("Control+Enter")
        expect(note_text(note)).to_contain_text(text)


def test_a_click_on_a_note_leaves_the_keys_with_the_cell(page: Page) -> None:
    note = add_cell(page, "markdown")
    write(text_of(note), "a note")
    text_of(note).press("Control+Enter")
    expect(note_text(note)).to_contain_text("a note")
    note_text(note).click()
    expect(note).to_be_focused()
    page.keyboard.press("Enter")
    expect(text_of(note)).to_be_focused()


@pytest.mark.parametrize("chosen", ["system", "dark"])
def test_notes_are_dark_in_the_dark_theme(page: Page, browser: Browser, empty_served: Served, chosen: str) -> None:
    note = add_cell(page, "markdown")
    write(text_of(note), "a note")
    text_of(note).press("Control+Enter")
    expect(note_text(note)).to_contain_text("a note")
    with watched_page(browser, "dark" if chosen == "system" else "light") as watched:
        watched.page.goto(empty_served.link)
        watched.page.evaluate("theme => localStorage.setItem('whence.theme', theme)", chosen)
        watched.page.goto(page.url)
        frame = watched.page.locator("iframe")
        expect(frame.content_frame.locator("body")).to_contain_text("a note")
        picture = Image.open(io.BytesIO(frame.screenshot())).convert("L")
        most = max(picture.getcolors(65_536) or [], key=lambda each: each[0])[1]
        assert isinstance(most, int)
        assert most < 80, "what is behind the text is dark"
        brightest = picture.getextrema()[1]
        assert isinstance(brightest, int)
        assert brightest > 150, "and the text is not"


def test_output_is_shown_while_a_cell_runs_and_stays_when_it_is_stopped(page: Page) -> None:
    cell = add_cell(page, "python")
    expect(text_of(cell)).to_be_focused()
    page.keyboard.insert_text("import time\nprint('first')\ntime.sleep(300)")
    page.keyboard.press("Control+Enter")
    expect(cell.locator("[data-stream]")).to_have_text("first\n")
    state(cell, "running")
    page.reload()
    expect(cell.locator("[data-stream]")).to_have_text("first\n")
    cell.get_by_role("button", name="Stop").click()
    state(cell, "cancelled")
    expect(cell.locator("[data-stream]")).to_have_text("first\n")


def test_j_and_k_work_before_anything_was_clicked(page: Page) -> None:
    for text in ("one", "two"):
        note = add_cell(page, "markdown")
        write(text_of(note), text)
        text_of(note).press("Control+Enter")
        state(note, "ready")
    cells = page.locator("section[data-cell]")
    page.reload()
    expect(cells).to_have_count(2)
    page.keyboard.press("j")
    expect(cells.first).to_be_focused()
    page.keyboard.press("j")
    expect(cells.last).to_be_focused()
    page.reload()
    expect(cells).to_have_count(2)
    page.keyboard.press("k")
    expect(cells.last).to_be_focused()
