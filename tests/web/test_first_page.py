from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.conftest import LONG_TABLE, Theme, cell, faults, grid, inspector, watched_page
from tests.web.corpus import NASTY
from tests.web.servers import Served, serving_apart


def open_dataset(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Notebooks and datasets").get_by_role("link").filter(
        has_text=name
    ).first.click()


def selected(page: Page) -> tuple[str, str]:
    found = re.search(r"row=(\d+)&column=(\w+)", page.url)
    assert found, page.url
    return found.group(1), found.group(2)


def test_the_link_signs_in_and_leaves_no_token_in_the_address(browser: Browser, served: Served) -> None:
    token = served.link.partition("token=")[2]
    with watched_page(browser) as watched:
        requests: list[str] = []
        watched.page.on("request", lambda request: requests.append(str(request.headers)))
        watched.page.goto(served.link)
        expect(watched.page.get_by_role("heading", name="by_supplier")).to_be_visible()
        assert watched.page.url == f"{served.address}/"
        (cookie,) = watched.page.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        assert token not in cookie["value"]
        assert not any(token in headers for headers in requests), "the token travels in no header"
        assert watched.complaints == []


def test_without_the_link_the_page_says_what_is_missing(browser: Browser, served: Served) -> None:
    with watched_page(browser) as watched:
        answer = watched.page.goto(f"{served.address}/?dataset=prices")
        assert answer is not None
        assert answer.status == 401
        expect(watched.page.get_by_role("heading", name="This page needs its link")).to_be_visible()
        assert not [text for text in watched.complaints if "policy" in text.lower()]


def test_a_doubtful_cell_is_red_has_a_triangle_and_says_so(page: Page) -> None:
    doubtful, sure = cell(page, "by_supplier", 0, 2), cell(page, "by_supplier", 2, 2)
    expect(doubtful).to_contain_text("doubtful")
    expect(doubtful.locator("svg")).to_be_visible()
    red, green, blue = colour(doubtful)
    assert red > green + 15
    assert red > blue + 15
    expect(sure).not_to_contain_text("doubtful")
    assert colour(sure) == (0, 0, 0)


def colour(element: Locator) -> tuple[int, int, int]:
    """The background's red, green and blue; black if it has none."""
    text = element.evaluate("e => getComputedStyle(e).backgroundColor")
    red, green, blue, *alpha = (float(part) for part in re.findall(r"[\d.]+", text))
    return (0, 0, 0) if alpha == [0] else (int(red), int(green), int(blue))


def test_a_click_on_a_result_shows_its_source_rows_lines_and_caveats(page: Page) -> None:
    cell(page, "by_supplier", 0, 2).click()
    panel = inspector(page)
    rows = panel.get_by_role("region", name="Rows of prices").get_by_role("row")
    expect(rows).to_have_text(
        [
            re.compile("^line *supplier *price *part *description *stock$"),
            re.compile("^4 *Acme *7.25 *B-200.*150$"),
            re.compile("^6 *Acme *null *doubtful *B-201.*580$"),
            re.compile("^7 *Acme *18.40 *B-202.*75$"),
        ]
    )
    used = rows.nth(2).locator("td[data-used]")
    expect(used).to_have_text(["Acme", re.compile("null")])
    expect(panel).to_contain_text("Aggregated from price")
    expect(panel).to_contain_text("Grouped by supplier")
    doubts = panel.get_by_role("region", name="What is doubtful")
    expect(doubts).to_contain_text("21 USD")
    expect(doubts).to_contain_text("line 6")
    lit = grid(page, "prices, input").locator("[data-lit]")
    expect(lit).to_have_count(3)
    assert [row.get_attribute("data-row") for row in lit.all()] == ["2", "3", "4"]


def test_a_cell_that_nothing_doubtful_reaches_says_so(page: Page) -> None:
    cell(page, "by_supplier", 2, 2).click()
    expect(inspector(page)).to_contain_text("Nothing is doubtful about this cell.")


def test_a_click_on_a_source_row_opens_its_dataset_at_that_row_and_back_returns(page: Page) -> None:
    cell(page, "by_supplier", 0, 2).click()
    inspector(page).get_by_role("button", name="Open row 4 of prices, line 6").click()
    expect(page.get_by_role("heading", name="prices")).to_be_visible()
    expect(grid(page, "prices").locator('[data-row="3"] [aria-selected="true"]')).to_be_visible()
    expect(grid(page, "prices")).to_be_focused()
    assert "dataset=prices&row=3" in page.url
    page.go_back()
    expect(page.get_by_role("heading", name="by_supplier")).to_be_visible()
    expect(cell(page, "by_supplier", 0, 2)).to_have_attribute("aria-selected", "true")


def test_a_caveat_leads_to_the_cell_it_sits_in(page: Page) -> None:
    cell(page, "by_supplier", 0, 2).click()
    inspector(page).get_by_role("button", name="prices row 4, price").click()
    expect(cell(page, "prices", 3, 3)).to_have_attribute("aria-selected", "true")
    expect(inspector(page)).to_contain_text("prices.csv, line 6")


def test_the_way_back_goes_through_every_step_to_the_file(page: Page) -> None:
    open_dataset(page, "dearest")
    cell(page, "dearest", 0, 0).click()
    steps = inspector(page).get_by_role("region", name="Where it came from").locator("ol > li")
    expect(steps).to_have_count(2)
    expect(steps.nth(0)).to_contain_text("averages")
    expect(steps.nth(1)).to_contain_text("prices.csv")
    expect(steps.nth(1).get_by_role("row")).to_have_count(8)


