"""A real workspace, a real server on it, and a real browser."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Locator, Page, expect, sync_playwright

import whence
from tests.web.corpus import NASTY
from tests.web.servers import Served, serving
from tools.browser import find

ROOT = Path(__file__).parent.parent.parent
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
CHROMIUM = find()
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
Theme = Literal["light", "dark"]
PRICES = """\
part,supplier,description,price,stock
A-100,Northwind,Hex bolt M8,0.42,5200
A-101,Northwind,Hex bolt M10,0.57,4100
B-200,Acme,"Shaft collar
(two-piece)",7.25,150
B-201,Acme,Ball bearing,21 USD,580
B-202,Acme,Pillow block,18.40,75
C-300,Lumen,Toggle switch,3.35,n/a
C-301,Lumen,Relay 24 V,12.75,190
"""
BY_SUPPLIER = """\
select supplier, count(*) as parts, round(avg(price), 2) as average_price, sum(stock) as stock
from prices
group by supplier
order by supplier"""
LONG_TABLE = 1_000_000
SHEET_ROWS = 300_000
SHEET_WIDTH = 40
SHEET_PRICES = [
    ("A-100", "Northwind", 0.42, 5200),
    ("A-101", "northwind", 0.57, 4100),
    ("B-200", "Acme", 7.25, 150),
    ("B-201", "Acme", None, 580),
    ("B-202", "Acme", 18.4, 75),
    ("C-300", "Lumen", 3.35, 90),
    ("C-301", "northwind", 12.75, 190),
    ("C-302", "northwind", 1.05, 8),
]

expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def price_list(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Path:
    """A price list, two queries over it, a long table, and a table of attempts to break the page."""
    if not (ROOT / "src/whence/server/static/index.html").is_file():
        pytest.fail("The page is not built: run ./dev web.")
    assert spark_home.spark is not None
    folder = tmp_path_factory.mktemp("web")
    (folder / "prices.csv").write_text(PRICES, encoding="utf-8")
    with whence.open(folder / "tour.whence") as ws:
        ws.create("long", pa.table({f"column_{c}": range(c, LONG_TABLE + c) for c in range(12)}))
        ws.create(NASTY[0], pa.table(dict.fromkeys(NASTY, NASTY)), cell_caveats=[(0, NASTY[1], NASTY[2])])
        form = "what string, pieces int"
        ws.create("stocktake", [("bolts", 12), ("nuts", 40)], schema=form, cell_caveats=[(0, "pieces", "smudged")])
        doubts = [(0, "pieces", "smudged"), (1, "pieces", "torn off")]
        ws.create("stocktake", [("bolts", 12), ("nuts", 40)], schema=form, cell_caveats=doubts)
        ws.load(folder / "prices.csv", name="prices")
        ws.sql("select part, supplier from prices where supplier <> 'Acme'", name="others")
        ws.sql(BY_SUPPLIER, name="averages")
        ws.sql("select max(average_price) as dearest from averages", name="dearest")
        ws.sql(BY_SUPPLIER, name="averages")
        ws.sql(BY_SUPPLIER, name="by_supplier")
    return folder / "tour.whence"


@pytest.fixture(scope="module")
def workspace(price_list: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for tests of one module, which may change it."""
    copy = tmp_path_factory.mktemp("copy") / "tour.whence"
    shutil.copytree(price_list, copy)
    return copy


@pytest.fixture(scope="session")
def sheet_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A small list with doubts, a large and wide table, an empty one, and attempts to break the page."""
    if not (ROOT / "src/whence/server/static/index.html").is_file():
        pytest.fail("The page is not built: run ./dev web.")
    folder = tmp_path_factory.mktemp("sheet") / "w.whence"
    with whence.open(folder) as ws:
        numbers = {f"column_{c}": range(c, SHEET_ROWS + c) for c in range(SHEET_WIDTH)}
        ws.create("wide", pa.table(numbers), cell_caveats=[(200_000, "column_30", "read twice")])
        ws.create("nothing", [], schema="a int, b string")
        ws.create("nasty", pa.table(dict.fromkeys(NASTY, NASTY)))
        ws.create(
            "prices",
            SHEET_PRICES,
            schema="part string, supplier string, price double, stock int",
            cell_caveats=[(3, "price", "21 USD is no number")],
            row_caveats=[(5, "may be there twice")],
        )
    with serving(folder) as server:
        yield server


@pytest.fixture(scope="session")
def fresh_tour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the tour, made as `whence demo` makes it; copied before anything changes it."""
    if not (ROOT / "src/whence/server/static/index.html").is_file():
        pytest.fail("The page is not built: run ./dev web.")
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "tour.whence"
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # test processes share it: the first makes it, others wait
        if not place.exists():
            make_fresh_tour(place)
    return place


