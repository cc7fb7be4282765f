"""Records that are remembered are those a look into the database would give, also while others write."""

from __future__ import annotations

import threading
from pathlib import Path

import pyarrow as pa
import pytest

from whence.loading.create import create
from whence.model.errors import UnknownDataset
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store


def test_what_is_written_is_seen_at_once(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "w.whence")
    with pytest.raises(UnknownDataset):
        store.current("t")
    for version in (1, 2, 3):
        create(store, "t", pa.table({"n": [version]}))
        assert store.current("t").version == version
        assert store.current("T ").version == version
    first = store.version("t", 1)
    assert store.by_id(first.id) == first
    store.forgetting.forget([first])
    with pytest.raises(UnknownDataset):
        store.version("t", 1)
    store.close()


def test_a_version_is_looked_up_once_while_others_are_made(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "w.whence")
    first = create(store, "t", pa.table({"n": [1]}))
    known = store.by_id(first.id)
    second = create(store, "t", pa.table({"n": [2]}))
    assert store.by_id(first.id) is known
    assert store.by_id(second.id) == second
    store.forgetting.forget([second])
    assert store.by_id(first.id) == first
    assert isinstance(store.by_id(second.id), ForgottenRecord)
    store.close()


def test_who_reads_beside_a_writer_never_sees_less_than_was_acknowledged(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "w.whence")
    create(store, "t", pa.table({"n": [0]}))
    acknowledged, wrong, is_over = [1], list[tuple[int, int]](), threading.Event()

    def read() -> None:
        while not is_over.is_set():
            least = acknowledged[0]
            seen = store.current("t").version
            if seen < least:
                wrong.append((least, seen))

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for _ in range(30):
        acknowledged[0] = create(store, "t", pa.table({"n": [0]})).version
    is_over.set()
    for reader in readers:
        reader.join()
    store.close()
    assert wrong == []
