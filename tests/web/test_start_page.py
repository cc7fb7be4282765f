"""The first minute in an empty workspace: a file is dropped, the tour is opened, the browser comes back."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import PRICES, faults, watched_page
from tests.web.servers import serving
from whence.client.recent_workspaces import remember_workspace

DROP = """text => {
  const data = new DataTransfer()
  data.items.add(new File([text], 'prices.csv', { type: 'text/csv' }))
  const place = document.querySelector('main')
  for (const type of ['dragover', 'drop'])
    place.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
}"""


def loads(page: Page) -> None:
    """A notebook is open whose only cell has loaded the file."""
    expect(page.get_by_role("region", name=re.compile(", load$"))).to_have_count(1)
    expect(page.get_by_text(re.compile("ready")).first).to_be_visible(timeout=120_000)


def paste(page: Page) -> None:
    """Rows of text become a second load cell of the notebook."""
    page.keyboard.press("Control+k")
    page.keyboard.type("Start page")
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile("^Paste data")).click()
    page.get_by_role("textbox", name=re.compile("^Rows of a table")).fill("town\tmm\nBergen\t2250\nOslo\t763\n")
    dialog = page.get_by_role("dialog", name="Paste data")
    expect(dialog).to_contain_text("3 lines, 2 columns, with tabs between them.")
    assert faults(page) == []
    dialog.get_by_role("textbox", name="Name of the dataset").fill("rainfall")
    dialog.get_by_role("button", name="Load").click()
    rows = page.get_by_role("grid", name="First rows of rainfall")
    expect(rows).to_contain_text("Bergen", timeout=120_000)


def test_a_file_begins_a_notebook_and_the_browser_comes_back(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "older.whence").mkdir()
    remember_workspace(tmp_path / "older.whence")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with watched_page(browser) as watched:
        page = watched.page
        with serving(tmp_path / "new.whence", port) as server:
            page.goto(server.link)
            expect(page.get_by_role("heading", name="This workspace is empty.")).to_be_visible()
            expect(page.get_by_role("button", name=re.compile("Open the tour"))).to_be_visible()
            recent = page.get_by_role("region", name="Recent workspaces")
            expect(recent).to_contain_text(f"whence serve {tmp_path}/older.whence")
            assert faults(page) == []
            page.evaluate(DROP, PRICES)
            loads(page)
        complaints = [each for each in watched.complaints if "Failed to load" not in each and "WebSocket" not in each]
        assert complaints == []
        with serving(tmp_path / "new.whence", port) as server:
            page.goto(server.address)
            loads(page)
            paste(page)
            page.keyboard.press("Control+k")
            page.keyboard.type("Sign out")
            page.keyboard.press("Enter")
            expect(page.get_by_role("heading", name="This page needs its link")).to_be_visible()


@pytest.mark.long
def test_a_file_dropped_on_another_view_goes_into_the_notebook_last_open(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "new.whence") as server, watched_page(browser) as watched:
        page = watched.page
        page.goto(server.link)
        page.get_by_role("button", name=re.compile("New notebook")).click()
        expect(page.get_by_text("This notebook is empty.")).to_be_visible()
        page.keyboard.press("Control+k")
        page.keyboard.type("Show caveats")
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("view=caveats"))
        page.evaluate(DROP, PRICES)
        page.wait_for_url(re.compile("notebook=Untitled"))
        loads(page)


@pytest.mark.long
def test_a_click_on_the_drop_zone_loads_a_file(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "prices.csv").write_text(PRICES, encoding="utf-8")
    with serving(tmp_path / "new.whence") as server, watched_page(browser) as watched:
        page = watched.page
        page.goto(server.link)
        with page.expect_file_chooser() as chooser:
            page.get_by_text("Drop a file here, or click to choose one").click()
        chooser.value.set_files(tmp_path / "prices.csv")
        loads(page)


@pytest.mark.long
def test_the_tour_opens_from_the_start_page(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "new.whence") as server, watched_page(browser) as watched:
        page = watched.page
        page.goto(server.link)
        page.get_by_role("button", name=re.compile("Open the tour")).click()
        page.wait_for_url(re.compile("notebook=tour"))
        expect(page.get_by_role("button", name="Where did this number come from?", exact=True)).to_be_visible()
