"""Once every caveat of a dataset is acknowledged, no part of the page calls it doubtful."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import whence
from tests.web.servers import Served, serving

SPARK = 120_000


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list whose only doubts are about one column, and 190 rows behind one cell."""
    folder = tmp_path_factory.mktemp("acknowledged") / "w.whence"
    with whence.open(folder) as ws:
        ws.create("stock", [("bolts", 1), ("nuts", 2)], "part string, n int", cell_caveats=[(1, "n", "smudged")])
        ws.sheet("stock").set(0, "part", "bolt").apply("edited")
    return folder


@pytest.fixture(scope="module")
def served(workspace: Path) -> Iterator[Served]:
    with serving(workspace) as server:
        yield server


def test_header_and_rail_follow_what_is_acknowledged(page: Page, served: Served) -> None:
    rail = page.get_by_role("navigation", name="Notebooks and datasets")
    page.goto(f"{served.address}/?dataset=edited")
    expect(rail.get_by_text("1 doubtful column")).to_have_count(2)
    expect(page.get_by_role("main").get_by_text("Doubt in n")).to_be_visible()
    rail.get_by_role("link", name=re.compile("^Caveats")).click()
    page.get_by_role("navigation", name="Groups of caveats").get_by_role("button").first.click()
    page.keyboard.press("e")
    page.get_by_role("textbox", name="Note", exact=True).fill("counted again")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("^Acknowledged: it stays"))).to_be_visible(timeout=SPARK)
    expect(rail.get_by_text("doubtful column")).to_have_count(0)
    for dataset in ("stock", "edited"):
        rail.get_by_role("link", name=re.compile(f"^{dataset}")).click()
        expect(page.get_by_role("main").get_by_text("Nothing doubtful")).to_be_visible()
