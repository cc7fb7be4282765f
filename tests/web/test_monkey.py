"""Random walks through the tour: no page error, no failure of the server, no lost edit, no dead end."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Theme, watched_page
from tests.web.monkey import PLACES, Monkey
from tests.web.servers import serving_apart


@pytest.mark.parametrize(("theme", "seed"), [("light", 1), ("dark", 2)])
def test_a_monkey_breaks_nothing_in_half_a_minute(
    browser: Browser, tour: Path, tmp_path: Path, theme: Theme, seed: int
) -> None:
    walk(browser, tour, tmp_path, theme, seed, 30)


@pytest.mark.long
@pytest.mark.parametrize(("theme", "seed"), [("light", 3), ("dark", 4), ("light", 5), ("dark", 6)])
def test_a_monkey_breaks_nothing_in_minutes(
    browser: Browser, tour: Path, tmp_path: Path, theme: Theme, seed: int
) -> None:
    walk(browser, tour, tmp_path, theme, seed, 150)


def walk(browser: Browser, tour: Path, folder: Path, theme: Theme, seed: int, seconds: float) -> None:
    """Let a monkey loose on a copy of the tour, then ask the server for everything it acknowledged."""
    copy = folder / "tour.whence"
    shutil.copytree(tour, copy)
    with serving_apart(copy) as server, watched_page(browser, theme) as watched:
        page = watched.page
        page.goto(server.link)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        monkey = Monkey(page, server.link, seed)
        monkey.walk(seconds)
        if monkey.faults:
            page.screenshot(path=folder / "fault.png")
        assert monkey.faults == [], monkey.story()
        assert len(monkey.done) > max(2 * len(PLACES), seconds / 2), monkey.story()

        def ask(path: str) -> Any:  # noqa: ANN401  (JSON)
            return page.request.get(f"{server.address}/api/{path}").json()

        assert monkey.edits.lost(ask) == [], monkey.story()
