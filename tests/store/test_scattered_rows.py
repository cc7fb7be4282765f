from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tests.store.making import make
from tests.store.random_tables import random_table
from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile
from whence.model.schema import ROW_FLAG_COLUMN, flag_column
from whence.store.block_file import BLOCK_ROWS, BlockFile, write_blocks
from whence.store.pages import Pages
from whence.store.parts import ROW_GROUP
from whence.store.store import Store

ROWS = 8 * ROW_GROUP + 11
SPREAD = np.array([ROWS - 1, 3, 5 * ROW_GROUP, 3, 2 * ROW_GROUP + 9, 4 * ROW_GROUP, 7 * ROW_GROUP, 6 * ROW_GROUP])


@pytest.fixture
def long(store: Store) -> DatasetRecord:
    table = pa.table(
        {"n": np.arange(ROWS), "s": pa.array(np.arange(ROWS)).cast(pa.string()), flag_column(0): [True] * ROWS}
    )
    return make(store, "long", table.slice(0, ROW_GROUP + 1), table.slice(ROW_GROUP + 1))


def copies(store: Store) -> list[Path]:
    return [path for path in (store.root / "tmp/rows").rglob("*") if path.is_file()]


def test_scattered_rows_are_the_same_before_and_after_the_copy_is_made(store: Store, long: DatasetRecord) -> None:
    columns = ["s", "n", flag_column(0), flag_column(1), ROW_FLAG_COLUMN]
    before = store.take(long, SPREAD, columns)
    store.scattered.wait(long.id)
    assert len(copies(store)) == 1
    after = store.take(long, SPREAD, columns)
    assert after.to_pydict() == before.to_pydict()
    assert after["n"].to_pylist() == SPREAD.tolist()


def test_the_copy_is_used_after_reopening(store: Store, long: DatasetRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    store.take(long, SPREAD)
    store.scattered.wait(long.id)
    store.close()
    again = Store.open(store.root)
    monkeypatch.setattr("whence.store.pages.Pages.take", None)
    assert again.take(long, SPREAD, ["n"])["n"].to_pylist() == SPREAD.tolist()
    again.close()


@pytest.mark.parametrize("place", [0.0, 0.3, 0.6, 0.9, 0.9999])
def test_a_damaged_copy_is_never_believed(store: Store, long: DatasetRecord, place: float) -> None:
    store.take(long, SPREAD)
    store.scattered.wait(long.id)
    (path,) = copies(store)
    data = bytearray(path.read_bytes())
    data[int(len(data) * place)] ^= 4
    path.write_bytes(data)
    every = np.arange(0, ROWS, 2_000)
    assert store.take(long, every, ["n"])["n"].to_pylist() == every.tolist()


def test_rows_that_lie_together_make_no_copy(store: Store, long: DatasetRecord) -> None:
    store.take(long, np.arange(ROWS - 100, ROWS))
    store.take(long, np.arange(ROWS))
    assert copies(store) == []


def test_closing_stops_the_making_of_a_copy(store: Store, long: DatasetRecord) -> None:
    store.take(long, SPREAD)
    store.close()
    assert all(path.suffix == "" for path in copies(store))


def test_what_is_removed_is_not_waited_for(store: Store, long: DatasetRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    scan, read = Pages.scan, []

    def scan_slowly(pages: Pages, columns: Sequence[str]) -> Iterator[tuple[int, pa.Table]]:
        for _ in range(1_000):
            for start, table in scan(pages, columns):
                read.append(start)
                time.sleep(0.01)
                yield start, table.slice(0, 1)

    with monkeypatch.context() as patched:
        patched.setattr(Pages, "scan", scan_slowly)
        store.take(long, SPREAD)
        store.scattered.drop(long.id)
    assert len(read) < 100
    assert copies(store) == []
    store.take(long, SPREAD)
    store.scattered.wait(long.id)
    assert len(copies(store)) == 1


def test_where_the_disk_is_nearly_full_no_copy_is_made(
    store: Store, long: DatasetRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whence.store.scattered_rows._KEPT_FREE", 1 << 60)
    assert store.take(long, SPREAD, ["n"])["n"].to_pylist() == SPREAD.tolist()
    store.scattered.wait(long.id)
    assert copies(store) == []


def test_blocks_hold_every_type_and_any_number_of_rows(tmp_path: Path) -> None:
    source = random.Random(3)
    for number, sizes in enumerate([(0,), (1,), (BLOCK_ROWS, 0, 1), (300, 300, 7)]):
        tables = [random_table(source, size) for size in sizes]
        path = tmp_path / str(number)
        write_blocks(path, tables, tables[0].schema)
        together = pa.concat_tables(tables)
        file = BlockFile(path)
        found = file.take(np.arange(together.num_rows))
        assert repr(found.to_pylist()) == repr(together.to_pylist())
        file.close()


def test_a_file_cut_short_is_damaged(tmp_path: Path) -> None:
    write_blocks(tmp_path / "b", [pa.table({"n": range(1_000)})], pa.schema([("n", pa.int64())]))
    data = (tmp_path / "b").read_bytes()
    for size in (0, 5, len(data) // 2, len(data) - 1):
        (tmp_path / "b").write_bytes(data[:size])
        with pytest.raises(DamagedFile):
            BlockFile(tmp_path / "b")