def make_fresh_tour(place: Path) -> None:
    """Make the tour in a process of its own, under another name until it is whole."""
    unfinished = place.with_suffix(".unfinished")
    script = f"""
import whence
from whence.workspace.tour.tour import make_tour
with whence.open({str(unfinished)!r}) as ws:
    make_tour(ws)
"""
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)
    unfinished.rename(place)


@pytest.fixture(scope="session")
def tour(fresh_tour: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tour for tests of the notebook, which change it."""
    copy = tmp_path_factory.mktemp("changed") / "tour.whence"
    shutil.copytree(fresh_tour, copy)
    return copy


@pytest.fixture(scope="session")
def tour_served(tour: Path) -> Iterator[Served]:
    """One server for all tests of the notebook: Spark starts once."""
    with serving(tour) as server:
        yield server


@pytest.fixture(scope="module")
def served(workspace: Path) -> Iterator[Served]:
    with serving(workspace) as server:
        yield server


@pytest.fixture(scope="module")
def browser(spark_home: whence.Workspace) -> Iterator[Browser]:
    """Closed after the module: while it is open, Playwright's event loop keeps others from running in this thread.

    Spark of this process has started before: else it would lie in the workspace that a test makes and lets be served.
    """
    assert spark_home.spark is not None
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@dataclass
class Watched:
    """A page with everything it complained about."""

    page: Page
    complaints: list[str]


@contextmanager
def watched_page(browser: Browser, theme: Theme = "light") -> Iterator[Watched]:
    """A page of 1440 x 900 that records errors, dialogs and violations of its policy."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=theme)
    page, complaints = context.new_page(), []
    page.set_default_timeout(30_000)

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    def on_dialog(dialog: Dialog) -> None:
        complaints.append(f"dialog {dialog.message}")
        dialog.dismiss()

    page.on("console", on_console)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", on_dialog)
    page.add_init_script(
        "addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective))"
    )
    yield Watched(page, complaints)
    context.close()


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """The page, signed in; the test fails if it complained about anything."""
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        expect(watched.page.get_by_role("heading", level=1)).to_be_visible()
        yield watched.page
        assert watched.complaints == []


def grid(page: Page, name: str) -> Locator:
    return page.get_by_role("grid", name=name, exact=True)


def cell(page: Page, dataset: str, row: int, column: int) -> Locator:
    return grid(page, dataset).locator(f'[data-row="{row}"] [data-column="{column}"]')


def inspector(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Inspector")


def faults(page: Page) -> list[str]:
    """What axe finds that is serious or critical."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{fault['id']}: {fault['nodes'][0]['html'][:200]}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]


def choose_kind(page: Page, kind: str) -> None:
    """Choose a kind in the menu of new cells at the end of the notebook."""
    page.get_by_role("button", name="Add a cell", exact=True).click()
    page.get_by_role("dialog", name="Add a cell").locator(f"[data-kind='{kind}']").click()


def add_cell(page: Page, kind: str) -> Locator:
    """Add a cell at the end, and wait until it is there: until then the last cell is another one."""
    cells = page.locator("section[data-cell]")
    before = cells.count()
    choose_kind(page, kind)
    expect(cells).to_have_count(before + 1)
    return page.locator(f"section[aria-label$=', {kind}']").last


def write(editor: Locator, text: str) -> None:
    """Replace what stands in an editor, as somebody would who selects all and types."""
    editor.click()
    editor.press("Control+a")
    editor.page.keyboard.insert_text(text)


def reads(editor: Locator, text: str, timeout: float = 20_000) -> None:
    """Wait until an editor holds this text; line ends and spaces count the same."""
    expect(editor).to_have_text(text, use_inner_text=True, timeout=timeout)
