"""Takes the pictures of the page that the documentation shows, in both themes, from a fresh copy of the tour."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tools.browser import find
from tools.environment import ROOT

IMAGES = ROOT / "docs" / "images"
CHROMIUM = find()
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


def add_menu(page: Page, address: str) -> None:
    """The menu of new cells."""
    notebook(page, address)
    page.keyboard.press("+")
    expect(page.get_by_role("dialog", name="Add a cell").get_by_role("option").first).to_be_visible()


def form(page: Page, address: str) -> None:
    """A form with the preview of its effect, in a notebook of its own."""
    page.goto(f"{address}/?notebook=tour")
    field = page.get_by_role("textbox", name="Name of a new notebook")
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    field.fill("large prices, dark" if is_dark else "large prices")  # both themes share one workspace
    field.press("Enter")
    page.get_by_role("button", name="Add a cell", exact=True).click()
    page.get_by_role("dialog", name="Add a cell").locator("[data-kind='filter']").click()
    cell = page.locator("section[aria-label$=', filter']")
    cell.get_by_label("source", exact=True).fill("prices")
    cell.get_by_label("condition", exact=True).fill("price > 5")
    region = cell.get_by_role("region", name="Effect of the cell")
    expect(region.get_by_role("table")).to_be_visible(timeout=240_000)  # Spark may have to start first
    cell.get_by_label("Column to compare").click()
    expect(cell.get_by_role("listbox", name="Offers").get_by_role("img")).to_have_count(6)


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


def sheet(page: Page, address: str) -> None:
    """A price that was mended, and what the inspector knows of it."""
    page.goto(f"{address}/?view=sheet&dataset=prices&row=6&column=price")
    page.get_by_role("gridcell", selected=True).wait_for()
    page.keyboard.type("21")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("button", name="Apply", exact=True)).to_be_enabled()
    expect(page.get_by_role("complementary", name="Inspector")).to_contain_text("21")


def palette(page: Page, address: str) -> None:
    """Going anywhere by a few letters."""
    notebook(page, address)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Go to or do").fill("s")


PICTURES: dict[str, Callable[[Page, str], None]] = {
    "notebook": notebook,
    "add-menu": add_menu,
    "form": form,
    "completion": completion,
    "compare": compare,
    "dataset": dataset,
    "caveats": caveats,
    "lineage": lineage,
    "sheet": sheet,
    "palette": palette,
    "chart-view": chart_view,
    "linked-charts": linked_charts,
    "explainer": explainer,
    "two-answers": two_answers,
    "first-look": dataset,
}


def main(folder: Path = IMAGES, names: Sequence[str] = ()) -> None:
    """Take these pictures, or all."""
    expect.set_options(timeout=60_000)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        workspace = Path(place) / "tour.whence"
        subprocess.run([sys.executable, "-c", MAKE, str(workspace)], cwd=ROOT, check=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        with served(workspace) as link:
            for theme in ("light", "dark"):
                _take(browser, link, theme, folder, names or tuple(PICTURES))
        browser.close()


def _take(browser: Browser, link: str, theme: str, folder: Path, names: Sequence[str]) -> None:
    context = browser.new_context(viewport=SIZE, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(link)
    for name in names:
        PICTURES[name](page, link.partition("/login")[0])
        page.wait_for_timeout(600)  # fonts, fading and the frame of a note
        page.screenshot(path=folder / f"{name}{'-dark' if theme == 'dark' else ''}.png")
        page.evaluate("localStorage.clear()")
    context.close()


@contextmanager
def served(workspace: Path) -> Iterator[str]:
    """Serve a workspace in a process of its own, and yield the link that signs a browser in."""
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
    main(Path(sys.argv[1]) if sys.argv[1:] else IMAGES, sys.argv[2:])
