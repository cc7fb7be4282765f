"""Filling a column of a long sheet in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from playwright.sync_api import Browser, Page, expect

import whence
from tests.web.conftest import watched_page
from tests.web.servers import Served, serving
from tests.web.sheets import cell, forget_pending, grid, open_sheet, pending, said

ROWS = 20_000


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fill") / "w.whence"
    with whence.open(folder) as ws:
        ws.create("long", pa.table({"n": np.arange(ROWS), "doubled": np.zeros(ROWS, dtype=np.int64)}))
    return folder


@pytest.fixture(scope="module")
def served(workspace: Path) -> Iterator[Served]:
    with serving(workspace) as server:
        yield server


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    with watched_page(browser) as watched:
        watched.page.goto(served.link)
        forget_pending(watched.page)
        open_sheet(watched.page, served, "long")
        yield watched.page
        assert watched.complaints == []


def test_a_whole_column_is_filled_by_one_step_and_taken_back(page: Page) -> None:
    cell(page, 0, 1, "long").click()
    page.keyboard.type("=A1*2")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Control+Shift+ArrowDown")
    page.keyboard.press("Control+d")
    expect(said(page)).to_have_text("Filled 19,999 cells.")
    expect(pending(page)).to_have_text("2 pending")
    grid(page, "long").focus()
    page.keyboard.press("Control+End")
    expect(cell(page, ROWS - 1, 1, "long")).to_contain_text("39,998")
    page.keyboard.press("Control+z")
    expect(said(page)).to_have_text("Took back: Filled doubled from row 1 down to the last row.")
    expect(cell(page, ROWS - 1, 1, "long")).not_to_contain_text("39,998")
