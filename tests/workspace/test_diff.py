"""Differences between versions, against multisets and dictionaries in plain Python."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whence
from whence.store.rowkeys import row_keys
from whence.workspace.diff import Diff

Row = tuple[str | None, int | None]
rows = st.lists(st.tuples(st.sampled_from(["a", "b", "None", "", None]), st.sampled_from([1, 2, None])), max_size=8)


@pytest.fixture
def plain(tmp_path: Path) -> whence.Workspace:
    """A workspace that never starts Spark."""
    return whence.open(tmp_path / "diff.whence")


def contents(diff: Diff) -> tuple[Counter[Row], Counter[Row]]:
    return tuple(
        Counter(tuple(row.values()) for row in each.to_arrow().to_pylist()) for each in (diff.added, diff.removed)
    )


@settings(derandomize=True, max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows, rows)
def test_without_a_key_rows_are_compared_as_multisets(plain: whence.Workspace, old: list[Row], new: list[Row]) -> None:
    before = plain.create("t", old, schema="k string, x int")
    after = plain.create("t", new, schema="k string, x int")
    added, removed = contents(plain.diff(before, after))
    assert added == Counter(new) - Counter(old)
    assert removed == Counter(old) - Counter(new)


def test_with_a_key_changed_cells_are_told_from_new_rows(plain: whence.Workspace, tmp_path: Path) -> None:
    for number, text in enumerate(["id,n\n1,10\n2,20\n3,30\n", "id,n\n3,30\n2,25\n4,40\n"]):
        file = tmp_path / f"{number}.csv"
        file.write_text(text, encoding="utf-8")
        plain.load(file, name="t", key="id")
    diff = plain.diff("t@1", "t@2")
    assert diff.added.to_arrow().to_pylist() == [{"id": 4, "n": 40}]
    assert diff.removed.to_arrow().to_pylist() == [{"id": 1, "n": 10}]
    (cell,) = diff.changed
    assert (cell.row_before, cell.row_after, cell.column, cell.before, cell.after) == (1, 1, "n", 20, 25)


def test_a_version_does_not_differ_from_its_own_rows_in_another_order(plain: whence.Workspace) -> None:
    plain.create("t", [("a", 1), ("b", 2), ("a", 1)], schema="k string, x int")
    plain.create("t", [("b", 2), ("a", 1), ("a", 1)], schema="k string, x int")
    assert plain.diff("t@1", "t@2").is_empty


def test_row_keys_are_all_different_even_for_equal_rows(plain: whence.Workspace) -> None:
    made = plain.create("t", [("a", 1)] * 50 + [("b", 1)] * 50, schema="k string, x int")
    keys = row_keys(made._context.store, made.record, ["k", "x"])
    assert len({tuple(key) for key in keys.tolist()}) == 100


def test_swapped_values_give_another_row(plain: whence.Workspace) -> None:
    plain.create("t", [("x", "y")], schema="a string, b string")
    plain.create("t", [("y", "x")], schema="a string, b string")
    assert not plain.diff("t@1", "t@2").is_empty


def test_new_and_lost_columns_are_named(plain: whence.Workspace) -> None:
    plain.create("t", [(1, 2)], schema="a int, b int")
    plain.create("t", [(1, 3)], schema="a int, c int")
    diff = plain.diff("t@1", "t@2")
    assert (diff.columns_added, diff.columns_removed) == (("c",), ("b",))
