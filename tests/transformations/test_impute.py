"""The impute lens: what it fills, what it marks, what it says."""

from __future__ import annotations

import pytest

import whence
from whence.model.errors import UnknownColumn, UserError


@pytest.fixture
def ages(ws: whence.Workspace) -> whence.Dataset:
    return ws.create("ages", [("Ada", 36), ("Bob", None), ("Cid", 40), ("Dan", None)], schema="name string, age int")


def test_each_filled_cell_and_no_other_is_in_doubt(ws: whence.Workspace, ages: whence.Dataset) -> None:
    filled = ws.lens("impute", ages, column="age", method="mean")
    assert filled.to_arrow().column("age").to_pylist() == [36, 38, 40, 38]
    assert filled.caveats.marks().column("age").to_pylist() == [False, True, False, True]
    assert filled.caveats.marks().column("name").to_pylist() == [False] * 4


def test_the_caveat_says_what_was_assumed_and_where(ws: whence.Workspace, ages: whence.Dataset) -> None:
    filled = ws.lens("impute", ages, column="age", method="constant", value=30)
    (group,) = filled.caveats.list(column="age")
    assert (group.family, group.count, group.column) == ("imputed", 2, "age")
    assert [place.row for place in group.references] == [1, 3]
    assert group.message == "age is missing; 30, the value given, stands in for it."


def test_doubts_of_a_lens_reach_what_is_computed_from_it(ws: whence.Workspace, ages: whence.Dataset) -> None:
    ws.lens("impute", ages, name="filled", column="age", method="median")
    youngest = ws.sql("select name, age from filled where age < 37", name="young")
    assert youngest.caveats.row_set is True
    (group,) = youngest.caveats.list()
    assert (group.family, group.count) == ("imputed", 2)


def test_a_lens_keeps_row_lineage_and_earlier_doubts(ws: whence.Workspace) -> None:
    given = ws.create("t", [(1,), (None,)], schema="x int", cell_caveats=[(0, "x", "smudged")])
    filled = ws.lens("impute", given, column="x", method="constant", value=5)
    assert filled.lineage.backward([1], to="t@1").ids.tolist() == [1]
    assert filled.caveats.marks().column("x").to_pylist() == [True, True]
    assert [group.family for group in filled.caveats.list(row=0)] == ["user"]


def test_wrong_parameters_are_named(ws: whence.Workspace, ages: whence.Dataset) -> None:
    with pytest.raises(UnknownColumn, match="ages@1 has no column age2"):
        ws.lens("impute", ages, column="age2")
    with pytest.raises(UserError, match="impute does not know the method magic"):
        ws.lens("impute", ages, column="age", method="magic")
    with pytest.raises(UserError, match="impute has no parameter colum"):
        ws.lens("impute", ages, colum="age")
    with pytest.raises(UserError, match=r"There is no lens polish\. Lenses: .*impute"):
        ws.lens("polish", ages)
