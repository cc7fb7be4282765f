"""The report a colleague reads: what was assumed, where, and how much depends on it."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import whence

if TYPE_CHECKING:
    from whence import Workspace

NASTY = "<script>alert('x')</script> | *bold*"


def test_a_report_tells_what_depends_on_each_assumption(ws: "Workspace", tmp_path: Path) -> None:
    ws.create(
        "t",
        [("a", 1), ("a", 2), ("b", 3), ("c", 4)],
        schema="k string, x int",
        cell_caveats=[(1, "x", NASTY), (2, "k", "perhaps a c")],
    )
    sums = ws.sql("select k, sum(x) s from t group by k order by k", name="sums")
    sums.caveats.acknowledge(sums.caveats.list(row=0, column="s")[0], note="looks fine & is <ok>")
    for name in ("report.md", "report.html"):
        sums.caveats.report(tmp_path / name)
    text, page = ((tmp_path / name).read_text() for name in ("report.md", "report.html"))
    assert "In sums@1 2 (33 %) of its cells and 1 (33 %) of its rows are in doubt, and rows may be missing." in text
    assert "depends on it: 2 (33 %) cells, 1 (33 %) rows, which rows are there at all" in text
    assert "acknowledged" in text
    assert r"\<script\>" in text
    assert "<script" not in page
    assert "&lt;script&gt;alert" in page
    assert "looks fine &amp; is &lt;ok&gt;" in text + page
    assert page.count('scope="row"') == 2
    assert "prefers-color-scheme: dark" in page
    assert 'lang="en"' in page
    assert "http" not in page, "nothing is fetched from elsewhere"


def test_a_report_lists_the_numbers_that_depend_most_on_guesses(ws: "Workspace", tmp_path: Path) -> None:
    stated = [(row, "x", "misread", (100 - row, 100 + row)) for row in range(15)]
    ds = ws.create("guessed", [(100, "a")] * 15, schema="x int, k string", cell_caveats=[*stated, (0, "k", "<odd>")])
    for name in ("guessed.md", "guessed.html"):
        ds.caveats.report(tmp_path / name)
    wanted = [
        f"x in row {row} of guessed@1: 100 (between {100 - row} and {100 + row}), {2 * row}% of its value wide"
        for row in range(14, 4, -1)
    ]
    text, page = ((tmp_path / name).read_text() for name in ("guessed.md", "guessed.html"))
    heading = "The numbers that depend most on guesses"
    assert text.split(heading)[1].split("##")[0].strip().splitlines()[2:] == [f"- {each}" for each in wanted]
    assert f"<h2>{heading}</h2>" in page
    assert "".join(f"<li>{each}</li>" for each in wanted) in page


def test_a_report_of_certain_data_says_so(ws: "Workspace", tmp_path: Path) -> None:
    ds = ws.create("sure", [(1,)], schema="x int")
    ds.caveats.report(tmp_path / "sure.md")
    assert "Nothing in sure@1 is in doubt." in (tmp_path / "sure.md").read_text()
    with pytest.raises(whence.WhenceError, match=r"cannot be written as sure\.pdf"):
        ds.caveats.report(tmp_path / "sure.pdf")
