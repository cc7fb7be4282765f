"""What the inspector offers for a doubtful value: mend it, read the file in another way, accept the caveat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import whence
from tests.web.conftest import PRICES, Served, cell, faults, inspector, serving, watched_page


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
    with whence.open(tmp_path / "w.whence") as ws:
        notebook = ws.notebook("n")
        notebook.append("load", source=str(tmp_path / "prices.csv"), name="prices")
        notebook.wait()
    with serving(tmp_path / "w.whence") as server:
        yield server


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        watched.page.goto(f"{served.address}/?dataset=prices")
        yield watched.page
        assert watched.complaints == []


def test_a_doubtful_value_is_mended_read_as_missing_or_accepted(page: Page) -> None:
    price, stock = 3, 4
    cell(page, "prices", 3, price).click()
    inspector(page).get_by_role("button", name="Treat “21 USD” as missing").click()
    expect(page.get_by_text("The file is read again with “21 USD” as no value.")).to_be_visible()
    expect(inspector(page).get_by_text("Nothing is doubtful about this cell.")).to_be_visible()
    assert faults(page) == []

    cell(page, "prices", 5, stock).click()
    expect(inspector(page).get_by_role("button", name="Treat “n/a” as missing")).to_be_visible()
    inspector(page).get_by_role("button", name="Accept…").click()
    expect(page.get_by_role("form", name="Acknowledge")).to_be_visible()
    expect(page).to_have_url(re.compile("view=caveats.*group="))
    page.go_back()

    inspector(page).get_by_role("button", name="Fix").click()
    expect(page).to_have_url(re.compile("view=sheet.*row=5.*column=stock"))
    expect(page.get_by_role("grid")).to_be_visible()
