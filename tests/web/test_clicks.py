"""Ten tasks in a real browser, each with the clicks and keys that the table of the documentation gives it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import whence
from tests.web.conftest import ROOT, cell, inspector, watched_page
from tests.web.servers import Served, serving
from tests.web.sheets import cell as sheet_cell
from tests.web.sheets import header

PRICES = """\
part,supplier,price,stock,site
A-100,Northwind,0.42,5200,a
A-101,northwind,0.57,4100,b
B-200,Acme,7.25,150,a
B-201,Acme,21 USD,580,b
B-202,Acme,18.40,75,a
C-300,Northwind,30.35,190,b
"""
CHART: dict[str, Any] = {"chart": "bar", "x": "supplier", "y": "avg(price)", "title": "Average price"}
SLOW = 120_000
COUNT = """
const count = what => sessionStorage[what] = Number(sessionStorage[what] ?? 0) + 1;
addEventListener('pointerdown', () => count('clicks'), true);
addEventListener('keydown', ({key, ctrlKey, altKey, metaKey}) => {
  const isHeld = ['Control', 'Alt', 'Shift', 'Meta'].includes(key);
  const isLetter = key.length === 1 && !ctrlKey && !altKey && !metaKey;
  if (!isHeld && !isLetter) count('keys');
}, true);
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("clicks")
    (folder / "prices.csv").write_text(PRICES, encoding="utf-8")
    with whence.open(folder / "w.whence") as ws:
        notebook = ws.notebook("work")
        for name in ("prices", "doubtful", "spelled"):
            notebook.append("load", source=str(folder / "prices.csv"), name=name)
        notebook.append("chart", source="doubtful", name="averages", **CHART)
        notebook.wait()
    with serving(folder / "w.whence") as server:
        yield server


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with watched_page(browser) as watched:
        watched.page.add_init_script(COUNT)
        watched.page.goto(served.link)
        yield watched.page


def button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def load(page: Page, open_at: Callable[[str], None], folder: Path) -> None:
    (folder / "towns.csv").write_text("town,mm\nBergen,2250\n", encoding="utf-8")
    open_at("view=start")
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Drop a file here, or click to choose one").click()
    chooser.value.set_files(folder / "towns.csv")
    expect(page.get_by_role("grid", name="First rows of towns")).to_contain_text("Bergen", timeout=SLOW)


def fix_a_value(page: Page, open_at: Callable[[str], None], _: Path) -> None:
    open_at("dataset=prices&view=sheet")
    sheet_cell(page, 3, 2).click()
    page.keyboard.type("21")
    page.keyboard.press("Control+s")
    expect(page.get_by_role("heading", level=1)).to_have_text("work", timeout=SLOW)


def join(page: Page, open_at: Callable[[str], None], _: Path) -> None:
    open_at("notebook=work")
    button(page, "Add a cell").click()
    page.get_by_role("dialog", name="Add a cell").locator("[data-kind='sql']").click()
    made = page.locator("section[aria-label$=', sql']").last
    expect(made.get_by_role("textbox", name="the query")).to_be_focused()
    page.keyboard.insert_text("select p.part, d.stock from prices p join doubtful d using (part)")
    button(made.locator("header"), "Run").click()
    expect(made.get_by_role("grid")).to_contain_text("A-100", timeout=SLOW)


def filter_by_value(page: Page, open_at: Callable[[str], None], _: Path) -> None:
    open_at("dataset=prices")
    cell(page, "prices", 2, 1).click()
    expect(inspector(page).get_by_role("region", name="Value")).to_contain_text("Acme")
    button(page, "Filter prices").click()
    form = page.get_by_role("form", name="Filter prices")
    expect(form.get_by_role("textbox", name="Value")).to_be_focused()
    page.keyboard.press("Enter")
    expect(form.get_by_role("status")).to_have_text("3 of 6 rows")


def merge_spellings(page: Page, open_at: Callable[[str], None], _: Path) -> None:
    open_at("dataset=spelled&view=sheet")
    header(page, 1, "spelled").get_by_role("button").click()
    page.get_by_role("menuitem", name="Merge similar values…").click()
    button(page, "Merge 1 group").click()
    expect(sheet_cell(page, 1, 1, "spelled")).to_contain_text("Northwind")
    page.keyboard.press("Control+s")
    expect(page.get_by_role("heading", level=1)).to_have_text("work", timeout=SLOW)


