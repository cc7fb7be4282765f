from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tests.store.making import make
from tests.store.random_tables import TYPES, random_table, random_value
from whence.model.errors import BadInput, NotSupported, UnknownColumn, UnknownRow
from whence.store import external_sort
from whence.store.parts import ROW_GROUP
from whence.store.store import Store

Row = dict[str, object]
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def rank(value: object) -> Any:  # noqa: ANN401 - values of one column have one type, which has an order
    """Spark's order: NaN is the greatest number and equals itself; text is compared by its bytes."""
    if isinstance(value, float):
        return (math.isnan(value), 0.0 if math.isnan(value) else value)
    return value.encode() if isinstance(value, str) else value


def holds(row: Row, column: str, op: str, value: object = None) -> bool:
    """The slow definition of one clause."""
    found = row[column]
    if op in ("is_null", "is_not_null"):
        return (found is None) == (op == "is_null")
    if found is None:
        return False
    match op:
        case "contains":
            return str(value) in str(found)
        case "starts_with":
            return str(found).startswith(str(value))
        case "in":
            assert isinstance(value, list)
            return any(rank(found) == rank(each) for each in value)
        case "between":
            assert isinstance(value, list)
            return COMPARE["<="](rank(value[0]), rank(found)) and COMPARE["<="](rank(found), rank(value[1]))
    return COMPARE[op](rank(found), rank(value))


def expected(rows: list[Row], sort: list[tuple[str, str, str]], where: list[tuple[Any, ...]]) -> list[int]:
    """The slow definition of a view: one stable sort per key, the last key first."""
    kept = [rid for rid, row in enumerate(rows) if all(holds(row, *clause) for clause in where)]
    for column, direction, nulls in reversed(sort):
        known = [rid for rid in kept if rows[rid][column] is not None]
        known = sorted(known, key=lambda rid: rank(rows[rid][column]), reverse=direction == "desc")
        empty = [rid for rid in kept if rows[rid][column] is None]
        kept = empty + known if nulls == "nulls first" else known + empty
    return kept


def random_clause(source: random.Random) -> tuple[object, ...]:
    column = source.choice(list(TYPES))
    ops = [*COMPARE, "is_null", "is_not_null", "in", "between"]
    op = source.choice([*ops, "contains", "starts_with"] if column == "word" else ops)
    if op in ("is_null", "is_not_null"):
        return (column, op)
    if op in ("in", "between"):
        return (column, op, [random_value(source, column) for _ in range(2 if op == "between" else 3)])
    return (column, op, random_value(source, column))


def random_sort(source: random.Random) -> list[tuple[str, str, str]]:
    columns = source.sample(list(TYPES), source.randint(0, 3))
    return [(c, source.choice(["asc", "desc"]), source.choice(["nulls first", "nulls last"])) for c in columns]


@pytest.mark.parametrize("seed", range(6))
def test_a_view_is_what_its_slow_definition_says(store: Store, seed: int) -> None:
    source = random.Random(seed)
    pieces = [random_table(source, count) for count in (40, 0, 1, 25)]
    record = make(store, "t", *pieces)
    rows = pa.concat_tables(pieces).to_pylist()
    for _ in range(40):
        sort, where = random_sort(source), [random_clause(source) for _ in range(source.randint(0, 2))]
        view = store.views.view(record, sort, where)
        assert view.rids().tolist() == expected(rows, sort, where), (sort, where)
        assert view.count == len(view.rids())


@pytest.mark.parametrize("seed", range(4))
def test_a_sort_that_does_not_fit_in_memory_gives_the_same_order(tmp_path: Path, seed: int) -> None:
    source = random.Random(seed)
    count = 3_000
    keys = {
        "k0": pa.array([source.choice([None, *"abcde"]) for _ in range(count)]),
        "k1": pa.array([source.randint(0, 20) for _ in range(count)]),
    }
    table = pa.table({**keys, external_sort.RID: np.arange(count)})
    wanted = [external_sort.Key("k0", seed % 2 == 0, True), external_sort.Key("k1", False, seed > 1)]
    pieces = [table.slice(start, 100) for start in range(0, count, 100)]

    def order(budget: int) -> list[int]:
        rids: list[int] = np.concatenate(
            [*external_sort.sorted_rids(pieces, wanted, tmp_path / "runs", budget)]
        ).tolist()
        return rids

    assert order(5_000) == order(1 << 30)
    assert not (tmp_path / "runs").exists()


def test_runs_longer_than_a_block_are_merged_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_sort, "_BLOCK", 7)
    values = np.random.default_rng(3).integers(0, 50, 2_000)
    table = pa.table({"k0": values, external_sort.RID: np.arange(2_000)})
    pieces = [table.slice(start, 90) for start in range(0, 2_000, 90)]
    found = external_sort.sorted_rids(pieces, [external_sort.Key("k0", True, True)], tmp_path / "runs", 4_000)
    assert np.concatenate([*found]).tolist() == np.argsort(values, kind="stable").tolist()


@pytest.fixture
def numbers(store: Store) -> Store:
    make(store, "n", pa.table({"x": np.arange(3 * ROW_GROUP) % 1_000, "s": ["v"] * (3 * ROW_GROUP)}))
    return store


