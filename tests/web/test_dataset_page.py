"""What the page of a dataset offers: remedies for a doubtful value, and all rows as a file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser, Page, expect

import whence
from tests.web.conftest import PRICES, Served, cell, faults, grid, inspector, serving, watched_page

COLUMNS = ["part", "supplier", "description", "price", "stock"]
PARTS = ["A-100", "A-101", "B-200", "B-201", "B-202", "C-300", "C-301"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "prices.csv").write_text(PRICES, encoding="utf-8")
    with whence.open(folder / "w.whence") as ws:
        notebook = ws.notebook("n")
        notebook.append("load", source=str(folder / "prices.csv"), name="prices")
        notebook.wait()
    with serving(folder / "w.whence") as server:
        yield server


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        watched.page.goto(f"{served.address}/?dataset=prices")
        yield watched.page
        assert watched.complaints == []


def test_all_rows_are_saved_as_a_file(page: Page, tmp_path: Path) -> None:
    grid(page, "prices").wait_for()
    for form in ("CSV", "Excel", "Parquet"):
        page.get_by_role("button", name="Download prices").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=form, exact=True).click()
        saved = tmp_path / download.value.suggested_filename
        download.value.save_as(saved)
        assert saved.stem == "prices"
        assert names_and_first_column(saved) == (COLUMNS, PARTS)


def names_and_first_column(saved: Path) -> tuple[list[str], list[str]]:
    if saved.suffix == ".parquet":
        table = pq.read_table(saved)
        return table.column_names, table.column(0).to_pylist()
    if saved.suffix == ".xlsx":
        rows = [list(map(str, row)) for row in openpyxl.load_workbook(saved).worksheets[0].iter_rows(values_only=True)]
    else:
        with saved.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
    return rows[0], [row[0] for row in rows[1:]]


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
