"""Cells that show a copy of another row's data: what is made of them comes from that row, and is as doubtful."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import whence
from whence.workspace.sheet import Sheet


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[Sheet]:
    """Both cells of row 0 copied into row 1; those of row 0 are smudged."""
    smudged = [(0, "n", "smudged"), (0, "t", "smudged")]
    with whence.open(tmp_path / "sheet.whence") as workspace:
        data = workspace.create("data", [(4, "fig"), (5, "kiwi"), (6, "lime")], "n int, t string", cell_caveats=smudged)
        yield workspace.sheet(data).fill(0, "n", [1]).fill(0, "t", [1])


def check(sheet: Sheet, column: str, value: object) -> set[str]:
    """Row 1 shows the value, in doubt and from row 0 alone; in which roles."""
    page, made = sheet.page(), sheet.apply("made")
    assert (page.values[column][1], page.marks[column]) == (value, [True, True, False])
    found = made.lineage.cell(1, column)
    assert {(each.row, each.column) for each in found if each.role != "filtered"} <= {(0, column)}
    assert [each.message for each in made.caveats.list(row=1, column=column)] == ["smudged"]
    return {each.role for each in found if (each.row, each.column) == (0, column)}


def test_a_formula_over_a_copy_comes_from_the_row_it_was_copied_from(copied: Sheet) -> None:
    assert check(copied.set_column("n", "=[@n]*2"), "n", 8) == {"computed"}


def test_a_condition_over_such_a_formula_hangs_on_that_row(copied: Sheet) -> None:
    sheet = copied.set_column("n", "=[@n]*2").set_where("[@n] = 8", "t", "plum")
    page, made = sheet.page(), sheet.apply("made")
    assert (page.values["t"], page.marks["t"]) == (["plum", "plum", "lime"], [True, True, False])
    assert (0, "n", "filtered") in {(each.row, each.column, each.role) for each in made.lineage.cell(1, "t")}
    assert [each.message for each in made.caveats.list(row=1, column="t")] == ["smudged"]


def test_a_text_is_replaced_in_copies_too(copied: Sheet) -> None:
    assert check(copied.replace("fig", "fig tree", ["t"]), "t", "fig tree") == {"computed"}


def test_a_number_is_replaced_in_copies_too(copied: Sheet) -> None:
    assert check(copied.replace("4", "40", ["n"]), "n", 40) == {"filtered"}


def test_what_hangs_on_where_rows_stand_stays_in_doubt_through_copies(tmp_path: Path) -> None:
    """The condition reads typed cells alone, by their place; which row stands there is in doubt."""
    with whence.open(tmp_path / "sheet.whence") as workspace:
        data = workspace.create("data", [("fig",), ("kiwi",), ("lime",)], "t string", row_caveats=[(0, "seen twice")])
        sheet = workspace.sheet(data).insert_column("x", after="t").set(0, "x", 1).set(1, "x", "=B1")
        sheet.set_where("[@x] = 1", "t", "plum").fill(1, "t", [2])
        assert sheet.page().marks["t"] == [False, True, True]
        sheet.replace("plum", "pear", ["t"])
        page, made = sheet.page(), sheet.apply("made")
        assert (page.values["t"], page.marks["t"]) == (["pear"] * 3, [False, True, True])
        assert [each.message for each in made.caveats.list(row=2, column="t")] == ["seen twice"]
