"""Takes the pictures of the page that the documentation shows, in both themes, from a fresh copy of the tour."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tools.environment import ROOT

IMAGES = ROOT / "docs" / "images"
CHROMIUM = "/usr/bin/chromium"
SIZE = {"width": 1360, "height": 850}
MAKE = """
import random, sys, whence
from whence.workspace.tour.tour import make_tour
with whence.open(sys.argv[1]) as ws:
    make_tour(ws)
    tour = ws.notebook("tour")
    cell = tour.append("sql", "select max(average_price) as dearest from by_supplier", "dearest")
    tour.wait()
    tour.update(cell, "select max(average_price) as dearest, sum(parts) as parts from by_supplier")
    tour.wait()
    chance = random.Random(4)
    rows = [
        (day, state, chance.choice(["web", "shop"]), chance.randint(9, 17), round(chance.gauss(20, 4), 2))
        for day in range(1, 15) for state in ("CA", "FL", "MA", "MI", "NY", "WA")
        for _ in range(34 if day > 8 and state in ("MA", "WA") else 12)
    ]
    sales = ws.create("sales", rows, schema="day int, state string, channel string, hour int, amount double")
    drawn = {
        "by_day": {"aes": {"x": "day", "y": "amount"}, "stat": "sum", "geom": "bar"},
        "by_state": {"aes": {"x": "state", "y": "amount", "color": "channel"}, "stat": "sum", "geom": "bar"},
        "by_hour": {"aes": {"x": "hour", "y": "amount"}, "stat": "mean", "geom": "line"},
        "amounts": {"aes": {"x": "amount"}, "geom": "histogram"},
    }
    assert all(sales.chart(spec, name=name).marks for name, spec in drawn.items())
"""
TRACED = "dataset=by_supplier&row=0&column=average_price"


def notebook(page: Page, address: str) -> None:
    """A notebook with its outline and history."""
    page.goto(f"{address}/?notebook=tour")
    expect(page.locator("[data-editor='sql']").first).to_be_visible()
    page.locator("section[aria-label$=', sql']").first.focus()
    page.get_by_role("heading", name="tour", level=1).scroll_into_view_if_needed()


def completion(page: Page, address: str) -> None:
    """An editor that knows the columns."""
    notebook(page, address)
    cell = page.locator("section[aria-label$=', sql']").last
    cell.get_by_role("textbox", name="the query").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nwhere by_supplier.")
    expect(page.get_by_role("option", name=re.compile("^average_price"))).to_be_visible()


def compare(page: Page, address: str) -> None:
    """Two versions side by side."""
    notebook(page, address)
    page.get_by_role("button", name="Compare", exact=True).nth(1).click()
    expect(page.get_by_role("heading", name=re.compile("^Version"))).to_be_visible()
    expect(page.get_by_role("row").first).to_be_visible()


def dataset(page: Page, address: str) -> None:
    """A result, and where one of its cells came from."""
    page.goto(f"{address}/?{TRACED}")
    expect(page.get_by_role("complementary", name="Inspector").get_by_role("table").first).to_be_visible()


def caveats(page: Page, address: str) -> None:
    """All that is doubtful."""
    page.goto(f"{address}/?view=caveats")
    expect(page.get_by_role("article", name="Group of caveats")).to_be_visible()
    expect(page.get_by_role("region", name="Impact")).not_to_contain_text("counting")


def lineage(page: Page, address: str) -> None:
    """The values behind a value."""
    page.goto(f"{address}/?view=lineage&{TRACED}")
    page.get_by_role("button", name=re.compile("^prices · price")).click()
    expect(page.get_by_role("region", name="Values that take part")).to_be_visible()


def chart_view(page: Page, address: str) -> None:
    """A chart on shelves, one of its marks in the inspector."""
    page.goto(f"{address}/?view=chart&chart=by_state")
    bars = page.get_by_role("group", name="Chart of sales").locator('svg [aria-roledescription="bar"]')
    bars.nth(4).click(timeout=120_000)  # Spark may have to start first
    expect(page.get_by_role("complementary", name="Inspector").get_by_role("table").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Open .* rows as a sheet"))).to_be_enabled()


def linked_charts(page: Page, address: str) -> None:
    """A brush on one of four charts."""
    page.goto(f'{address}/?view=canvas&charts=["by_day","by_state","by_hour","amounts"]')
    _brush(page, "by_day", 8, 13)
    expect(page.get_by_role("button", name=re.compile("^by_day: 6 marks"))).to_be_visible()


def explainer(page: Page, address: str) -> None:
    """The answers to why the last days are high, one of them locked."""
    page.goto(f"{address}/?view=explain&chart=by_day")
    _brush(page, "by_day", 8, 13)
    page.get_by_role("button", name="Search", exact=True).click()
    answers = page.get_by_role("region", name="Answers")
    expect(answers.get_by_role("heading", name="Answers")).to_be_visible(timeout=60_000)
    answers.get_by_role("listitem").first.get_by_role("button").click()
    expect(page.get_by_role("button", name="Make permanent…")).to_be_enabled()


def two_answers(page: Page, address: str) -> None:
    """Two of the answers side by side."""
    explainer(page, address)
    page.get_by_role("button", name=re.compile("^Compare with")).first.click()
    expect(page.get_by_role("table", name="What the two answers do")).to_be_visible()


def _brush(page: Page, name: str, first: int, last: int) -> None:
    """Drag over marks of a chart."""
    bars = page.get_by_role("group", name=re.compile(f"^Chart {name}")).locator('svg [aria-roledescription="bar"]')
    start, end = bars.nth(first).bounding_box(), bars.nth(last).bounding_box()
    assert start is not None
    assert end is not None
    low = end["y"] + end["height"] - 4
    page.mouse.move(start["x"] + 3, low)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] - 3, low, steps=6)
    page.mouse.up()


def palette(page: Page, address: str) -> None:
    """Going anywhere by a few letters."""
    notebook(page, address)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Go to or do").fill("s")


PICTURES: dict[str, Callable[[Page, str], None]] = {
    "notebook": notebook,
    "completion": completion,
    "compare": compare,
    "dataset": dataset,
    "caveats": caveats,
    "lineage": lineage,
    "palette": palette,
    "chart-view": chart_view,
    "linked-charts": linked_charts,
    "explainer": explainer,
    "two-answers": two_answers,
}


def main(folder: Path = IMAGES) -> None:
    """Take them all."""
    expect.set_options(timeout=60_000)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        workspace = Path(place) / "tour.whence"
        subprocess.run([sys.executable, "-c", MAKE, str(workspace)], cwd=ROOT, check=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        with _served(workspace) as link:
            for theme in ("light", "dark"):
                _take(browser, link, theme, folder)
        browser.close()


def _take(browser: Browser, link: str, theme: str, folder: Path) -> None:
    context = browser.new_context(viewport=SIZE, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(link)
    for name, show in PICTURES.items():
        show(page, link.partition("/login")[0])
        page.wait_for_timeout(600)  # fonts, fading and the frame of a note
        page.screenshot(path=folder / f"{name}{'-dark' if theme == 'dark' else ''}.png")
        page.evaluate("localStorage.clear()")
    context.close()


@contextmanager
def _served(workspace: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "whence", "serve", str(workspace), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, "the server ended without printing its link"
        try:
            yield found.group()
        finally:
            process.terminate()


if __name__ == "__main__":
    main(*(Path(each) for each in sys.argv[1:]))
