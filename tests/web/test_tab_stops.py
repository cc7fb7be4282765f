"""A table is one stop of the Tab key, wherever it stands; the arrow keys move inside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import whence
from tests.web.conftest import faults, inspector
from tests.web.servers import Served, serving
from tests.web.sheets import open_sheet

WIDTH = 60

STOPS = """
root => [...root.querySelectorAll('a[href], button, input, select, textarea, [tabindex]'), root].filter(
  each => each.tabIndex >= 0 && !each.disabled && each.matches('*') && each.checkVisibility()
).length
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook of two cells, each with a wide table."""
    folder = tmp_path_factory.mktemp("stops")
    names = [f"column_{number}" for number in range(WIDTH)]
    lines = [",".join(str(row * number) for number in range(WIDTH)) for row in range(1, 9)]
    (folder / "wide.csv").write_text("\n".join([",".join(names), *lines]), encoding="utf-8")
    with whence.open(folder / "w.whence") as ws:
        notebook = ws.notebook("wide tables")
        for name in ("one", "two"):
            notebook.append("load", source=str(folder / "wide.csv"), name=name)
        notebook.wait()
    return folder / "w.whence"


@pytest.fixture(scope="module")
def served(workspace: Path) -> Iterator[Served]:
    with serving(workspace) as server:
        yield server


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.innerText"))


def test_previews_in_a_notebook_are_one_stop_each(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?notebook=wide+tables")
    grids = page.get_by_role("grid")
    expect(grids).to_have_count(2)
    assert [each.evaluate(STOPS) for each in grids.all()] == [1, 1]
    assert page.locator("body").evaluate(STOPS) < 100
    first = grids.first
    first.locator('[tabindex="0"]').focus()
    assert focused(page) == "0"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert focused(page) == "4"
    page.keyboard.press("Control+End")
    assert focused(page) == str(5 * (WIDTH - 1))
    assert first.evaluate(STOPS) == 1
    page.keyboard.press("Tab")
    assert first.locator(":focus").count() == 0
    assert faults(page) == []


def test_dataset_sheet_and_rows_of_the_inspector_are_one_stop_each(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/?dataset=one&row=1&column=column_1")
    expect(inspector(page)).to_be_visible()
    grid = page.get_by_role("grid", name="one", exact=True)
    expect(grid.get_by_role("gridcell", selected=True)).to_be_visible()
    assert grid.evaluate(STOPS) == 1
    grid.focus()
    page.keyboard.press("ArrowRight")
    expect(grid.get_by_role("gridcell", selected=True)).to_have_attribute("aria-colindex", "4")
    open_sheet(page, served, "one")
    assert page.get_by_role("grid", name="one, sheet").evaluate(STOPS) == 1
    assert faults(page) == []
