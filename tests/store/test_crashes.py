from __future__ import annotations

import multiprocessing
import signal
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.store import crashing
from tests.store.making import make
from whence.store import faults, tables
from whence.store.doctor import doctor
from whence.store.store import Store

FORKS = multiprocessing.get_context("forkserver")
# Imported once, so that each killed process starts in milliseconds.
FORKS.set_forkserver_preload(["tests.store.crashing", "tests.loading.crashing"])


@pytest.mark.parametrize("point", faults.POINTS)
def test_a_kill_at_any_point_leaves_a_whole_workspace(tmp_path: Path, point: str) -> None:
    log = tmp_path / "log"
    process = FORKS.Process(target=crashing.work, args=(tmp_path / "w", log, point))
    process.start()
    process.join(30)
    assert process.exitcode == -signal.SIGKILL, "the point was never reached"
    store = Store.open(tmp_path / "w")
    try:
        names = [record.name for record in store.datasets()]
        assert set(log.read_text().split()) <= set(names)
        for record in store.datasets():
            assert store.read(record, 0, record.rows)["a"].to_pylist() == {"before": [0], "t": [1, 2, 3]}[record.name]
        assert doctor(store) == []
        assert states(store) in (["done", "interrupted"], ["done"], ["done", "done"])
        assert make(store, "t", store.read(store.current("before"), 0, 1)).version == names.count("t") + 1
    finally:
        store.close()


def states(store: Store) -> list[str]:
    with store.database.read() as connection:
        return sorted(connection.scalars(select(tables.runs.c.state)))


def test_doctor_names_each_kind_of_damage(tmp_path: Path) -> None:
    process = FORKS.Process(target=crashing.work, args=(tmp_path / "w", tmp_path / "log", "none"))
    process.start()
    process.join(30)
    assert process.exitcode == 0
    store = Store.open(tmp_path / "w")
    assert doctor(store) == []
    record, other = store.current("t"), store.current("before")
    (store.root / "staging" / "left").mkdir()
    (store.root / "datasets" / "stray").mkdir()
    next(store.lineage_path(record).iterdir()).unlink()
    (store.rows_path(other).parent / "manifest.json").unlink()
    found = "\n".join(doctor(store))
    store.close()
    for words in ("staging/left", "datasets/stray", "edge.arrow cannot be read", "before@1: The dataset folder"):
        assert words in found


def test_a_dataset_whose_folder_is_gone_is_still_known_and_a_stray_folder_is_set_aside(tmp_path: Path) -> None:
    process = FORKS.Process(target=crashing.work, args=(tmp_path / "w", tmp_path / "log", "none"))
    process.start()
    process.join(30)
    (gone,) = (tmp_path / "w" / "datasets").glob(dataset_id(tmp_path, "t"))
    gone.rename(tmp_path / "elsewhere")
    (tmp_path / "w" / "datasets" / "stray").mkdir()
    store = Store.open(tmp_path / "w")
    with store.database.read() as connection:
        assert list(connection.scalars(select(tables.datasets.c.missing))) == [False, True]
    assert [record.name for record in store.datasets()] == ["before", "t"]
    assert (store.root / "quarantine" / "datasets" / "stray").is_dir()
    store.close()
    (tmp_path / "elsewhere").rename(gone)
    store = Store.open(tmp_path / "w")
    assert doctor(store) == []
    with store.database.read() as connection:
        assert list(connection.scalars(select(tables.datasets.c.missing))) == [False, False]
    store.close()


def dataset_id(tmp_path: Path, name: str) -> str:
    store = Store.open(tmp_path / "w")
    try:
        return store.current(name).id
    finally:
        store.close()