def chart(page: Page, open_at: Callable[[str], None], _: Path) -> None:
    open_at("dataset=doubtful")
    page.get_by_role("link", name="Draw doubtful as a chart").click()
    page.get_by_role("region", name="Suggestions").get_by_role("button").first.click()
    expect(page.get_by_role("group", name=re.compile("^Chart")).locator("svg")).to_be_visible(timeout=SLOW)


def explain(page: Page, open_at: Callable[[str], None], _: Path) -> None:
    open_at("notebook=work")
    page.get_by_role("link", name="Explain: why does it look odd?").click()
    marks = page.get_by_role("group", name=re.compile("^Chart")).locator('svg [aria-roledescription="bar"]')
    marks.nth(1).click(timeout=SLOW)
    button(page, "Search").click()
    answers = page.get_by_role("region", name="Answers")
    expect(answers.get_by_role("listitem").first.or_(answers.get_by_role("status"))).to_be_visible(timeout=SLOW)


def branch(page: Page, open_at: Callable[[str], None], _: Path) -> None:
    open_at("notebook=work")
    page.get_by_role("region", name="History").get_by_role("button", name=re.compile(r"2 · main")).click()
    button(page, "Branch here").click()
    page.get_by_role("textbox", name="Name of the new branch").fill("try")
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Branch")).to_have_value("try", timeout=SLOW)
    page.get_by_role("combobox", name="Branch").select_option("main")


def accept_a_doubt(page: Page, open_at: Callable[[str], None], _: Path) -> None:
    open_at("dataset=doubtful")
    cell(page, "doubtful", 3, 2).click()
    inspector(page).get_by_role("button", name="Accept…").click()
    page.get_by_role("form", name="Acknowledge").get_by_role("button", name=re.compile("^Acknowledge")).click()
    expect(page.get_by_text(re.compile("^Acknowledged: it stays"))).to_be_visible(timeout=SLOW)


def export(page: Page, open_at: Callable[[str], None], _: Path) -> None:
    open_at("dataset=prices")
    button(page, "Download prices").click()
    with page.expect_download():
        page.get_by_role("menuitem", name="CSV").click()


TASKS = {
    "Load a file": load,
    "Fix a value": fix_a_value,
    "Join": join,
    "Filter by value": filter_by_value,
    "Merge spellings": merge_spellings,
    "Chart": chart,
    "Explain": explain,
    "Branch": branch,
    "Accept a doubt": accept_a_doubt,
    "Export": export,
}
QUICK = ("Fix a value", "Filter by value", "Export")


Count = tuple[int, int]
ROW = re.compile(r"^\| ([\w ]+) \| (\d+) \| (\d+) \|[^|]*\| (\d+|-) \| (\d+|-) \|", re.MULTILINE)


def counted() -> dict[str, tuple[Count, Count | None]]:
    """The clicks and keys of the table, of whence and elsewhere."""
    text = (ROOT / "docs/web-app.md").read_text(encoding="utf-8").partition("## Clicks")[2].partition("\n## ")[0]
    return {
        task: ((int(clicks), int(keys)), None if theirs == "-" else (int(theirs), int(their_keys)))
        for task, clicks, keys, theirs, their_keys in ROW.findall(text)
    }


def test_the_table_has_every_task_and_no_other_tool_needs_less() -> None:
    table = counted()
    assert set(table) == set(TASKS)
    assert [task for task, (ours, theirs) in table.items() if theirs is not None and sum(ours) > sum(theirs)] == []


@pytest.mark.parametrize(
    "task", [each if each in QUICK else pytest.param(each, marks=pytest.mark.long) for each in TASKS]
)
def test_a_task_takes_the_clicks_and_keys_of_the_table(page: Page, served: Served, task: str, tmp_path: Path) -> None:
    def open_at(query: str) -> None:
        page.goto(f"{served.address}/?{query}")
        page.evaluate("sessionStorage.clicks = sessionStorage.keys = 0")

    TASKS[task](page, open_at, tmp_path)
    found = page.evaluate("[sessionStorage.clicks, sessionStorage.keys].map(Number)")
    assert tuple(found) == counted()[task][0]
