"""Values that were never data, and notes on results, in a real browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

import whence
from tests.web.conftest import faults, watched_page
from tests.web.servers import serving


def test_written_values_have_dots_and_say_where_they_were_written(
    browser: Browser, spark_home: whence.Workspace, tmp_path: Path
) -> None:
    with whence.open(tmp_path / "w.whence") as ws:
        ws.create("orders", [("east", 10), ("west", 20)], schema="region string, amount int")
        ws.sheet("orders").set(0, "amount", 77).apply(name="edited")
        notebook = ws.notebook("tour")
        notebook.append(
            "sql",
            source="select region, amount from orders\nunion all\nselect 'south', 142050",
            name="regions",
        )
        notebook.append("sql", source="select region from regions limit 2", name="some")
        notebook.wait()
    with serving(tmp_path / "w.whence") as server, watched_page(browser) as watched:
        page = watched.page
        page.goto(server.link)
        page.goto(f"{server.address}/?notebook=tour")
        notes = page.get_by_role("list", name="Notes on regions")
        expect(notes).to_contain_text("1 of 3 values of amount is written in the query of cell 1, not data.")
        expect(page.get_by_role("list", name="Notes on some")).to_contain_text("LIMIT 2 without ORDER BY")
        first = page.get_by_role("grid", name="First rows of regions")
        expect(first.locator("td[data-written]")).to_have_count(2)
        first.get_by_role("button", name="142,050").click()
        inspector = page.get_by_role("complementary", name="Inspector")
        expect(inspector).to_contain_text("Not data: written in the query of cell 1, line 3.")
        page.goto(f"{server.address}/?dataset=regions")
        written = page.get_by_role("grid").locator("[data-written]")
        expect(written).to_have_count(2)
        expect(page.get_by_role("gridcell", name="not data")).to_have_count(2)
        assert faults(page) == []
        page.goto(f"{server.address}/?dataset=edited&row=0&column=amount")
        expect(page.get_by_role("grid").locator("[data-written]")).to_have_count(1)
        expect(page.get_by_role("grid").locator("[data-doubtful]")).to_have_count(0)
        expect(inspector).to_contain_text("Not data: written in the sheet edited.")
        assert watched.complaints == []
