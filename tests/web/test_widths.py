"""In a narrow window every view keeps its buttons and the selected cell in sight."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.web.conftest import Served, watched_page
from tests.web.widths import VIEWS, problems, show

WIDTHS = (800, 1024, 1280)


@pytest.fixture
def page(browser: Browser, tour_served: Served) -> Iterator[Page]:
    with watched_page(browser) as watched:
        watched.page.goto(tour_served.link)
        yield watched.page


def test_sheet_and_notebook_fit_a_narrow_window(page: Page, tour_served: Served) -> None:
    page.set_viewport_size({"width": 800, "height": 800})
    for view in ("sheet", "dataset", "notebook-inspecting"):
        show(page, tour_served, view)
        assert problems(page) == [], view


@pytest.mark.long
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("view", list(VIEWS))
def test_every_view_fits(page: Page, tour_served: Served, view: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    show(page, tour_served, view)
    assert problems(page) == []
