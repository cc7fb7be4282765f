"""Differences between versions, against multisets and dictionaries in plain Python."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whence
from whence.model.dataset import DatasetRecord
from whence.store import difference
from whence.store.difference import Ids, differing_places, match_rows
from whence.store.rowkeys import Keys, hashed_rows, row_keys
from whence.store.store import Store
from whence.workspace.diff import Diff

Row = tuple[str | None, int | None]
rows = st.lists(st.tuples(st.sampled_from(["a", "b", "None", "", None]), st.sampled_from([1, 2, None])), max_size=8)


@pytest.fixture
def plain(tmp_path: Path) -> whence.Workspace:
    """A workspace that never starts Spark."""
    return whence.open(tmp_path / "diff.whence")


def contents(diff: Diff) -> tuple[Counter[Row], Counter[Row]]:
    added, removed = (
        Counter(tuple(row.values()) for row in each.to_arrow().to_pylist()) for each in (diff.added, diff.removed)
    )
    return added, removed


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


def test_rows_at_the_same_place_are_the_same_only_if_nothing_tells_them_apart(
    plain: whence.Workspace, tmp_path: Path
) -> None:
    for number, odd in enumerate(["?", "??"]):  # neither is a number, and both are missing in the dataset
        file = tmp_path / f"{number}.csv"
        file.write_text("n,v\n" + "".join(f"{n},0\n" for n in range(50)) + f"{odd},0\n")
        plain.load(file, name="t", types={"n": "int"})
    diff = plain.diff("t@1", "t@2")
    assert [rows.to_arrow().to_pylist() for rows in (diff.added, diff.removed)] == [[{"n": None, "v": 0}]] * 2
    plain.create("z", [(1, 0.0), (2, float("nan")), (3, None)], schema="k int, v double")
    plain.create("z", [(1, -0.0), (2, float("nan")), (3, None)], schema="k int, v double")
    diff = plain.diff("z@1", "z@2")
    assert [rows.to_arrow()["k"].to_pylist() for rows in (diff.added, diff.removed)] == [[1], [1]]


def test_an_edited_version_has_few_rows_to_hash(plain: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"k": range(1_000), "x": ["a"] * 1_000})
    before = plain.create("t", table)
    after = plain.create("t", pa.table({"k": table["k"], "x": ["a"] * 998 + ["b", "a"]}))
    hashed: list[int] = []

    def count_and_hash(
        store: Store, record: DatasetRecord, columns: Sequence[str], rows: Ids, by_bits: Collection[str]
    ) -> Keys:
        hashed.append(len(rows))
        return hashed_rows(store, record, columns, rows, by_bits)

    monkeypatch.setattr(difference, "hashed_rows", count_and_hash)
    diff = plain.diff(before, after)
    assert (diff.added.count, diff.removed.count, hashed) == (1, 1, [1, 1])


DAYS = [date(2024, 1, 1), date(1969, 12, 31), None]
TIMES = [datetime(2024, 1, 1, 12), datetime(1960, 1, 1), None]
NUMBERS = itertools.count()
KINDS: dict[str, Sequence[object]] = {
    "tinyint": [0, -1, 7, None],
    "bigint": [0, -1, 2**62, None],
    "float": [0.0, -0.0, 1.5, float("nan"), None],
    "double": [0.0, -0.0, 1.5, float("nan"), float("inf"), None],
    "boolean": [True, False, None],
    "date": DAYS,
    "timestamp": TIMES,
    "decimal(5,2)": [Decimal("1.50"), Decimal("-1.50"), None],
}


@settings(derandomize=True, max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_rows_of_any_type_that_moved_are_compared_as_their_texts(plain: whence.Workspace, data: st.DataObject) -> None:
    """Every row moves, so that none is found at its place. Python prints two values alike exactly if they are one."""
    kinds = data.draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3))
    values = st.tuples(*(st.sampled_from(KINDS[kind]) for kind in kinds))
    old, new = (data.draw(st.lists(values, min_size=1, max_size=6)) for _ in range(2))
    schema = ", ".join(["n int", *(f"c{place} {kind}" for place, kind in enumerate(kinds))])
    name = f"t{next(NUMBERS)}"  # rows of later versions are known by the columns of the first
    before = plain.create(name, [(0, *row) for row in old], schema=schema)
    after = plain.create(name, [(1, *row) for row in new[:1]] + [(0, *row) for row in new], schema=schema)
    diff = plain.diff(before, after)
    added, removed = (Counter(map(repr, each.to_arrow().to_pylist())) for each in (diff.added, diff.removed))
    was, now = (Counter(map(repr, each.to_arrow().to_pylist())) for each in (before, after))
    assert (added, removed) == (now - was, was - now)


def test_a_column_of_another_type_is_compared_by_its_texts(plain: whence.Workspace) -> None:
    plain.create("t", [(0, 7), (0, 8)], schema="n int, x int")
    plain.create("t", [(1, 7), (0, 7), (0, 8)], schema="n int, x bigint")
    diff = plain.diff("t@1", "t@2")
    assert (diff.added.to_arrow().to_pylist(), diff.removed.count) == ([{"n": 1, "x": 7}], 0)


def test_swapped_values_give_another_row(plain: whence.Workspace) -> None:
    plain.create("t", [("x", "y")], schema="a string, b string")
    plain.create("t", [("y", "x")], schema="a string, b string")
    assert not plain.diff("t@1", "t@2").is_empty


def test_new_and_lost_columns_are_named(plain: whence.Workspace) -> None:
    plain.create("t", [(1, 2)], schema="a int, b int")
    plain.create("t", [(1, 3)], schema="a int, c int")
    diff = plain.diff("t@1", "t@2")
    assert (diff.columns_added, diff.columns_removed) == (("c",), ("b",))


def test_an_edited_row_of_a_sheet_is_a_changed_cell(plain: whence.Workspace) -> None:
    plain.create("t", [("a", 1), ("b", 2), ("a", 1)], schema="k string, x int")
    edited = plain.sheet("t").set(1, "x", 9).delete_row(2).apply("edited")
    diff = plain.diff("t", edited)
    assert [(cell.row_before, cell.row_after, cell.column, cell.before, cell.after) for cell in diff.changed] == [
        (1, 1, "x", 2, 9)
    ]
    assert (diff.added.count, diff.removed.to_arrow().to_pylist()) == (0, [{"k": "a", "x": 1}])


def test_a_projection_pairs_with_what_it_was_made_from(ws: whence.Workspace) -> None:
    ws.create("diff_base", [("a", 1), ("b", 2), ("c", None)], schema="k string, x int")
    made = ws.sql("select k, coalesce(x, 0) as x from diff_base where k <> 'a'", name="diff_made")
    diff = ws.diff("diff_base", made)
    assert [(cell.row_before, cell.row_after, cell.before, cell.after) for cell in diff.changed] == [(2, 1, None, 0)]
    assert (diff.added.count, diff.removed.count) == (0, 1)


def test_queries_over_one_dataset_pair_as_their_keys_do(ws: whence.Workspace) -> None:
    ws.create("diff_from", [(n, n % 3) for n in range(40)], schema="k int, x int")
    queries = {
        "diff_less": "select k, x from diff_from where k % 4 <> 1 order by x, k desc",
        "diff_more": "select k, x + 1 as x from diff_from where k > 7",
        "diff_of_less": "select k, x * 2 as x from diff_less where x <> 1",
    }
    made = {"diff_from": ws["diff_from"], **{name: ws.sql(text, name=name) for name, text in queries.items()}}
    for old, new in itertools.permutations(made.values(), 2):
        diff, keys = ws.diff(old, new), [each.row_keys() for each in (old, new)]
        values = [
            dict(zip(key, each.to_arrow().to_pylist(), strict=True)) for key, each in zip(keys, (old, new), strict=True)
        ]
        assert diff.removed.ids.tolist() == [row for row, key in enumerate(keys[0]) if key not in values[1]]
        assert diff.added.ids.tolist() == [row for row, key in enumerate(keys[1]) if key not in values[0]]
        assert [(cell.row_before, cell.row_after, cell.column) for cell in diff.changed] == [
            (keys[0].index(key), row, name)
            for name in ("k", "x")
            for row, key in enumerate(keys[1])
            if key in values[0] and values[0][key][name] != values[1][key][name]
        ]


def test_datasets_that_share_no_row_are_compared_by_what_they_say(ws: whence.Workspace) -> None:
    ws.create("diff_some", [("a", 1), ("b", 2)], schema="k string, x int")
    ws.create("diff_other", [("b", 2, 0), ("c", 3, 0)], schema="k string, x int, z int")
    made = ws.sql("select k, x from diff_other", name="diff_queried")
    diff = ws.diff("diff_some", made)
    assert (diff.added.to_arrow().to_pylist(), diff.removed.to_arrow().to_pylist(), diff.changed) == (
        [{"k": "c", "x": 3}],
        [{"k": "a", "x": 1}],
        (),
    )


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.data(), st.integers(0, 6), st.integers(0, 6))
def test_rows_are_matched_as_by_a_dictionary_even_where_words_repeat(
    data: st.DataObject, before: int, after: int
) -> None:
    words = st.tuples(st.integers(0, 3), st.integers(0, 3))
    old, new = (data.draw(st.lists(words, min_size=n, max_size=n, unique=True)) for n in (before, after))
    found = match_rows(*(np.array(each, dtype=np.uint64).reshape(-1, 2) for each in (old, new)))
    places = {key: place for place, key in enumerate(old)}
    pairs = [(places[key], place) for place, key in enumerate(new) if key in places]
    assert list(zip(found.before.tolist(), found.after.tolist(), strict=True)) == pairs
    assert found.removed.tolist() == [place for place, key in enumerate(old) if key not in new]
    assert found.added.tolist() == [place for place, key in enumerate(new) if key not in old]


@pytest.mark.parametrize(
    ("old", "new", "places"),
    [
        ([1.0, float("nan"), None, 2.0], [1.0, float("nan"), None, float("nan")], [3]),
        (["a", None, ""], ["a", "", ""], [1]),
        ([[1], [2]], [[1], [3]], [1]),
        ([1, 2], [1.0, 2.5], [1]),
    ],
)
def test_cells_that_differ_are_found(old: list[object], new: list[object], places: list[int]) -> None:
    assert differing_places(pa.chunked_array([old]), pa.chunked_array([new])) == places
