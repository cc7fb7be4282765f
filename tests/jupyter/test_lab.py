"""A table of whence in a real JupyterLab and a real Notebook 7: a click on a value shows the rows it was made from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.staleness.lab import cell, run_cell, serving
from tests.staleness.lab import page as page  # a fixture

for needed in ("jupyterlab", "notebook"):
    pytest.importorskip(needed)

PARTS = "part,n\nbolt,4\nnut,x <b>\n" + "bolt,6\n" * 60
"""The value that is no number is in doubt."""
CELLS = [
    "%load_ext whence",
    "import os, whence\nws = whence.open(f'parts-{os.getpid()}.whence')\nparts = ws.load('parts.csv')\nparts",
    "%unload_ext whence",
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Jupyter server of its own."""
    home = tmp_path_factory.mktemp("jupyter")
    (home / "work").mkdir()
    (home / "work" / "parts.csv").write_text(PARTS)
    with serving(home, CELLS) as address:
        yield address


@pytest.mark.parametrize("place", ["lab/tree/lab.ipynb", "notebooks/classic.ipynb"])
def test_a_click_on_a_value_shows_the_rows_it_was_made_from(page: Page, address: str, place: str) -> None:
    page.goto(f"{address}{place}?token=secret")
    expect(page.locator(".jp-Notebook .jp-CodeCell")).to_have_count(len(CELLS))
    run_cell(page, 0, 1)
    run_cell(page, 1, 2)
    output = cell(page, 1).locator(".jp-OutputArea-output")
    expect(output).to_contain_text("parts@1: 62 rows x 2 columns, 1 doubtful column")
    doubtful = output.locator("table[data-whence] td[title]").first
    assert doubtful.evaluate("cell => getComputedStyle(cell).color") == "rgb(204, 0, 0)"
    doubtful.click()
    origin = output.get_by_role("region", name="Where it came from")
    expect(origin).to_contain_text("parts@1, row 1, n = None")
    expect(origin).to_contain_text("In doubt: ")
    expect(origin).to_contain_text("'x <b>'")
    expect(origin.locator("th", has_text="line 3")).to_be_visible()
    output.locator("table[data-whence] td", has_text="bolt").first.click()
    expect(origin).to_contain_text("parts@1, row 0, part = bolt")
    expect(origin).to_have_count(1)
    folded = output.locator("details").first  # what stays when no kernel is there
    folded.locator("summary").first.click()
    folded.locator("details summary").nth(2).click()
    expect(folded.locator("th", has_text="line 4")).to_be_visible()
    run_cell(page, 2, 3)
    doubtful.click()
    expect(origin).to_contain_text("No kernel answers that knows this table")