def test_rows_of_a_replaced_version_are_shown_but_not_opened(page: Page) -> None:
    open_dataset(page, "dearest")
    expect(page.get_by_text("Made from version 1 of averages.")).to_be_visible()
    cell(page, "dearest", 0, 0).click()
    expect(inspector(page).get_by_role("button", name="Open row 1 of averages")).to_be_disabled()


def test_keys_alone_lead_from_the_result_to_the_inspector_and_back(page: Page) -> None:
    page.keyboard.press("ArrowDown")
    assert selected(page) == ("0", "supplier")
    expect(grid(page, "by_supplier")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert selected(page) == ("1", "parts")
    page.keyboard.press("Control+End")
    assert selected(page) == ("2", "stock")
    page.keyboard.press("F8")
    page.wait_for_url("**row=0&column=average_price")
    page.keyboard.press("Shift+F8")
    page.wait_for_url("**row=1&column=stock")
    page.keyboard.press("Enter")
    expect(inspector(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(grid(page, "by_supplier")).to_be_focused()
    page.keyboard.press("Escape")
    page.wait_for_url(re.compile(r"dataset=by_supplier$"))
    page.keyboard.press("F6")
    expect(inspector(page)).to_be_focused()


def test_the_active_cell_of_the_grid_is_one_that_is_drawn(page: Page) -> None:
    cell(page, "by_supplier", 1, 1).click()
    active = grid(page, "by_supplier").get_attribute("aria-activedescendant")
    assert active is not None
    assert page.locator(f'[id="{active}"]').inner_text() == "2"


def test_the_inspector_closes_and_opens_again(page: Page) -> None:
    inspector(page).get_by_role("button", name="Close the inspector").click()
    expect(inspector(page)).to_be_hidden()
    page.keyboard.press("Control+.")
    expect(inspector(page)).to_be_visible()


def test_an_address_leads_straight_to_a_cell(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?dataset=prices&row=5&column=stock")
    expect(cell(page, "prices", 5, 4)).to_have_attribute("aria-selected", "true")
    expect(inspector(page)).to_contain_text("n/a")


def drawn_rows(page: Page) -> list[int]:
    return [
        int(row)
        for row in grid(page, "long").locator("[data-row]").evaluate_all("rows => rows.map(r => r.dataset.row)")
    ]


def test_a_long_table_is_exact_wherever_it_is_entered(page: Page, served: Served) -> None:
    target = 612_345
    page.goto(f"{served.address}/?dataset=long&row={target}&column=column_7")
    expect(cell(page, "long", target, 7)).to_have_text(f"{target + 7:,}")
    grid(page, "long").hover()
    before = drawn_rows(page)[0]
    page.mouse.wheel(0, 90)
    expect(grid(page, "long").locator("[data-row]").first).to_have_attribute("data-row", str(before + 3))
    grid(page, "long").focus()
    page.keyboard.press("Control+End")
    expect(cell(page, "long", LONG_TABLE - 1, 11)).to_have_text(f"{LONG_TABLE + 10:,}")
    assert drawn_rows(page)[-1] == LONG_TABLE - 1
    page.keyboard.press("Control+Home")
    expect(cell(page, "long", 0, 0)).to_have_text("0")
    assert len(drawn_rows(page)) < 60


def test_row_numbers_stay_in_view_when_the_table_is_scrolled_sideways(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?dataset=long&row=5&column=column_11")
    expect(cell(page, "long", 5, 11)).to_be_in_viewport(ratio=1)
    number = grid(page, "long").locator('[data-row="5"] [role="rowheader"]')
    expect(number).to_be_in_viewport(ratio=1)
    assert grid(page, "long").evaluate("e => e.scrollLeft") > 0


def test_data_is_never_taken_for_markup(page: Page) -> None:
    open_dataset(page, NASTY[0])
    for position in (0, 1, 2, 8, 14):
        cell(page, NASTY[0], position, min(position, 1)).click()
        expect(inspector(page)).to_contain_text("Value")
    cell(page, NASTY[0], 0, 1).click()
    expect(inspector(page)).to_contain_text(NASTY[2])
    expect(cell(page, NASTY[0], 1, 0)).to_have_text(NASTY[1])
    assert (
        page.locator("#root").evaluate("e => e.querySelectorAll('script, iframe, style, math, img[src=x]').length") == 0
    )


def test_the_list_of_shortcuts_opens_and_closes(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_the_theme_can_be_chosen_and_is_kept(page: Page) -> None:
    for theme in ("light", "dark"):
        page.get_by_role("button", name="Theme").click()
        assert page.locator("html").get_attribute("data-theme") == theme
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_serious_accessibility_fault(browser: Browser, served: Served, theme: Theme) -> None:
    with watched_page(browser, theme) as watched:
        page = watched.page
        page.goto(served.link)
        expect(cell(page, "by_supplier", 0, 0)).to_be_visible()
        assert faults(page) == []
        cell(page, "by_supplier", 0, 2).click()
        expect(inspector(page)).to_contain_text("21 USD")
        assert faults(page) == []
        page.goto(f"{served.address}/?dataset=prices&row=3&column=price")
        expect(inspector(page)).to_contain_text("21 USD")
        assert faults(page) == []
        page.keyboard.press("?")
        assert faults(page) == []
        assert watched.complaints == []


def test_a_server_that_stops_is_noticed_and_what_was_read_stays(browser: Browser, tmp_path: Path) -> None:
    with watched_page(browser) as watched, serving_apart(tmp_path / "empty.whence") as server:
        page = watched.page
        page.goto(server.link)
        expect(page.get_by_text("This workspace is empty.")).to_be_visible()
        server.process.terminate()
        expect(page.get_by_text("The whence server does not answer.")).to_be_visible(timeout=30_000)
        expect(page.get_by_text("This workspace is empty.")).to_be_visible()
