"""The tour, played click by click as its guide says, in both themes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Theme, faults, watched_page
from tests.web.servers import serving
from tools.played_tour import guide, play_tour


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_step_of_the_guide_can_be_done_as_it_says(
    browser: Browser, fresh_tour: Path, tmp_path: Path, theme: Theme
) -> None:
    copy = tmp_path / "tour.whence"
    shutil.copytree(fresh_tour, copy)
    with serving(copy) as server, watched_page(browser, theme) as watched:
        page = watched.page
        page.goto(server.link)
        stages = [*play_tour(page, server.address)]
        assert len(stages) == len(set(stages)) == 9
        expect(guide(page).get_by_role("heading", name="That was the tour")).to_be_visible()
        assert faults(page) == []
        guide(page).get_by_role("link", name="load a file").click()
        expect(page.get_by_role("heading", name="Start", level=1)).to_be_visible()
        guide(page).get_by_role("button", name="Hide the guide").click()
        expect(guide(page)).to_be_hidden()
        page.get_by_role("button", name="Open the tour").click()
        expect(guide(page).get_by_role("heading", name="Trace a wrong number")).to_be_visible()
        # While a cell runs again, its dataset is not there: the browser reports the refusal, and the page asks again.
        assert [each for each in watched.complaints if "404" not in each] == []
