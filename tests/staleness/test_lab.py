"""The extension in a real JupyterLab and a real Notebook 7: marks beside the cells, and a button that helps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.staleness.lab import cell, run_cell, serving
from tests.staleness.lab import page as page  # a fixture

for needed in ("jupyterlab", "notebook"):
    pytest.importorskip(needed)

CELLS = ["a = 4", "b = a + 1", "print('b is', b)", "print('apart')"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Jupyter server of its own."""
    with serving(tmp_path_factory.mktemp("jupyter"), CELLS) as address:
        yield address


def mark(page: Page, number: int) -> Locator:
    return cell(page, number).get_by_role("note")


def write(page: Page, number: int, text: str) -> None:
    """Replace a cell's text as a user does."""
    cell(page, number).locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def use(page: Page) -> None:
    expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(len(CELLS))
    expect(page.locator('[data-status="idle"], .jp-Notebook-ExecutionIndicator').first).to_be_attached()
    for number in range(len(CELLS)):
        run_cell(page, number, number + 1)
    expect(page.get_by_role("note")).to_have_count(0)

    write(page, 0, "a = 40")
    run_cell(page, 0, 5)
    expect(mark(page, 1)).to_have_attribute("data-kind", "refresher")
    expect(mark(page, 1)).to_contain_text("Refresher: would renew what cell 3 now uses out of date")
    expect(mark(page, 2)).to_have_attribute("data-kind", "stale")
    expect(mark(page, 2)).to_contain_text(
        "Stale: uses `b` from cell 2, which was built with the old `a`; run cell 2 first"
    )
    expect(mark(page, 3)).to_have_count(0)

    mark(page, 2).get_by_role("button", name="Run this first").click()
    expect(cell(page, 1).locator(".jp-InputPrompt")).to_have_text("[6]:")
    expect(mark(page, 2)).to_have_attribute("data-kind", "fresh")
    expect(mark(page, 1)).to_have_count(0)
    run_cell(page, 2, 7)
    expect(cell(page, 2).locator(".jp-OutputArea-output")).to_contain_text("b is 41")
    expect(page.get_by_role("note")).to_have_count(0)


def test_cells_out_of_order_are_marked_in_jupyterlab_and_put_right_by_a_click(page: Page, address: str) -> None:
    page.goto(f"{address}lab/tree/lab.ipynb?token=secret")
    use(page)
    write(page, 3, "%safety reactive on")
    run_cell(page, 3, 8)
    write(page, 0, "a = 50")
    run_cell(page, 0, 9)
    expect(cell(page, 2).locator(".jp-OutputArea-output")).to_contain_text("b is 51")
    expect(cell(page, 2).locator(".jp-InputPrompt")).to_have_text("[11]:")
    write(page, 3, "print(nowhere)")  # an edit that is not run is judged too
    expect(mark(page, 3)).to_have_attribute("data-kind", "would-fail")
    expect(mark(page, 3)).to_contain_text("Would fail: `nowhere` is not defined")


def test_cells_out_of_order_are_marked_in_notebook_7(page: Page, address: str) -> None:
    page.goto(f"{address}notebooks/classic.ipynb?token=secret")
    use(page)
