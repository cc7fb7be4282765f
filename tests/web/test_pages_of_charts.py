"""A page of charts in the browser: looked at, brushed, set by inputs, arranged by mouse and keys, read by a link."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import whence
from tests.web.conftest import ROOT, faults, inspector, watched_page
from tests.web.servers import Served, serving

TOWNS = ["Ulm", "Bonn", "Kiel"]
SHARE = """() => fetch('/api/notebooks/sales/shares',
    {method: 'POST', body: '{}', headers: {'content-type': 'application/json'}}).then(answer => answer.json())"""
SOLD = [(day, TOWNS[day % 3], day % 7) for day in range(42)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Path:
    """A notebook of every sort of thing, arranged on its page; one value is in doubt."""
    if not (ROOT / "src/whence/server/static/index.html").is_file():
        pytest.fail("The page is not built: run ./dev web.")
    assert spark_home.spark is not None
    folder = tmp_path_factory.mktemp("pages") / "w.whence"
    with whence.open(folder) as ws:
        ws.create("t", SOLD, schema="day int, town string, sold int", cell_caveats=[(4, "sold", "smudged")])
        nb = ws.notebook("sales")
        nb.append("markdown", source="# Sales of the year\n\nEvery number leads to its receipts.")
        nb.append("parameters", source="least = 2")
        nb.append("sql", source="select * from t where sold >= :least", name="much")
        for name, x, kind in (("by_town", "town", "bar"), ("by_size", "sold", "bar")):
            nb.append("chart", source="much", chart=kind, x=x, y="sum(sold)", name=name, title=name)
        nb.wait()
        nb.page.add("c1", width=9)
        nb.page.add_input("least", "slider", low=0, high=6, x=9, y=0, title="At least")
        nb.page.add("c4", y=2, height=7, title="By town")
        nb.page.add("c5", x=6, y=2, height=7)
        nb.page.add("c3", width=8, height=8)
    return folder


@pytest.fixture
def served(made: Path, tmp_path: Path) -> Iterator[Served]:
    shutil.copytree(made, tmp_path / "w.whence")
    with serving(tmp_path / "w.whence") as server:
        yield server


def open_page(page: Page, served: Served) -> None:
    page.goto(served.link)
    page.get_by_role("navigation", name="How the notebook is shown").get_by_text("Page").click()
    expect(page.get_by_role("group", name="Chart by_town")).to_be_visible()


def item(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def test_a_page_is_looked_at_brushed_and_set(browser: Browser, served: Served) -> None:
    with watched_page(browser) as watched:
        page = watched.page
        open_page(page, served)
        table = item(page, "much")
        expect(table.get_by_text("30 rows")).to_be_visible()
        chart = page.get_by_role("group", name="Chart by_town")
        expect(chart.locator("svg [role='graphics-symbol']").first).to_be_visible()
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            assert faults(page) == []
        # Only the page scrolls, not the window around it as well.
        assert page.locator("main").evaluate("main => main.scrollHeight <= main.clientHeight + 1")
        chart.focus()
        for key in ("ArrowRight", "Space"):
            chart.press(key)
        expect(page.get_by_role("status", name="Brushes")).to_contain_text("by_town: 1 mark")
        kept = [row for row in SOLD if row[2] >= 2 and row[1] == "Bonn"]
        expect(table.get_by_role("status")).to_have_text(f"{len(kept)} of 30 rows behind the selection")
        expect(table.locator("tbody tr")).to_have_count(len(kept))
        expect(table.locator("td[data-doubt]")).to_have_count(1)
        table.locator("td[data-doubt] button").click()
        expect(inspector(page)).to_contain_text("smudged")
        expect(table.get_by_role("status")).to_contain_text("behind the selection")
        page.get_by_role("button", name="Clear all").click()
        expect(table.locator("tbody tr")).to_have_count(30)
        slider = page.get_by_role("slider", name="At least")
        slider.focus()
        for _ in range(3):
            slider.press("ArrowRight")
        expect(table.get_by_text("12 rows")).to_be_visible(timeout=90_000)
        page.emulate_media(media="print")
        expect(page.get_by_role("navigation")).to_have_count(0)
        expect(page.get_by_role("button", name="Arrange")).to_be_hidden()
        expect(table.locator("tbody tr").last).to_be_visible()
        assert watched.complaints == []


def stands_below_each_other(page: Page, names: Sequence[str]) -> bool:
    """Whether items have one width and stand in this order, once the page has come to rest."""
    for _ in range(100):
        boxes = [item(page, name).bounding_box() for name in names]
        there = [box for box in boxes if box]
        tops = [box["y"] for box in there]
        if len(there) == len(names) and len({box["width"] for box in there}) == 1 and tops == sorted(set(tops)):
            return True
        page.wait_for_timeout(100)
    return False


def test_a_page_is_arranged_by_mouse_and_keys(browser: Browser, served: Served) -> None:
    with watched_page(browser) as watched:
        page = watched.page
        open_page(page, served)
        page.get_by_role("button", name="Arrange").click()
        grip = page.get_by_role("button", name=re.compile("^Move By town"))
        expect(grip).to_have_accessible_name("Move By town: column 1, row 3, 6 wide, 7 high")
        grip.press("ArrowDown")
        grip.press("Shift+ArrowLeft")
        expect(grip).to_have_accessible_name("Move By town: column 1, row 4, 5 wide, 7 high")
        # Both keys are stored by then, as a version of their own.
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_enabled()
        page.get_by_role("button", name="Resize much").scroll_into_view_if_needed()
        corner = page.get_by_role("button", name="Resize much").bounding_box()
        grid = page.get_by_role("region", name="much", exact=True).locator("..").bounding_box()
        assert corner is not None
        assert grid is not None
        page.mouse.move(corner["x"] + 8, corner["y"] + 8)
        page.mouse.down()
        page.mouse.move(corner["x"] + 8 + 2 * (grid["width"] + 12) / 12, corner["y"] + 8 + 52, steps=4)
        page.mouse.up()
        moved = page.get_by_role("button", name=re.compile("^Move much"))
        expect(moved).to_have_accessible_name("Move much: column 1, row 11, 10 wide, 9 high")
        assert faults(page) == []
        title = page.get_by_role("textbox", name="Title of much")
        title.fill("What was sold")
        title.press("Enter")
        page.get_by_role("button", name="Remove by_size from the page").click()
        expect(item(page, "by_size")).to_have_count(0)
        page.get_by_role("button", name="Add to the page").click()
        page.get_by_role("menuitem", name="Marks of by_size as a table").click()
        expect(item(page, "by_size")).to_be_visible()
        page.get_by_role("button", name="Undo", exact=True).click()
        expect(item(page, "by_size")).to_have_count(0)
        page.get_by_role("button", name="Done").click()
        page.reload()
        expect(item(page, "What was sold")).to_be_visible()
        page.set_viewport_size({"width": 390, "height": 844})
        names = ("Sales of the year", "By town", "What was sold")
        assert stands_below_each_other(page, names), "as wide as each other, in reading order"
        assert watched.complaints == []


def test_a_reader_of_a_link_sees_the_page_and_changes_nothing(browser: Browser, served: Served) -> None:
    with watched_page(browser) as watched, watched_page(browser) as other:
        open_page(watched.page, served)
        share = watched.page.evaluate(SHARE)
        reader = other.page
        reader.goto(share["link"])
        expect(reader.get_by_text("Who reads by a link cannot change them")).to_be_visible()
        expect(reader.get_by_role("slider", name="At least")).to_be_disabled()
        expect(item(reader, "much").locator("tbody tr")).to_have_count(30)
        expect(item(reader, "By town").locator("svg")).to_be_visible()
        expect(reader.get_by_role("button", name="Arrange")).to_have_count(0)
        assert faults(reader) == []
        item(reader, "much").locator("td[data-doubt] button").first.click()
        expect(inspector(reader)).to_contain_text("This link shows results, not where they came from.")
        expect(inspector(reader).get_by_role("button", name="Retry")).to_have_count(0)
        reader.get_by_role("link", name=re.compile("^much")).first.click()
        expect(reader.get_by_role("heading", name="much", exact=True)).to_be_visible()
        expect(reader.get_by_role("navigation", name="View or edit")).to_have_count(0)
        assert other.complaints == [], "the page asks for nothing that a link does not open"
