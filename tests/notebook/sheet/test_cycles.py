"""Cells that depend on themselves, and whether those that read them can be sure of it."""

from __future__ import annotations

import whence
from whence.workspace.dataset import Dataset
from whence.workspace.sheet import Sheet


def check(sheet: Sheet, marks: list[bool], why: str) -> None:
    """The column `safe` says 9 in the first two rows, in doubt or not."""
    sheet.set_cells([0, 1], ["safe"], [["=IFERROR([@one],9)"]] * 2)
    page, made = sheet.page(), sheet.apply("made")
    assert (page.values["safe"], page.marks["safe"]) == ([9, 9, None], marks)
    for at, is_marked in enumerate(marks[:2]):
        assert [each.message for each in made.caveats.list(row=at, column="safe")] == ([why] if is_marked else [])
        assert [each for each in made.lineage.cell(at, "safe") if each.role != "filtered"] == []


def sheet_over(data: Dataset, workspace: whence.Workspace) -> Sheet:
    sheet = workspace.sheet(data)
    for name in ("safe", "other", "one"):
        sheet.insert_column(name, after="n")
    return sheet


def test_a_cycle_is_one_whatever_the_data_says(quiet: whence.Workspace) -> None:
    data = quiet.create("data", [(1,), (2,), (3,)], "n int", cell_caveats=[(0, "n", "smudged")])
    sheet = sheet_over(data, quiet).set_cells([0, 1], ["one"], [["=[@one]+[@n]"]] * 2)
    check(sheet, [False, False, False], "")


def test_a_cycle_that_a_condition_in_doubt_has_closed_is_in_doubt(quiet: whence.Workspace) -> None:
    data = quiet.create("data", [(1,), (2,), (3,)], "n int", cell_caveats=[(0, "n", "smudged")])
    sheet = sheet_over(data, quiet).set_cells([0, 1], ["one"], [["=[@other]"]] * 2)
    check(sheet.set_where("[@n] < 3", "other", "=[@one]"), [True, False, False], "smudged")


def test_a_cycle_by_places_is_in_doubt_where_other_rows_might_stand_there(quiet: whence.Workspace) -> None:
    data = quiet.create("data", [(1,), (2,), (3,)], "n int", row_caveats=[(2, "seen twice")])
    sheet = sheet_over(data, quiet).set(0, "one", "=B2").set(1, "one", "=B1")
    check(sheet, [True, True, False], "seen twice")


def test_a_cycle_by_places_hangs_on_what_the_rows_were_sorted_by(quiet: whence.Workspace) -> None:
    data = quiet.create("data", [(1,), (2,), (3,)], "n int", cell_caveats=[(2, "n", "smudged")])
    sheet = sheet_over(data, quiet).sort("n").set(0, "one", "=B2").set(1, "one", "=B1")
    check(sheet, [True, True, False], "smudged")
