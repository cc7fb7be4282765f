"""A real workspace, a real server process on it, and a real browser."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

import whence
from tests.web.corpus import NASTY

ROOT = Path(__file__).parent.parent.parent
CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
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


@dataclass(frozen=True)
class Served:
    """A running server."""

    link: str
    process: subprocess.Popen[str]

    @property
    def address(self) -> str:
        return self.link.partition("/login")[0]


@contextmanager
def serving(workspace: Path) -> Iterator[Served]:
    """`whence serve` on a workspace."""
    command = [sys.executable, "-m", "whence", "serve", str(workspace), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "the server ended without printing its link"
        try:
            yield Served(found.group(), process)
        finally:
            process.terminate()
            process.wait(20)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A price list, two queries over it, a long table, and a table of attempts to break the page."""
    if not (ROOT / "src/whence/server/static/index.html").is_file():
        pytest.fail("The page is not built: run ./dev web.")
    folder = tmp_path_factory.mktemp("web")
    (folder / "prices.csv").write_text(PRICES, encoding="utf-8")
    with whence.open(folder / "tour.whence") as ws:
        ws.create("long", pa.table({f"column_{c}": range(c, LONG_TABLE + c) for c in range(12)}))
        ws.create(NASTY[0], pa.table(dict.fromkeys(NASTY, NASTY)), cell_caveats=[(0, NASTY[1], NASTY[2])])
        ws.load(folder / "prices.csv", name="prices")
        ws.sql(BY_SUPPLIER, name="averages")
        ws.sql("select max(average_price) as dearest from averages", name="dearest")
        ws.sql(BY_SUPPLIER, name="averages")
        ws.sql(BY_SUPPLIER, name="by_supplier")
    return folder / "tour.whence"


@pytest.fixture(scope="module")
def served(workspace: Path) -> Iterator[Served]:
    with serving(workspace) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed after the module: while it is open, Playwright's event loop keeps others from running in this thread."""
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
def watched_page(browser: Browser, theme: str = "light") -> Iterator[Watched]:
    """A page of 1440 x 900 that records errors, dialogs and violations of its policy."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]
    page, complaints = context.new_page(), []
    page.set_default_timeout(15_000)

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    page.on("console", on_console)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: (complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
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
