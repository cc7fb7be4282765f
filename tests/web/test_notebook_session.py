"""A notebook in session mode in a real browser: what is out of date, and what a cell needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import add_cell, faults, write
from tests.web.notebooks import FIRST_RUN, new_notebook, text_of, tour_page
from tests.web.servers import Served


@pytest.fixture
def page(browser: Browser, tour_served: Served) -> Iterator[Page]:
    with tour_page(browser, tour_served) as page:
        yield page


def test_a_session_marks_what_is_out_of_date_and_runs_what_a_cell_needs(page: Page) -> None:
    new_notebook(page, "session")
    page.get_by_role("combobox", name="When cells run").select_option("session")
    for text in ("rate = 2", "gross = 10 * rate", "print(gross)"):
        cell = add_cell(page, "python")
        expect(text_of(cell)).to_be_focused()
        write(text_of(cell), text)
        text_of(cell).press("Control+Enter")
        expect(cell.get_by_text(re.compile("^✓ready"))).to_be_visible(timeout=FIRST_RUN)
    rate, gross, shown = (page.locator("section[aria-label$=', python']").nth(place) for place in range(3))
    expect(shown).to_contain_text("20")
    write(text_of(rate), "rate = 3")
    text_of(rate).press("Control+Enter")
    expect(shown.get_by_role("note", name="Session")).to_contain_text("run cell c2 first", timeout=20_000)
    expect(gross.get_by_role("note", name="Session")).to_contain_text("fresh")
    expect(gross.get_by_role("note", name="Session")).to_contain_text("refresher")
    assert faults(page) == []
    shown.get_by_role("button", name="Run what it needs").click()
    expect(shown).to_contain_text("30", timeout=20_000)
    expect(page.get_by_role("note", name="Session")).to_have_count(0)
    page.get_by_role("button", name="Variables in memory", exact=True).click()
    page.get_by_role("menuitem", name="Restart: forget all variables").click()
    expect(page.get_by_role("button", name="No variables yet", exact=True)).to_be_visible()
    expect(page.get_by_text("The variables are gone: the session was restarted")).to_be_visible()
    write(text_of(rate), "rate = 4")
    text_of(rate).press("Escape")
    rate.get_by_role("button", name="Save and run").click()
    expect(rate.get_by_text(re.compile("^✓ready"))).to_be_visible(timeout=FIRST_RUN)
    expect(page.get_by_text("The variables are gone: the session was restarted")).to_have_count(0)
    text_of(shown).press("Control+Alt+Enter")
    expect(shown).to_contain_text("40", timeout=20_000)
