from __future__ import annotations

import errno
import os
import sqlite3
import threading
from itertools import count
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tests.store.making import make
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError, WorkspaceInUse
from whence.store.database import Database
from whence.store.doctor import doctor
from whence.store.draft import Draft
from whence.store.durable import HashingFile
from whence.store.parts import write_table
from whence.store.store import Store
from whence.store.types import schema_of

TABLE = pa.table({"a": [1, 2, 3]})


def publish(store: Store, source: Path) -> DatasetRecord:
    """Begin, write and publish, giving the run up on any error, as every caller does."""
    run = store.begin("load", "t")
    try:
        draft = Draft(
            schema_of(TABLE.schema),
            write_table(run.staging, TABLE),
            "load",
            caveats=(Caveat("why", "load", 0),),
            documents={"load_report": {}},
            arrays={"e": {"x": np.arange(3)}},
            sources=(store.add_file(source),),
        )
        return store.publish(run, draft)
    except BaseException as error:
        store.abandon(run, str(error))
        raise


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_an_error_of_any_sync_is_one_sentence_and_leaves_a_whole_workspace(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    (tmp_path / "s.csv").write_text("a\n1\n")
    real, failures = os.fsync, 0
    for failing in count(1):
        calls = count(1)

        def sync(descriptor: int, failing: int = failing, calls: count[int] = calls) -> None:
            if next(calls) == failing:
                raise OSError(code, os.strerror(code))
            real(descriptor)

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", sync)
            message = attempt(store, tmp_path / "s.csv")
        assert doctor(store) == []
        if message is None:
            break
        failures += 1
        assert f"cannot be written: {os.strerror(code)}." in message
        assert store.datasets() == []
    assert failures > 8
    assert store.current("t").version == 1


def test_an_error_of_any_write_is_one_sentence_and_leaves_a_whole_workspace(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "s.csv").write_text("a\n1\n")
    real, failures = HashingFile.write, 0
    for failing in count(1):
        calls = count(1)

        def write(file: HashingFile, data: bytes, failing: int = failing, calls: count[int] = calls) -> int:
            if next(calls) == failing:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(file, data)

        with monkeypatch.context() as patch:
            patch.setattr(HashingFile, "write", write)
            message = attempt(store, tmp_path / "s.csv")
        assert doctor(store) == []
        if message is None:
            break
        failures += 1
        assert "cannot be written: No space left on device." in message
        assert store.datasets() == []
    assert failures > 8


def attempt(store: Store, source: Path) -> str | None:
    """What the user is told, or None if all went well."""
    try:
        publish(store, source)
    except UserError as error:
        return error.message
    return None


def fill_database(store: Store) -> None:
    for _ in range(200):
        store.abandon(store.begin("sql", "t"), "x" * 4000)


def test_a_commit_that_fails_takes_the_files_back(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "s.csv").write_text("a\n1\n")

    def refuse(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("whence.store.publish.runs.finish", refuse)
        patch.setattr("whence.store.runs.finish", lambda *_: None)
        patch.setattr("whence.store.publish.records.insert_record", refuse)
        with pytest.raises(sqlite3.OperationalError):
            publish(store, tmp_path / "s.csv")
    assert store.datasets() == []
    assert list((store.root / "datasets").iterdir()) == []
    assert list((store.root / "lineage").iterdir()) == []


def test_a_database_on_a_full_disk_is_named_in_one_sentence(store: Store) -> None:
    with store.database.read() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    with pytest.raises(UserError, match=r"database cannot be written: .*full\. Free some space"):
        fill_database(store)


def test_only_what_was_promised_to_somebody_waits_for_the_disk(store: Store) -> None:
    safety = {}
    for is_promised in (False, True, False):
        with store.database.write("commit-run", is_promised=is_promised) as connection:
            safety[is_promised] = connection.exec_driver_sql("PRAGMA synchronous").scalar()
    assert safety == {False: 1, True: 2}


def test_several_threads_publish_at_once(store: Store) -> None:
    made: list[DatasetRecord] = []
    threads = [
        threading.Thread(target=lambda: made.extend(make(store, "t", TABLE) for _ in range(3))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(record.version for record in made) == list(range(1, 13))
    assert doctor(store) == []


def test_a_process_that_lost_its_workspace_can_no_longer_write(store: Store) -> None:
    other = Database(store.layout.database)  # as if a network file system had granted the lock twice
    with pytest.raises(WorkspaceInUse, match="taken this workspace over"):
        store.begin("sql", "t")
    other.close()
