"""Forgetting rows on the page: what it reaches is shown first, the name is typed, and a certificate is given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import whence
from tests.web.conftest import faults, grid, watched_page
from tests.web.servers import serving

FIRST_RUN = 60_000
NEEDLE = "Ottilie Quandt"


@pytest.fixture
def people(tmp_path: Path, spark_home: whence.Workspace) -> Path:
    """People, what was made from them, and the file they were loaded from."""
    (tmp_path / "people.csv").write_text(f"id,name,age\n1,Ada,36\n2,{NEEDLE},51\n")
    with whence.open(tmp_path / "w.whence") as ws:
        ws.load(tmp_path / "people.csv", name="people")
        ws.sql("select max(age) as age from people", name="oldest")
        ws.sql("select name, rand() as r from people", name="drawn")
    return tmp_path / "w.whence"


def test_a_person_is_forgotten_after_the_plan_and_the_typed_name(browser: Browser, people: Path) -> None:
    with serving(people) as server, watched_page(browser) as watched:
        page = watched.page
        page.goto(server.link)
        page.goto(f"{server.address}/?dataset=people")
        expect(grid(page, "people")).to_contain_text(NEEDLE)
        page.get_by_role("button", name="More about the dataset people", exact=True).click()
        page.get_by_role("menuitem", name="Forget rows…").click()
        dialog = page.get_by_role("dialog", name="Forget rows of people")
        condition = dialog.get_by_label("The rows, as a SQL condition")
        condition.fill("nobody = 1")
        dialog.get_by_role("button", name="Show what it reaches").click()
        expect(dialog.get_by_role("alert")).to_contain_text("nobody", timeout=FIRST_RUN)
        condition.fill("id = 2")
        dialog.get_by_role("button", name="Show what it reaches").click()
        expect(dialog.get_by_role("region", name="Rows that go")).to_contain_text("1 row of people@1")
        expect(dialog.get_by_role("region", name="Made again without them")).to_contain_text("oldest@1")
        expect(dialog.get_by_role("region", name="Deleted")).to_contain_text("drawn@1: its query gives other values")
        expect(dialog.get_by_role("region", name="Out of reach")).to_contain_text("people.csv: the original.")
        assert faults(page) == []
        final = dialog.get_by_role("button", name="Forget for good")
        dialog.get_by_label("Type people to confirm").fill("person")
        expect(final).to_be_disabled()
        dialog.get_by_label("Type people to confirm").fill("people")
        final.click()
        done = page.get_by_role("dialog", name="Forgotten: rows of people")
        expect(done.get_by_role("list", name="What was forgotten")).to_contain_text(
            "1 row of people@1", timeout=FIRST_RUN
        )
        assert faults(page) == []
        with page.expect_download() as saved_page:
            done.get_by_role("button", name="Download the certificate").click()
        assert "Certificate of forgetting" in saved_page.value.path().read_text()
        with page.expect_download() as saved_json:
            done.get_by_role("button", name="Download as JSON").click()
        assert json.loads(saved_json.value.path().read_text())["made_again"] == ["oldest@1"]
        assert len(done.locator("code").inner_text()) == 64
        done.get_by_role("button", name="Done").click()
        expect(grid(page, "people")).to_contain_text("Ada")
        expect(grid(page, "people")).not_to_contain_text(NEEDLE)
        expect(page.get_by_role("link", name="drawn")).to_have_count(0)
        assert [each for each in watched.complaints if "Failed to load resource" not in each] == []
