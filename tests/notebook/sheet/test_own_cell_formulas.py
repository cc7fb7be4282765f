"""Formulas over the column they read see what the sheet showed before, also in cells that were cleared."""

from __future__ import annotations

import pytest

import whence
from whence.workspace.sheet import Sheet


@pytest.fixture
def sheet(quiet: whence.Workspace) -> Sheet:
    return quiet.sheet(quiet.create("data", [("fig", 1), ("kiwi", 2)], "t string, n int"))


@pytest.mark.parametrize("column", ["t", "n"])
@pytest.mark.parametrize("whole", [None, "plum", 4, '="a"&"b"', "", "=1+1"])
@pytest.mark.parametrize("formula", ["=ISBLANK({})", "=LEN({})", "=ISTEXT({})"])
def test_a_formula_over_a_cleared_cell_sees_what_a_formula_beside_it_sees(
    sheet: Sheet, column: str, whole: object, formula: str
) -> None:
    if whole is not None:
        sheet.set_column(column, whole)
    sheet.set(0, column, "").insert_column("beside", after="n")
    beside = sheet.set(0, "beside", formula.format(f"[@{column}]")).page().values["beside"][0]
    assert sheet.set_column(column, formula.format(f"[@{column}]")).page().values[column][0] == beside


def test_a_cell_cleared_in_a_column_set_to_text_holds_an_empty_text(sheet: Sheet) -> None:
    sheet.set_column("n", "plum").set(0, "n", "")
    assert sheet.page().values["n"] == ["", "plum"]
    assert sheet.set_where("TRUE", "n", "=LEN([@n])").page().values["n"] == ["0", "4"]
