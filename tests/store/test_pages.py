from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.making import make
from whence.model.errors import UnknownColumn, UnknownRow
from whence.model.schema import LINE_COLUMN, ROW_FLAG_COLUMN, flag_column
from whence.store.parts import ROW_GROUP, write_part
from whence.store.store import Store

SIZES = (ROW_GROUP + 10, 0, 3, 2 * ROW_GROUP, 1)
TOTAL = sum(SIZES)


def numbered(start: int, count: int) -> pa.Table:
    return pa.table({"n": pa.array(range(start, start + count), pa.int64()), "n.x": [f"r{i}" for i in range(count)]})


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store.open(tmp_path_factory.mktemp("pages") / "w")
    starts = [sum(SIZES[:i]) for i in range(len(SIZES))]
    make(store, "t", *(numbered(start, size) for start, size in zip(starts, SIZES, strict=True)))
    return store


@given(st.integers(0, TOTAL + 5), st.integers(0, 70_000))
@settings(deadline=None, max_examples=40)
def test_read_gives_rows_in_rid_order_across_parts_and_row_groups(big: Store, start: int, count: int) -> None:
    found = big.read(big.current("t"), start, start + count, ["n"])["n"].to_pylist()
    assert found == list(range(start, min(start + count, TOTAL)))


@given(st.integers(-5, TOTAL + 5), st.integers(0, ROW_GROUP))
@settings(deadline=None, max_examples=20)
def test_only_row_groups_that_may_hold_a_value_are_read(big: Store, wanted: int, width: int) -> None:
    def may_be(low: int, high: int) -> bool:
        return low <= wanted + width and wanted <= high

    pieces = list(big.scan_where(big.current("t"), "n", may_be))
    assert all(table["n"].to_pylist() == list(range(start, start + table.num_rows)) for start, table in pieces)
    found = {number for _, table in pieces for number in table["n"].to_pylist()}
    assert found.issuperset(range(max(wanted, 0), min(wanted + width + 1, TOTAL)))
    assert len(pieces) <= 4


def test_row_groups_of_which_nothing_is_known_are_read(store: Store) -> None:
    nested = make(store, "nested", pa.table({"n": [{"x": 1}], "n.x": ["a"], "f": [float("nan")]}))
    assert [table["n.x"].to_pylist() for _, table in store.scan_where(nested, "n.x", lambda *_: False)] == [["a"]]
    missing = make(store, "missing", pa.table({"n": pa.nulls(2, pa.int64())}))
    assert [start for start, _ in store.scan_where(missing, "n", lambda *_: False)] == [0]


@given(st.lists(st.integers(0, TOTAL - 1), max_size=30))
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_take_gives_rows_in_the_order_asked_with_repeats(big: Store, rids: list[int]) -> None:
    assert big.take(big.current("t"), np.array(rids, dtype=np.int64), ["n"])["n"].to_pylist() == rids


def test_a_part_lies_under_the_rid_of_its_first_row(big: Store) -> None:
    record = big.current("t")
    folders = {path.name for path in big.rows_path(record).iterdir()}
    assert folders == {f"__whence_offset={n}" for n in (0, SIZES[0], SIZES[0] + 3, TOTAL - 1)}


def test_row_groups_have_the_promised_size_however_small_the_batches(tmp_path: Path) -> None:
    batches = [batch for n in range(10) for batch in numbered(n * 7_000, 7_000).to_batches()]
    part = write_part(tmp_path / "p.parquet", iter(batches), batches[0].schema)
    metadata = pq.read_metadata(part.path)
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [ROW_GROUP, ROW_GROUP, 4_464]
    assert part.rows == 70_000


def test_a_column_whose_name_begins_another_is_read_alone(big: Store) -> None:
    assert big.read(big.current("t"), 0, 2, ["n"]).column_names == ["n"]
    assert big.read(big.current("t"), 0, 2).to_pydict() == {"n": [0, 1], "n.x": ["r0", "r1"]}


def test_internal_columns_a_part_lacks_come_back_empty(big: Store) -> None:
    found = big.read(big.current("t"), 0, 2, [LINE_COLUMN, flag_column(1), ROW_FLAG_COLUMN])
    assert found.to_pydict() == {LINE_COLUMN: [None, None], flag_column(1): [False] * 2, ROW_FLAG_COLUMN: [False] * 2}


def test_rows_and_columns_that_are_not_there_are_named(big: Store) -> None:
    record = big.current("t")
    with pytest.raises(UnknownRow, match=f"t@1 has no row {TOTAL}"):
        big.take(record, np.array([0, TOTAL]))
    with pytest.raises(UnknownColumn, match="no column m"):
        big.read(record, 0, 1, ["m"])


def test_a_dataset_without_rows_has_its_columns_and_one_empty_part(store: Store) -> None:
    record = make(store, "t", numbered(0, 0))
    assert record.rows == 0
    assert store.read(record, 0, 10).schema.names == ["n", "n.x"]
    assert store.take(record, np.array([], dtype=np.int64)).num_rows == 0
    assert store.flags(record).num_rows == 0
    assert [path.name for path in store.rows_path(record).iterdir()] == ["__whence_offset=0"]


def test_marks_are_false_where_nothing_is_stored(store: Store) -> None:
    marked = pa.table({"_row": [1, 2], "b": [3, 4], flag_column(1): [True, False], ROW_FLAG_COLUMN: [False, True]})
    record = make(store, "t", marked)
    expected = {"_row": [False, False], "b": [True, False], "_row_": [False, True]}
    assert store.flags(record).to_pydict() == expected
    assert store.flags(record, 1, 2).to_pydict() == {name: values[1:] for name, values in expected.items()}


def test_only_columns_whose_values_repeat_get_a_dictionary(store: Store) -> None:
    table = pa.table({"id": range(5_000), "kind": [f"kind {n % 7}" for n in range(5_000)]})
    record = make(store, "t", table)
    (part,) = store.manifest(record).parts
    group = pq.read_metadata(store.layout.dataset(record.id) / part.path).row_group(0)
    assert [group.column(place).has_dictionary_page for place in range(2)] == [False, True]
    nested = make(store, "n", pa.table({"id": range(5_000), "many": [[n % 7] for n in range(5_000)]}))
    assert store.read(nested, 4_998, 5_000).to_pylist() == [{"id": 4_998, "many": [0]}, {"id": 4_999, "many": [1]}]
