"""In a narrow window every view keeps its buttons and the selected cell in sight."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import add_cell, faults, watched_page
from tests.web.servers import Served
from tests.web.widths import SPARK, VIEWS, problems, show

PHONE = 390
WIDTHS = (PHONE, 800, 1024, 1280)


@pytest.fixture
def page(browser: Browser, tour_served: Served) -> Iterator[Page]:
    with watched_page(browser) as watched:
        watched.page.goto(tour_served.link)
        yield watched.page


def test_sheet_and_notebook_fit_a_narrow_window(page: Page, tour_served: Served) -> None:
    for view in ("sheet", "dataset", "result", "notebook-inspecting"):
        for width in (800, PHONE):
            page.set_viewport_size({"width": width, "height": 844})
            show(page, tour_served, view)
            assert problems(page) == [], (view, width)


def test_on_a_phone_the_rail_is_a_drawer(page: Page, tour_served: Served) -> None:
    page.set_viewport_size({"width": PHONE, "height": 844})
    show(page, tour_served, "notebook")
    rail = page.get_by_role("navigation", name="Notebooks and datasets")
    expect(rail).to_have_count(0)
    opener = page.get_by_role("button", name="Rail", exact=True)
    opener.click()
    expect(rail).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(rail).to_have_count(0)
    expect(opener).to_be_focused()
    opener.click()
    page.get_by_role("button", name="Close the rail").click(position={"x": 20, "y": 300})
    expect(rail).to_have_count(0)
    opener.click()
    rail.get_by_role("link", name=re.compile("^prices")).first.click()
    expect(page.get_by_role("heading", level=1, name="prices")).to_be_visible()
    expect(rail).to_have_count(0)
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(rail).to_be_visible()


def test_on_a_phone_the_fields_of_a_form_stay_in_their_cell(page: Page, tour_served: Served) -> None:
    page.set_viewport_size({"width": PHONE, "height": 844})
    show(page, tour_served, "notebook")
    form = add_cell(page, "standardise")
    expect(form.get_by_role("textbox").last).to_be_visible()
    right = form.evaluate("form => form.getBoundingClientRect().right")
    fields = form.locator("input, select").evaluate_all("all => all.map(e => [e.id, e.getBoundingClientRect().right])")
    assert [name for name, end in fields if end > right] == []
    form.get_by_role("button", name=re.compile("^More for cell")).click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(form).to_have_count(0)


def test_a_chart_takes_the_width_of_its_cell(page: Page, tour_served: Served) -> None:
    show(page, tour_served, "notebook")
    chart = page.get_by_role("figure", name=re.compile("^Chart deaths_chart"))
    chart.scroll_into_view_if_needed()
    expect(chart.locator("svg")).to_be_visible(timeout=SPARK)
    for width in (1280, 800, PHONE):
        page.set_viewport_size({"width": width, "height": 844})
        # The window comes to rest first, then the chart is drawn anew.
        page.wait_for_function(
            "figure => figure.querySelector('svg')?.getAttribute('width') === String(figure.clientWidth)",
            arg=chart.element_handle(),
        )
        expect(chart).not_to_have_attribute("tabindex", "0")
    assert faults(page) == []


def test_keys_reach_a_chart_while_it_is_wider_than_the_page(page: Page, tour_served: Served) -> None:
    page.goto(f"{tour_served.address}/?notebook=tour")
    page.evaluate(
        """async () => {
            const post = (path, body) => fetch(`/api/notebooks${path}`, {
                method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
            });
            const spec = { aes: { x: "year", y: "deaths" }, stat: "sum", geom: "bar", width: 700 };
            const values = { source: "deaths_by_year", spec, name: "wide_chart" };
            await post("", { name: "wide" });
            await post("/wide/cells", { kind: "chart", values, is_draft: false });
        }"""
    )
    page.goto(f"{tour_served.address}/?notebook=wide")
    chart = page.get_by_role("figure", name=re.compile("^Chart wide_chart"))
    expect(chart.locator("svg")).to_be_visible(timeout=SPARK)
    for width, stop in ((PHONE, "0"), (1600, None)):
        page.set_viewport_size({"width": width, "height": 844})
        if stop is None:
            expect(chart).not_to_have_attribute("tabindex", "0")
        else:
            expect(chart).to_have_attribute("tabindex", stop)
            assert faults(page) == []


@pytest.mark.long
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("view", list(VIEWS))
def test_every_view_fits(page: Page, tour_served: Served, view: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    show(page, tour_served, view)
    assert problems(page) == []
    assert faults(page) == []
