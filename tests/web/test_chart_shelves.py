"""Charts built on the page: as code, with measures, layers, reference lines, filters, an order, and dragged fields."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import whence
from tests.web.conftest import ROOT, faults, watched_page
from tests.web.servers import Served

SHOPS = ("Aachen", "Bonn", "Celle", "Dresden")
ROWS = [
    (month, shop, float(10 * place + month), float(3 * month), 0.01 * place)
    for month in range(1, 7)
    for place, shop in enumerate(SHOPS)
]
SCHEMA = "month int, shop string, price double, cost double, share double"
SUMS = {"aes": {"x": "shop", "y": "price"}, "stat": "sum", "geom": "bar"}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "src/whence/server/static/index.html").is_file():
        pytest.fail("The page is not built: run ./dev web.")
    place = tmp_path_factory.mktemp("shelves") / "shops.whence"
    with whence.open(place) as ws:
        ws.create("sales", ROWS, schema=SCHEMA)
        ws.notebook("study").append("markdown", source="# Sales")
    return place


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        yield watched.page
        assert watched.complaints == []


def show(page: Page, served: Served, spec: object) -> None:
    asked = urlencode({"view": "chart", "dataset": "sales", "spec": json.dumps(spec)})
    page.goto(f"{served.address}/?{asked}")
    expect(picture(page).locator("svg.marks")).to_be_visible(timeout=150_000)


def picture(page: Page) -> Locator:
    return page.get_by_role("group", name="Chart of sales")


def bars(page: Page) -> Locator:
    return picture(page).locator('svg [aria-roledescription="bar"]')


def spec_of(page: Page) -> dict[str, object]:
    """The specification as the address holds it."""
    found: dict[str, object] = json.loads(parse_qs(urlsplit(page.url).query)["spec"][0])
    return found


def test_a_chart_is_copied_as_json_altair_and_sql(page: Page, served: Served) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    show(page, served, SUMS)
    page.get_by_role("button", name="Code", exact=True).click()
    code = page.get_by_role("region", name="Chart as code")
    expect(code).to_contain_text('"stat": "sum"')
    code.get_by_role("radio", name="SQL").check()
    expect(code).to_contain_text("from `sales`", timeout=60_000)
    code.get_by_role("button", name="Copy SQL").click()
    expect(page.get_by_text("Copied the chart as SQL.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("select x, y\nfrom (")
    code.get_by_role("radio", name="Altair").check()
    expect(code).to_contain_text('x=alt.X("shop:N")')
    expect(code).to_contain_text('y=alt.Y("sum(price):Q"')
    assert faults(page) == []


def shelves(page: Page) -> Locator:
    return page.get_by_role("group", name="Shelves", exact=True)


def shelf(page: Page, name: str) -> Locator:
    return shelves(page).get_by_role("combobox", name=name, exact=True)


def labels(page: Page) -> list[str]:
    """The names along the axis of the bars, from left to right."""
    return picture(page).locator("svg .role-axis-label text").all_text_contents()[: len(SHOPS)]


def test_measures_filters_and_an_order_have_shelves_that_read_what_they_wrote(page: Page, served: Served) -> None:
    show(page, served, SUMS)
    expect(bars(page)).to_have_count(4)
    shelf(page, "Measures").select_option("cost")
    expect(bars(page)).to_have_count(8, timeout=60_000)
    assert spec_of(page)["data"] == {"fold": ["price", "cost"]}
    page.get_by_role("button", name="Leave out cost").click()
    expect(bars(page)).to_have_count(4)
    assert spec_of(page) == SUMS

    shelf(page, "Filters").select_option("shop")
    shop = shelves(page).get_by_role("group", name=re.compile("^shop"))
    shop.get_by_role("checkbox", name="Bonn").uncheck()
    expect(bars(page)).to_have_count(3, timeout=60_000)
    shelf(page, "Filters").select_option("month")
    month = page.get_by_role("textbox", name="month from")
    month.fill("4")
    month.press("Enter")
    expect(page).to_have_url(re.compile("between"))
    late = sum(row[2] for row in ROWS if row[1] == "Aachen" and row[0] >= 4)
    expect(bars(page).first).to_have_attribute("aria-label", re.compile(f"price: {late:g}$"), timeout=60_000)

    shelf(page, "Order").select_option("by what is drawn")
    expect(bars(page).first).to_be_visible()
    page.reload()
    expect(bars(page)).to_have_count(3, timeout=60_000)
    assert labels(page)[:3] == ["Dresden", "Celle", "Aachen"]
    expect(shelf(page, "Order")).to_have_value("y")
    expect(page.get_by_role("textbox", name="month from")).to_have_value("4")
    expect(shop.get_by_role("checkbox", name="Bonn")).not_to_be_checked()
    assert faults(page) == []


def test_reference_lines_and_layers_are_drawn_over_the_chart(page: Page, served: Served) -> None:
    show(page, served, SUMS)
    page.get_by_role("button", name="Add a reference line").click()
    rules = picture(page).locator('svg [aria-roledescription="rule mark"]')
    expect(rules).to_have_count(1, timeout=60_000)
    mean = sum(row[2] for row in ROWS) / len(SHOPS)
    expect(rules.first).to_have_attribute("aria-label", re.compile(f"{mean:g}"))
    line = shelves(page).get_by_role("group", name=re.compile("^Reference line 1"))
    line.get_by_role("combobox", name="At").select_option("a number")
    line.get_by_role("textbox", name="Value of the reference line").fill("150")
    line.get_by_role("textbox", name="Value of the reference line").press("Enter")
    expect(rules.first).to_have_attribute("aria-label", re.compile("150"), timeout=60_000)

    page.get_by_role("button", name="Add a layer").click()
    layer = shelves(page).get_by_role("group", name=re.compile("^Layer 2"))
    expect(layer.get_by_role("combobox", name="Measure")).to_have_value("cost")
    expect(layer.get_by_role("combobox", name="Mark", exact=True)).to_have_value("point")
    expect(bars(page)).to_have_count(4, timeout=60_000)
    layer.get_by_role("combobox", name="Measure").select_option("share")
    layer.get_by_role("combobox", name="Mark", exact=True).select_option("line")
    layer.get_by_role("checkbox", name="An axis of its own").check()
    expect(picture(page).get_by_text("sum of share", exact=True)).to_be_visible(timeout=60_000)
    page.reload()
    expect(layer.get_by_role("checkbox", name="An axis of its own")).to_be_checked(timeout=60_000)
    expect(line.get_by_role("textbox", name="Value of the reference line")).to_have_value("150")
    page.get_by_role("button", name="Remove layer 2").click()
    page.get_by_role("button", name="Remove reference line 1").click()
    expect(rules).to_have_count(0, timeout=60_000)
    assert spec_of(page) == SUMS


def test_columns_are_dragged_onto_shelves_and_between_them(page: Page, served: Served) -> None:
    show(page, served, {"aes": {"x": "shop"}, "geom": "bar"})
    fields = page.get_by_role("list", name="Columns to drag onto shelves")
    fields.locator("li", has_text="price").drag_to(page.locator('[data-shelf="aes.y"]'))
    expect(shelf(page, "Y")).to_have_value("price")
    fields.locator("li", has_text="month").drag_to(page.locator('[data-shelf="aes.color"]'))
    expect(shelf(page, "Colour")).to_have_value("month")
    page.get_by_title("Drag month to another shelf").drag_to(page.locator('[data-shelf="facet.wrap"]'))
    expect(shelf(page, "Panels by")).to_have_value("month")
    expect(shelf(page, "Colour")).to_have_value("")
    page.get_by_title("Drag month to another shelf").drag_to(fields)
    expect(shelf(page, "Panels by")).to_have_value("")
    page.get_by_title("Drag shop to another shelf").drag_to(page.locator('[data-shelf="aes.y"]'))
    expect(shelf(page, "Y")).to_have_value("shop")
    expect(shelf(page, "X")).to_have_value("price")
    fields.locator("li", has_text="shop").drag_to(page.locator('[data-shelf="filters"]'))
    expect(shelves(page).get_by_role("group", name=re.compile("^shop"))).to_be_visible()


def test_a_range_that_is_open_at_both_ends_keeps_all_rows(page: Page, served: Served) -> None:
    show(page, served, {"aes": {"x": "shop"}})
    shelf(page, "Filters").select_option("month")
    month = page.get_by_role("textbox", name="month from")
    expect(month).to_be_visible()
    expect(page).to_have_url(re.compile("between"))
    expect(bars(page)).to_have_count(4, timeout=60_000)
    month.fill("4")
    month.press("Enter")
    expect(bars(page).first).to_have_attribute("aria-label", re.compile("count: 3$"), timeout=60_000)


def test_one_click_turns_a_chart_and_takes_it_back(page: Page, served: Served) -> None:
    show(page, served, SUMS)
    turn = page.get_by_role("button", name="Turn", exact=True)
    turn.click()
    expect(turn).to_have_attribute("aria-pressed", "true")
    expect(picture(page).locator("svg .role-axis-title text").first).to_have_text("sum of price", timeout=60_000)
    turn.click()
    assert spec_of(page) == SUMS


@pytest.mark.parametrize("width", [400, 1200])
def test_a_chart_fills_its_width(page: Page, served: Served, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    show(page, served, SUMS)
    page.wait_for_function(
        "() => { const svg = document.querySelector('[role=group] svg.marks');"
        "const room = svg?.closest('[role=group]').clientWidth ?? 0;"
        "return svg && Math.abs(svg.getBoundingClientRect().width - room) <= 12; }"
    )
    assert faults(page) == []
