"""A folder that is read-only, and a clock that was set back: nothing is lost, and a sentence says what is wrong."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

import pyarrow as pa
import pytest

from tests.store.making import make
from tests.store.test_full_disk import mounted
from whence.model.errors import UserError
from whence.store import database
from whence.store.doctor import doctor
from whence.store.garbage import collect_garbage
from whence.store.store import Store


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, which a test may make read-only."""
    yield from mounted(tmp_path, 16)


def remount(disk: Path, way: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{way}", str(disk)], check=True, capture_output=True)


def content(root: Path) -> dict[str, str]:
    """The hash of every file but the lock, which says who has the workspace open."""
    files = (path for path in root.rglob("*") if path.is_file() and path.name != "lock")
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_workspace_on_a_read_only_disk_is_refused_in_a_sentence_and_unchanged(disk: Path) -> None:
    with_rows = Store.open(disk / "w")
    made = make(with_rows, "t", pa.table({"a": [1, 2]}))
    with_rows.close()
    before = content(disk / "w")
    remount(disk, "ro")
    for name in ("w", "new"):
        with pytest.raises(UserError, match=r"cannot be written: Read-only file system\. Check the disk and its perm"):
            Store.open(disk / name)
    assert content(disk / "w") == before
    remount(disk, "rw")
    again = Store.open(disk / "w")
    assert again.read(made, 0, 2).to_pydict() == {"a": [1, 2]}
    assert doctor(again) == []
    again.close()


class YearAgo(datetime):
    """A clock that was set back."""

    @classmethod
    def now(cls, tz: object = None) -> Self:
        return cls.fromisoformat((datetime.now(UTC) - timedelta(days=365)).isoformat())


def test_versions_keep_their_order_when_the_clock_is_set_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.open(tmp_path / "w")
    first = make(store, "t", pa.table({"a": [1]}))
    monkeypatch.setattr(database, "datetime", YearAgo)
    second = make(store, "t", pa.table({"a": [2]}))
    assert second.created < first.created, "the clock was set back"
    store.close()
    store = Store.open(tmp_path / "w")
    assert [each.id for each in store.datasets()] == [second.id]
    assert [each.id for each in store.versions("t")] == [first.id, second.id]
    assert doctor(store) == []
    assert collect_garbage(store.database, store.layout) == (), "nothing that is in use looks old"
    store.close()
