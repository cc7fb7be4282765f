"""The pool leaves neither processes nor folders of workers that died, did not start, or came too late."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from whence.engine.confine.confine import Limits
from whence.notebook.workers import pool as pool_module
from whence.notebook.workers import process
from whence.notebook.workers.pool import Pool
from whence.notebook.workers.process import Worker, WorkerLost


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[Pool]:
    pool = Pool(tmp_path, Limits(3 << 30), kept=0)
    yield pool
    pool.close()


def test_a_worker_that_died_while_it_waited_leaves_no_folder(pool: Pool, tmp_path: Path) -> None:
    dead = pool.take()
    os.kill(dead.pid, signal.SIGKILL)
    assert dead.wait(30) is not None
    pool._idle.append(dead)
    taken = pool.take()
    assert [path.name for path in tmp_path.iterdir()] == [taken.folder.name]
    taken.kill()
    taken.remove_files()


def test_a_worker_that_does_not_start_leaves_no_folder(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_START", "raise SystemExit('no such luck')")
    with pytest.raises(WorkerLost, match="no such luck"):
        pool.take()
    pool._add()
    assert list(tmp_path.iterdir()) == []
    pool._kept = 1
    pool._add()
    assert (list(tmp_path.iterdir()), pool.waiting) == ([], 0)


def test_a_worker_taken_from_a_pool_that_closes_is_ended(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = pool.take()
    pool._idle.append(waiting)

    def closing_next(self: Pool) -> Worker | None:
        worker = take_next(self)
        self.close()
        return worker

    take_next = pool_module.Pool._next
    monkeypatch.setattr(Pool, "_next", closing_next)
    with pytest.raises(WorkerLost, match="is closed"):
        pool.take()
    assert (waiting.is_alive, list(tmp_path.iterdir())) == (False, [])
