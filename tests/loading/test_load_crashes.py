from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from pathlib import Path

import pytest

from tests.loading import crashing
from whence.store import faults
from whence.store.doctor import doctor
from whence.store.store import Store

FORKS = multiprocessing.get_context("forkserver")
# Imported once, so that each killed process starts in milliseconds.
FORKS.set_forkserver_preload(["tests.store.crashing", "tests.loading.crashing"])

UNUSED = ("sync-array", "rename-lineage")  # a loaded dataset has no parents, so it has no array files
POINTS = [point for point in faults.POINTS if not point.endswith(UNUSED)]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "".join(f"{n},x\n" for n in range(1000)) + "oops,y,z\n")
    return path


def check(root: Path, log: Path, kills: int = 1) -> int:
    """Open the workspace again; all that was acknowledged is there, and at most one more for every kill."""
    store = Store.open(root)
    try:
        assert doctor(store) == []
        acknowledged = log.read_text().split() if log.exists() else []
        records = store.datasets()
        versions = [store.version("t", n + 1) for n in range(records[0].version)] if records else []
        assert set(acknowledged) <= {record.label for record in versions}
        assert len(versions) <= len(acknowledged) + kills
        for record in versions:
            assert store.read(record, 999, 1001)["a"].to_pylist() == [999, None]
            assert len(store.caveats(record)) == 2
        return len(versions)
    finally:
        store.close()


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_at_any_point_of_a_load_leaves_a_whole_workspace(tmp_path: Path, source: Path, point: str) -> None:
    root, log = tmp_path / "w", tmp_path / "log"
    process = FORKS.Process(target=crashing.load_once, args=(root, source, log, point))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL, "the point was never reached"
    check(root, log)


def kill_at_random(folder: Path, source: Path, kills: int) -> int:
    """Kill a loading process again and again over one workspace, and count the datasets that lasted."""
    root, log, dice = folder / "w", folder / "log", random.Random(7)
    lasted = 0
    for number in range(1, kills + 1):
        process = FORKS.Process(target=crashing.load_for_ever, args=(root, source, log))
        process.start()
        time.sleep(dice.uniform(0.05, 0.5))
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join(60)
        lasted = check(root, log, number)
    return lasted


@pytest.mark.long
def test_many_kills_at_random_moments_of_a_load_lose_nothing(tmp_path: Path, source: Path) -> None:
    assert kill_at_random(tmp_path, source, 200) > 0
