from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tests.store.making import make
from whence.store.store import Store
from whence.store.usage import size_of


def test_every_byte_of_a_workspace_is_counted_once(store: Store, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_bytes(b"x" * 5_000)
    record = make(
        store,
        "t",
        pa.table({"a": np.arange(1_000)}),
        arrays={"e": {"x": np.random.default_rng(0).permutation(1_000)}},  # what only rises takes next to nothing
        sources=[store.add_file(tmp_path / "s.csv")],
    )
    make(store, "t", pa.table({"a": [1]}))
    store.views.view(record, [("a", "desc")], []).rids(0, 1)
    used = store.usage()
    first, second = used.datasets
    assert (first.label, first.rows, second.label) == ("t@1", 1_000, "t@2")
    assert first.data > 1_000
    assert (first.lineage > 1_000, second.lineage) == (True, 0)
    assert (first.derived > 4_000, second.derived) == (True, 0)
    assert (used.files, used.reclaimable, used.set_aside) == (5_000, 0, 0)
    on_disk = sum(path.stat().st_size for path in store.root.rglob("*") if path.is_file() and path.name != "lock")
    assert used.total == on_disk


def test_folders_that_go_while_they_are_counted_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone" / "inner").mkdir(parents=True)
    (tmp_path / "gone" / "file").write_bytes(b"x")
    (tmp_path / "kept").write_bytes(b"x" * 10)
    look = Path.lstat

    def look_late(path: Path) -> os.stat_result:
        """By the time a file is looked at, its folder was listed, and the folders in that were not."""
        if path.parent.name == "gone":
            shutil.rmtree(path.parent, ignore_errors=True)
        return look(path)

    monkeypatch.setattr(Path, "lstat", look_late)
    assert size_of(tmp_path) == 10
