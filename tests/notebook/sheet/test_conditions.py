"""Conditions over one column, evaluated once for each distinct value, choose the rows that row by row would."""

from __future__ import annotations

import pytest

import whence
from whence.workspace.sheet import Sheet

CONDITIONS = {
    "ISERROR([@x])": [1, 3],
    "IFERROR([@x],TRUE)": [0, 1, 3],
    "NOT(ISNUMBER([@x]))": [1, 2, 3],
    "ISNUMBER([@x])": [0, 4],
    "ISBLANK([@x])": [2],
    "IF(ISERROR([@x]),FALSE,ISNUMBER([@x]))": [0, 4],
}  # fmt: skip


@pytest.fixture
def failing(quiet: whence.Workspace) -> Sheet:
    """The cells of x: 2, #DIV/0!, nothing, #SYNTAX!, 0."""
    data = quiet.create("data", [(n, x) for n, x in enumerate((2, 3, None, 4, 0))], "n int, x int")
    return quiet.sheet(data).set(1, "x", "=1/0").set(3, "x", "=SUM(")


@pytest.mark.parametrize(("condition", "rows"), CONDITIONS.items())
def test_a_condition_sees_cells_that_failed(failing: Sheet, condition: str, rows: list[int]) -> None:
    # Reading a second column makes the evaluator go row by row.
    row_by_row = failing.look(f"AND({condition},[@n]>=0)").page(0, 5).values["n"]
    assert failing.look(condition).page(0, 5).values["n"] == row_by_row == rows


def test_a_filter_keeps_cells_that_failed_for_different_reasons(failing: Sheet) -> None:
    page = failing.filter("ISERROR([@x])").page()
    assert page.values["n"] == [1, 3]
    assert [failure.code for failure in page.errors.values()] == ["#DIV/0!", "#SYNTAX!"]
