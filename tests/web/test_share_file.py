"""A notebook shared as a file from the page, with columns that its readers must not see."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

import whence
from tests.web.conftest import faults
from tests.web.servers import Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[Served]:
    """A notebook whose totals rest on a file with names."""
    folder = tmp_path_factory.mktemp("shared")
    (folder / "people.csv").write_text("name,team,pay\nOttilie,red,10\nBob,red,x\nCyd,blue,30\n")
    with whence.open(folder / "w.whence") as ws:
        ws.load(folder / "people.csv", name="people", types={"pay": "int"})
        text = "select team, sum(pay) as total from people group by team order by team"
        ws.notebook("pay").append("sql", source=text, name="totals")
        ws.notebook("pay").wait()
    with serving(folder / "w.whence") as server:
        yield server


def open_dialog(page: Page) -> Locator:
    page.get_by_role("button", name="More about the notebook pay", exact=True).click()
    page.get_by_role("menuitem", name="Share as a file").click()
    dialog = page.get_by_role("dialog", name="Share pay as a file")
    expect(dialog.get_by_role("checkbox")).to_have_count(4)
    return dialog


def test_a_column_of_the_file_behind_the_values_is_hidden(page: Page) -> None:
    dialog = open_dialog(page)
    with page.expect_download() as shown:
        dialog.get_by_role("button", name="Save the file").click()
    assert "Ottilie" in shown.value.path().read_text(encoding="utf-8")
    dialog = open_dialog(page)
    dialog.get_by_role("checkbox", name="name people").check()
    expect(dialog).to_contain_text("What was computed from a hidden column is shown unless you choose it, too.")
    assert faults(page) == []
    with page.expect_download() as hidden:
        dialog.get_by_role("button", name="Save without 1 of the columns").click()
    assert hidden.value.suggested_filename == "pay.html"
    text = hidden.value.path().read_text(encoding="utf-8")
    assert "Ottilie" not in text
    assert "blue" in text
    dialog = open_dialog(page)
    dialog.get_by_role("checkbox", name="team totals, people").check()
    with page.expect_download() as both:
        dialog.get_by_role("button", name="Save without 1 of the columns").click()
    text = both.value.path().read_text(encoding="utf-8")
    assert "blue" not in text
    assert "Ottilie" in text
