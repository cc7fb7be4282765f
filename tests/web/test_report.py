"""A report of a notebook, opened from the disk as its reader does."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import whence
from tests.web.conftest import Theme, faults, watched_page


@pytest.fixture(scope="module")
def report(spark_home: whence.Workspace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with text, a chart, a table, and a value in doubt."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "people.csv").write_text("name,team,pay\nAda,red,10\nBob,red,x\nCyd,blue,30\nDee,blue,40\n")
    assert spark_home.spark is not None
    with whence.open(folder / "w.whence") as ws:
        ws.load(folder / "people.csv", name="people", types={"pay": "int"})
        nb = ws.notebook("Pay by team")
        nb.append("markdown", source="## What we pay\n\nOne entry could not be read.")
        nb.append("sql", source="select team, sum(pay) as total from people group by team order by team", name="totals")
        nb.append("chart", source="totals", chart="bar", x="team", y="total", name="bars")
        columns = ", ".join(f"{number} * 1000000 as a_column_{number}" for number in range(20))
        nb.append("sql", source=f"select *, {columns} from people", name="wide")
        nb.wait().report(folder / "pay.html")
    return folder / "pay.html"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_report_opens_from_the_disk_and_tells_where_values_came_from(
    browser: Browser, report: Path, theme: Theme
) -> None:
    with watched_page(browser, theme) as watched:
        page, asked = watched.page, list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(report.as_uri())
        expect(page.get_by_role("heading", name="What we pay")).to_be_visible()
        picture = page.locator("img.chart")
        expect(picture).to_be_visible()
        assert picture.evaluate("each => each.naturalWidth") > 100
        page.get_by_role("button", name="70", exact=True).first.click()
        panel = page.locator("aside")
        expect(panel).to_contain_text("2 rows of people@1")
        expect(panel.get_by_role("row", name="line 5")).to_contain_text("Dee")
        page.keyboard.press("Escape")
        expect(panel).to_be_hidden()
        doubtful = page.locator("td.doubt").first
        expect(doubtful).to_have_text("10")
        doubtful.focus()
        page.keyboard.press("Enter")
        expect(panel.get_by_role("heading", name="In doubt")).to_be_visible()
        expect(panel).to_contain_text("line 3")
        page.set_viewport_size({"width": 400, "height": 500})
        panel.evaluate("each => each.scrollTo(0, each.scrollHeight)")
        expect(panel.get_by_role("button", name="Close")).to_be_in_viewport()
        assert faults(page) == []
        assert [each for each in asked if not each.startswith(("file:", "data:"))] == []
        assert watched.complaints == []


def test_paper_shows_every_column_and_what_is_folded_up_in_dark_ink(browser: Browser, report: Path) -> None:
    with watched_page(browser, "dark") as watched:
        page = watched.page
        page.goto(report.as_uri())
        page.set_viewport_size({"width": 794, "height": 1123})  # A4
        page.emulate_media(media="print", color_scheme="dark")
        folded = page.get_by_role("table", name="bars")
        expect(folded).to_be_hidden()
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        expect(folded).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 794
        last = page.locator("td[data-column=a_column_19]").first
        expect(last).to_be_visible()
        assert last.evaluate("each => getComputedStyle(each, '::before').content") == '"a_column_19: "'
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        expect(folded).to_be_hidden()
        assert watched.complaints == []