def test_pages_of_a_view_are_read_at_any_place(numbers: Store) -> None:
    view = numbers.views.view(numbers.current("n"), [("x", "desc")], [("x", ">=", 998)])
    whole = view.rids().tolist()
    assert view.count == len(whole) == 2 * (3 * ROW_GROUP // 1_000)
    assert view.rids(50, 60).tolist() == whole[50:60]
    assert view.rows(view.count - 1, view.count + 5).to_pylist() == [{"x": 998, "s": "v"}]
    assert view.rows(10**9, 10**9 + 1).num_rows == 0
    with pytest.raises(UnknownRow, match="no row -1"):
        view.rids(-1, 3)


def test_a_view_is_worked_out_once_even_after_reopening(numbers: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first = numbers.views.view(numbers.current("n"), ["x"], []).rids(0, 70_000).tolist()
    numbers.close()
    again = Store.open(numbers.root)
    monkeypatch.setattr("whence.store.pages.Pages.scan", None)
    assert again.views.view(again.current("n"), ["x"], []).rids(0, 70_000).tolist() == first
    again.close()


@pytest.mark.parametrize("damage", ["delete", "flip", "cut"])
def test_a_lost_or_damaged_file_is_made_again(numbers: Store, damage: str) -> None:
    view = numbers.views.view(numbers.current("n"), [("x", "desc")], [])
    good = view.rids().tolist()
    (path,) = [each for each in (numbers.root / "tmp/views").rglob("*") if each.is_file()]
    data = path.read_bytes()
    path.unlink()
    if damage != "delete":
        middle = len(data) // 2
        flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        path.write_bytes(flipped if damage == "flip" else data[:middle])
    numbers.views.clear()
    assert view.rids().tolist() == good


def test_a_view_of_everything_needs_no_file(numbers: Store) -> None:
    view = numbers.views.view(numbers.current("n"), [], [])
    assert (view.count, view.rids(5, 8).tolist()) == (3 * ROW_GROUP, [5, 6, 7])
    assert not (numbers.root / "tmp/views").exists()


def test_what_a_killed_process_left_half_written_is_removed_at_the_next_opening(numbers: Store) -> None:
    numbers.views.view(numbers.current("n"), ["x"], []).rids(0, 1)
    folder = numbers.root / "tmp/views" / numbers.current("n").id
    (folder / "abc.sort").mkdir()
    (folder / "abc.1-2").write_bytes(b"half")
    (folder.parent / "unknown").mkdir()
    numbers.close()
    Store.open(numbers.root).close()
    assert [path.suffix for path in folder.iterdir()] == [""]
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


@pytest.mark.parametrize(
    ("clause", "sentence"),
    [
        (("y", "=", 1), r"There is no column y\. There are x, s\."),
        (("x", "=", "one"), r"'one' does not fit column x, which holds int64\."),
        (("x", "<", 1.5), r"1\.5 does not fit column x"),
        (("x", "=", True), r"True does not fit column x"),
        (("x", "=", None), r"None does not fit column x, which holds int64\. Use is_null\."),
        (("x", "in", 3), r"in needs a list of values, not 3\."),
        (("x", "between", [1]), r"between needs two values, not \[1\]\."),
        (("x", "contains", "1"), r"Column x holds int64, and contains needs text\."),
        (("x", "like", "1"), r"\('x', 'like', '1'\) is not a condition\. .* starts_with"),
    ],
)
def test_a_condition_that_cannot_be_meant_is_one_sentence(
    store: Store, clause: tuple[object, ...], sentence: str
) -> None:
    record = make(store, "t", pa.table({"x": [1], "s": ["a"]}))
    with pytest.raises((BadInput, UnknownColumn), match=sentence):
        store.views.view(record, [], [clause])


def test_an_order_that_cannot_be_meant_is_one_sentence(store: Store) -> None:
    record = make(store, "t", pa.table({"x": [1], "l": [[1]]}))
    with pytest.raises(BadInput, match=r"\('x', 'up'\) does not say how to sort"):
        store.views.view(record, [("x", "up")], [])
    with pytest.raises(NotSupported, match="which has no order"):
        store.views.view(record, ["l"], [])


def test_times_may_be_written_as_text_but_not_as_numbers(store: Store) -> None:
    record = make(store, "t", random_table(random.Random(1), 30))
    rows = store.read(record, 0, 30).to_pylist()
    found = store.views.view(record, [], [("day", ">", "2024-02-27"), ("money", "<=", "1.50")]).rids().tolist()
    day, money = rows[0]["day"], rows[0]["money"]
    assert found == [
        rid
        for rid, row in enumerate(rows)
        if row["day"] is not None
        and row["money"] is not None
        and str(row["day"]) > "2024-02-27"
        and float(row["money"]) <= 1.5
    ]
    assert type(day) is not str
    assert type(money) is not str
    for clause in (("day", "=", 3), ("day", "=", rows[0]["moment"]), ("local", "=", 3), ("day", "=", "tomorrow")):
        with pytest.raises(BadInput, match="does not fit"):
            store.views.view(record, [], [clause])


def test_working_a_view_out_holds_a_small_part_of_the_dataset_in_memory(store: Store) -> None:
    rows = 40 * ROW_GROUP
    texts = pa.array(np.random.default_rng(0).integers(10**17, 10**18, rows)).cast(pa.string())
    record = make(store, "wide", pa.table({"s": pc.binary_join_element_wise(texts, texts, texts, "-")}))
    usual = pa.default_memory_pool()
    watched = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(watched)
    try:
        assert store.views.view(record, [], [("s", "contains", "12345")]).count < rows
    finally:
        pa.set_memory_pool(usual)
    assert 0 < watched.max_memory() < 0.5 * rows * 60
