"""Python cells in a real browser: completion, the line that failed, rows of datasets with their doubtful cells."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import whence
from tests.web.conftest import add_cell, faults, reads, watched_page, write
from tests.web.servers import Served, serving

PRICES = [("A-100", 0.42), ("B-201", None), ("B-202", 18.4)]
SLOW = 120_000


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("python") / "w.whence"
    with whence.open(folder) as ws:
        ws.create("prices", PRICES, "part string, price double", cell_caveats=[(1, "price", "21 USD is no number")])
    with serving(folder) as server:
        yield server


@pytest.fixture
def cell(browser: Browser, served: Served, request: pytest.FixtureRequest) -> Iterator[Locator]:
    """A Python cell in a notebook of the test's own."""
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        field = watched.page.get_by_role("textbox", name="Name of a new notebook")
        field.fill(request.node.name)
        field.press("Enter")
        expect(watched.page.get_by_text("This notebook is empty.")).to_be_visible()
        yield add_cell(watched.page, "python")
        assert watched.complaints == []


def text_of(cell: Locator) -> Locator:
    return cell.get_by_role("textbox", name="the code")


def run(cell: Locator, source: str) -> None:
    write(text_of(cell), source)
    text_of(cell).press("Control+Enter")


def take(page: Page, name: str) -> None:
    """Take what the list of completions offers."""
    expect(page.get_by_role("option", name=re.compile(f"^{name}"), selected=True)).to_be_visible()
    page.wait_for_timeout(200)  # an editor takes Enter for a line end while the list is only just there
    page.keyboard.press("Enter")


def test_rows_of_a_dataset_are_shown_with_their_doubtful_cells(cell: Locator) -> None:
    page = cell.page
    run(cell, 'rows = ws["prices"].to_pandas()\nrows.assign(double=rows.price * 2)[rows.part != "A-100"]')
    shown = cell.get_by_role("grid", name="Shown rows of prices")
    expect(shown.get_by_role("row")).to_have_count(3, timeout=SLOW)
    expect(shown.locator("td[data-doubt]")).to_have_count(1)
    expect(shown.locator("tbody tr").first.locator("td").nth(1)).to_have_attribute("data-doubt", "true")
    expect(cell).to_contain_text("What is doubtful in double is not known here.")
    assert faults(page) == []
    shown.get_by_role("button", name="price, B-201: null, doubtful").click()
    expect(page.get_by_role("complementary", name="Inspector")).to_contain_text("21 USD is no number")
    expect(page).to_have_url(re.compile("dataset=prices&row=1&column=price"))


FIGURE = """\
import numpy as np
import plotly.express as px
import plotly.graph_objects as go
many = np.arange(2000.0)
display(px.scatter(x=many, y=many ** 2, title="</script><b>squares</b>"))
display(go.Figure(go.Bar(x=["bolts", "nuts"], y=[3, 5])))
go.Figure(go.Scatter3d(x=[1], y=[2], z=[3]))
"""


def test_plotly_figures_are_drawn_apart_from_the_page(cell: Locator) -> None:
    page = cell.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.emulate_media(color_scheme="dark")
    run(cell, FIGURE)
    frames = cell.locator("iframe")
    expect(frames).to_have_count(3, timeout=SLOW)
    inside = [frames.nth(n).content_frame for n in range(3)]
    expect(inside[0].locator(".scatterlayer .point")).to_have_count(2000)
    expect(inside[0].locator(".gtitle")).to_contain_text("squares")
    expect(inside[0].locator("rect.bg").first).to_have_css("fill-opacity", "0")
    expect(inside[1].locator(".barlayer .point")).to_have_count(2)
    expect(inside[1].locator(".xtick")).to_have_text(["bolts", "nuts"])
    expect(inside[2].locator("p")).to_have_text("Figures of the kind scatter3d are not drawn here.")
    assert frames.first.get_attribute("sandbox") == "allow-scripts"
    own = page.url.partition("/?")[0]
    assert [each for each in asked if not each.startswith((own, "data:", "blob:"))] == []
    assert faults(page) == []


@pytest.mark.long
def test_a_dataset_is_shown_with_its_tools(cell: Locator) -> None:
    run(cell, 'ws["prices"]')
    expect(cell.get_by_role("toolbar", name="Tools of prices")).to_be_visible(timeout=SLOW)
    expect(cell.get_by_role("grid", name="First rows of prices").locator("td[data-doubt]")).to_have_count(1)


@pytest.mark.long
def test_datasets_columns_and_what_a_dataset_gives_are_completed(cell: Locator) -> None:
    text, page = text_of(cell), cell.page
    write(text, "rows = ")
    page.keyboard.type("pri")
    take(page, "prices")
    reads(text, 'rows = ws["prices"]')
    page.keyboard.type(".to_pa")
    take(page, "to_pandas")
    reads(text, 'rows = ws["prices"].to_pandas()')
    page.keyboard.insert_text("\n")
    page.keyboard.type("rows.pr")
    take(page, "price")
    expect(text).to_contain_text("rows.price")


@pytest.mark.long
def test_the_line_that_failed_is_marked_in_the_text_and_in_the_traceback(cell: Locator) -> None:
    run(cell, "def half(n):\n    return 1 / n\n\nhalf(0)\n")
    problem = cell.get_by_role("alert")
    expect(problem).to_contain_text("(line 2)", timeout=SLOW)
    expect(cell.locator(".cm-lintRange-error")).to_have_text("return 1 / n")
    problem.get_by_text("Where it happened").click()
    expect(problem.locator("mark")).to_have_text(re.compile(r"^\s*return 1 / n$"))
    assert faults(cell.page) == []
