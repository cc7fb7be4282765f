"""How quick a sheet is for somebody before a browser: from the key or the click until it shows, and its pages.

No contender: the page of rows without a sheet is the baseline.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import whence
from whence.cli.bench import summarise

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", 10_000_000))
COLUMNS = 40
WATCH = """
() => {
  const grid = document.querySelector('[role=grid]');
  let down = 0, click = 0;
  window.taken = [];
  const done = from => window.taken.push(performance.now() - from);
  grid.addEventListener('keydown', e => { if (e.key === 'Enter') down = performance.now(); }, true);
  grid.addEventListener('pointerdown', () => { click = performance.now(); }, true);
  new MutationObserver(() => {
    if (down && grid.querySelector('[data-pending]')) { done(down); down = 0; }
    const aside = document.querySelector('aside');
    const titles = aside ? [...aside.querySelectorAll('h3')].map(h => h.textContent) : [];
    const isThere = titles.some(t => t.startsWith('What is doubtful'));
    if (click && isThere && aside.querySelector('h2').textContent.endsWith(window.wanted)) { done(click); click = 0; }
  }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
}
"""
FETCH = "async url => { const t = performance.now(); await (await fetch(url)).json(); return performance.now() - t }"


def run(repeats: int) -> dict[str, object]:
    """Make the dataset, open its sheet, and do each thing a few times."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-", dir=os.environ.get("WHENCE_BENCH_FOLDER")) as folder:
        path = Path(folder) / "sheet.whence"
        with whence.open(path) as ws:
            more = ", ".join(f"id * {n} as n{n}" for n in range(2, COLUMNS))
            ws.sql(f"select id, concat('part ', id % 5000) as part, {more} from range({ROWS})", name="long")
        with _opened(path) as page:
            times = _measured(page, max(repeats, 5))
    return {
        "question": f"A sheet of {ROWS:,} rows and {COLUMNS} columns in the browser",
        "baseline": "page of 200 rows, without a sheet",
        "results": summarise(times, "page of 200 rows, without a sheet"),
    }


@contextmanager
def _opened(path: Path) -> Iterator[Page]:
    command = [sys.executable, "-m", "whence", "serve", str(path), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found, "the server ended without printing its link"
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(60_000)
        page.goto(found.group())
        page.goto(f"{found.group().partition('/login')[0]}/?dataset=long&view=sheet")
        page.locator('[aria-rowindex="2"] [aria-colindex="2"]').wait_for()
        page.wait_for_timeout(3000)  # the profiles of the headers
        yield page
        browser.close()
        server.terminate()


def _measured(page: Page, repeats: int) -> dict[str, list[float]]:
    sheet = page.evaluate("fetch('/api/sheets').then(r => r.json())")[0]["id"]
    chance = random.Random(3)
    places = [chance.randrange(max(1, ROWS - 200)) for _ in range(repeats)]
    return {
        "page of 200 rows": [page.evaluate(FETCH, f"/api/sheets/{sheet}/page?offset={at}") for at in places],
        "page of 200 rows, without a sheet": [
            page.evaluate(FETCH, f"/api/datasets/long/page?offset={at}") for at in places
        ],
        "keystroke until pending": _typed(page, repeats),
        "click until the inspector": _clicked(page, repeats),
        "the rail": [page.evaluate(FETCH, f"/api/sheets/{sheet}/density") for _ in places],
        "next doubt": [page.evaluate(FETCH, f"/api/sheets/{sheet}/next-doubt") for _ in places],
    }


def _typed(page: Page, repeats: int) -> list[float]:
    page.evaluate(WATCH)
    _go(page, f"{ROWS // 2}:n2")
    for number in range(repeats):
        page.keyboard.type(str(number))
        page.keyboard.press("Enter")
        page.wait_for_timeout(600)
    return list(page.evaluate("window.taken.splice(0)"))


def _clicked(page: Page, repeats: int) -> list[float]:
    for number in range(repeats):
        row = ROWS // 2 + number % 8
        page.evaluate("name => { window.wanted = name }", f"B{row}")
        page.locator(f'[aria-rowindex="{row + 1}"] [aria-colindex="3"]').click()
        page.wait_for_timeout(1000)
    return list(page.evaluate("window.taken.splice(0)"))


def _go(page: Page, place: str) -> None:
    box = page.get_by_role("textbox", name="Go to a cell")
    box.fill(place)
    box.press("Enter")
    page.wait_for_timeout(1500)
