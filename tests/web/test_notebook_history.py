"""Versions of a notebook in a real browser: look at, compare, restore, branch and share them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import add_cell, reads, watched_page, write
from tests.web.notebooks import FIRST_RUN, new_notebook, text_of, tour_page
from tests.web.servers import Served


@pytest.fixture
def page(browser: Browser, tour_served: Served) -> Iterator[Page]:
    with tour_page(browser, tour_served) as page:
        yield page


def test_versions_are_looked_at_compared_restored_and_branched(page: Page) -> None:
    new_notebook(page, "versions")
    cell = add_cell(page, "sql")
    write(text_of(cell), "select 1 as x")
    text_of(cell).press("Control+Enter")
    expect(cell.get_by_text(re.compile("^✓ *ready"))).to_be_visible(timeout=FIRST_RUN)
    write(text_of(cell), "select 2 as x, 3 as y")
    text_of(cell).press("Control+Enter")
    expect(cell.get_by_role("columnheader")).to_have_count(2, timeout=FIRST_RUN)
    history = page.get_by_role("region", name="History")
    history.get_by_role("button", name=re.compile(r"2 · main")).click()
    expect(page.get_by_role("heading", name="Viewing version 2, read only")).to_be_visible()
    assert "version=2" in page.url
    past = page.get_by_role("region", name=re.compile(", sql$"))
    expect(past.get_by_role("table")).to_have_text(re.compile(r"^x\s*1$"))
    page.get_by_role("button", name="Compare with now").click()
    expect(page.get_by_text("-select 1 as x")).to_be_visible()
    expect(page.get_by_text("+select 2 as x, 3 as y")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile(r"^sql_\d+ 1 1 y \(new\) ?x: 1 → 2$"))).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Branch here").click()
    page.get_by_role("textbox", name="Name of the new branch").fill("try")
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Branch")).to_have_value("try", timeout=20_000)
    reads(text_of(cell), "select 1 as x")
    page.get_by_role("combobox", name="Branch").select_option("main")
    reads(text_of(cell), "select 2 as x, 3 as y")


def test_a_comparison_says_in_words_what_a_form_and_the_page_became(page: Page) -> None:
    new_notebook(page, "compared")
    page.evaluate(
        """async () => {
            const post = (path, body) => fetch(`/api/notebooks/compared${path}`, {
                method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
            }).then(answer => answer.json());
            const values = { source: "prices", columns: ["supplier"], values: { n: "count(*)" }, name: "counted" };
            const { cell } = await post("/cells", { kind: "group_by", values, is_draft: false });
            await post("/page", { items: [
                { cell: cell.id, shows: "table", name: "counted", x: 6, y: 0, width: 6, height: 4 },
            ] });
        }"""
    )
    page.goto(f"{page.url.partition('&')[0]}&compare=0-2")
    main = page.get_by_role("main")
    expect(main.get_by_text("+on the page: table counted, columns 7 to 12, rows 1 to 4")).to_be_visible()
    expect(main.get_by_text("+values: n = count(*)")).to_be_visible()
    expect(main.get_by_text("+source: prices")).to_be_visible()
    expect(main.get_by_text('"shows"')).to_have_count(0)


def test_a_link_shows_one_version_and_nothing_to_change(browser: Browser, page: Page, tour_served: Served) -> None:
    shared = page.evaluate(
        """() => fetch("/api/notebooks/tour/shares", {
            method: "POST", headers: { "content-type": "application/json" }, body: "{}",
        }).then(answer => answer.json())"""
    )
    with watched_page(browser) as watched:
        other = watched.page
        other.goto(shared["link"])
        expect(other.get_by_text(f"Version {shared['version']}, shared for reading")).to_be_visible()
        expect(other.locator("section[aria-label$=', sql']").first.get_by_role("columnheader")).to_have_count(4)
        expect(other.get_by_role("button", name="Run", exact=True)).to_have_count(0)
        expect(other.get_by_role("textbox")).to_have_count(0)
        assert tour_served.address in other.url
        assert "token" not in other.url
