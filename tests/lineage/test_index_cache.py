"""Index files: made when first needed, made again when damaged or gone, and gone when their dataset is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tests.store.making import make
from whence.lineage import index_cache
from whence.lineage.document import NAME, LineageDocument
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.store.doctor import doctor
from whence.store.index_file import write_index
from whence.store.store import Store

GROUPS, ROWS = 700, 70_000
KEYS = np.random.default_rng(3).integers(0, GROUPS, ROWS)
KEYS[:GROUPS] = np.arange(GROUPS)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "w")
    yield opened
    opened.close()


def grouped(store: Store) -> DatasetRecord:
    """A dataset of groups over a dataset of rows, with its block."""
    rows = make(store, "rows", pa.table({"k": KEYS}))
    document = LineageDocument((rows.id,), True, "test", 1, {"k": frozenset()}, frozenset())
    arrays = {"part0": {"out": KEYS, "source0": np.arange(ROWS)}}
    return make(
        store,
        "groups",
        pa.table({"k": np.arange(GROUPS)}),
        parents=[rows.id],
        documents={NAME: document.to_json()},
        arrays=arrays,
    )


def files(store: Store, record: DatasetRecord) -> list[Path]:
    folder = store.layout.temporary / "index" / record.id
    return sorted(folder.iterdir()) if folder.exists() else []


def check(store: Store, record: DatasetRecord) -> None:
    edges = Edges(store)
    for group in (0, 13, GROUPS - 1):
        assert edges.backward(record, 0, np.array([group])).tolist() == np.flatnonzero(group == KEYS).tolist()
    assert edges.forward(record, 0, np.array([5, 69_000])).tolist() == sorted({KEYS[5], KEYS[69_000]})


def test_an_index_is_made_once_and_opened_after_that(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    record = grouped(store)
    check(store, record)
    assert len(files(store, record)) == 2, "one for each direction"

    def never(*_: object) -> None:
        pytest.fail("an index was made again")

    monkeypatch.setattr(index_cache, "build_arrays", never)
    check(store, record)


def test_a_deleted_index_is_made_again(store: Store) -> None:
    record = grouped(store)
    check(store, record)
    for file in files(store, record):
        file.unlink()
    check(store, record)
    assert len(files(store, record)) == 2


@pytest.mark.parametrize("place", [0.0, 0.2, 0.5, 0.8, 0.97, 0.999, 1.0])
def test_a_damaged_index_is_made_again_and_never_believed(store: Store, place: float) -> None:
    record = grouped(store)
    check(store, record)
    for file in files(store, record):
        content = bytearray(file.read_bytes())
        content[int(place * (len(content) - 1))] ^= 0xFF
        file.write_bytes(content)
    assert len([line for line in doctor(store) if "index" in line]) == 2
    edges = Edges(store)
    every = [edges.backward(record, 0, np.array([group])).tolist() for group in range(GROUPS)]
    assert every == [np.flatnonzero(group == KEYS).tolist() for group in range(GROUPS)]
    assert [edges.forward(record, 0, np.array([row])).tolist() for row in range(0, ROWS, 997)] == [
        [KEYS[row]] for row in range(0, ROWS, 997)
    ]


def test_damage_under_an_open_index_is_noticed_at_the_first_touch_of_each_block(store: Store) -> None:
    record = grouped(store)
    edges = Edges(store)
    edges.backward(record, 0, np.array([0]))
    (file,) = files(store, record)
    content = bytearray(file.read_bytes())
    content[int(0.6 * len(content))] ^= 0xFF
    with file.open("r+b") as handle:
        handle.write(content)
    every = [edges.backward(record, 0, np.array([group])).tolist() for group in range(GROUPS)]
    assert every == [np.flatnonzero(group == KEYS).tolist() for group in range(GROUPS)]


@pytest.mark.parametrize("cut", [0, 1, 39, 4000])
def test_a_cut_off_index_is_made_again(store: Store, cut: int) -> None:
    record = grouped(store)
    check(store, record)
    for file in files(store, record):
        file.write_bytes(file.read_bytes()[:cut])
    check(store, record)


def test_an_index_goes_with_its_dataset(store: Store) -> None:
    record = grouped(store)
    check(store, record)
    edges = Edges(store)
    edges.backward(record, 0, np.array([1]))
    usage = {each.label: each for each in store.usage().datasets}
    assert usage["groups@1"].derived >= 4 * ROWS
    store.forgetting.forget([record])
    assert files(store, record) == []
    assert doctor(store) == []
    with pytest.raises(Exception, match=r"forgotten|no lineage"):
        edges.backward(record, 0, np.array([1]))


def test_an_index_written_while_its_dataset_is_forgotten_goes_too(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = grouped(store)

    def written_late(*args: Any) -> None:  # noqa: ANN401 - what `write_index` is given
        store.forgetting.forget([record])
        write_index(*args)

    monkeypatch.setattr(index_cache, "write_index", written_late)
    assert Edges(store).backward(record, 0, np.array([1])).tolist() == np.flatnonzero(KEYS == 1).tolist()
    assert files(store, record) == []


def test_leftovers_of_unknown_datasets_and_cut_off_writes_are_tidied_away(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "w2")
    record = grouped(store)
    check(store, record)
    folder = store.layout.temporary / "index"
    (folder / record.id / "abc.123-ff").write_bytes(b"half")
    (folder / "nobody").mkdir()
    (folder / "nobody" / "abc").write_bytes(b"old")
    store.close()
    again = Store.open(tmp_path / "w2")
    try:
        assert len(files(again, record)) == 2
        assert not (folder / "nobody").exists()
    finally:
        again.close()


def test_a_disk_that_takes_no_more_is_no_reason_not_to_answer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    record = grouped(store)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("whence.store.index_file._fill", full)
    check(store, record)
    assert files(store, record) == []
