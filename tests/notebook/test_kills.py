"""Kills while a notebook is edited and run: no acknowledged edit is lost, nothing is half there, each phase is hit."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.notebook import killing
from tests.notebook.schedule.fakes import Desk
from tests.notebook.schedule.test_random_notebooks import Clean
from whence.store import faults, tables
from whence.store.doctor import doctor

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.notebook.killing"])

RESULT_ACTIONS = ("commit-run", "sync-part", "rename-part", "sync-manifest", "rename-dataset", "commit-dataset")
POINTS = faults.points((*RESULT_ACTIONS, *faults.EDIT_ACTIONS, *faults.CELL_ACTIONS))


def lines(log: Path) -> list[list[str]]:
    return [line.split() for line in log.read_text().splitlines()] if log.exists() else []


def check(root: Path, log: Path) -> None:
    """Open again: every acknowledged edit is there once, the folder is whole, and the notebook runs on to the end."""
    acknowledged = {line[2]: int(line[3]) for line in lines(log) if line[:2] == ["done", "edit"]}
    begun = {line[2] for line in lines(log) if line[:2] == ["begin", "edit"]}
    started = time.monotonic()
    desk = Desk(root)
    assert time.monotonic() - started < 5
    assert doctor(desk.store) == []
    with desk.store.database.read() as connection:
        columns = tables.notebook_versions.c
        found = dict(connection.execute(select(columns.command_id, columns.version)).all())
        running = connection.scalars(select(tables.cell_runs.c.id).where(tables.cell_runs.c.state == "running")).all()
    assert acknowledged.items() <= found.items()
    assert set(found) <= begun
    assert sorted(found.values()) == list(range(1, len(found) + 1))
    assert running == []
    assert not desk.calc.ran, "opening runs nothing"
    desk.runner.request([cell for cell, state in desk.runner.states().items() if state.is_needed])
    desk.wait()
    values, statuses = Clean().run(desk)
    assert desk.values() == values
    assert {cell: state.status for cell, state in desk.runner.states().items()} == statuses
    for name, value in values.items():
        if desk.runner._survey.board.artifacts()[name].kind == "dataset":
            assert desk.store.read(desk.store.current(name), 0, 1).to_pylist() == [{"v": value}]
    desk.close()


def killed_at_random(root: Path, log: Path, seed: int) -> str:
    """Let it work a while, kill it, and say in which phase it was."""
    before = len(lines(log))
    process = FORKS.Process(target=killing.work, args=(root, log, seed))
    process.start()
    while len(lines(log)) <= before + 2:
        assert process.is_alive()
        time.sleep(0.005)
    time.sleep(random.Random(seed).random() * 0.4)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join(30)
    what, phase, *_ = lines(log)[-1]
    return phase if what == "begin" else f"after {phase}"


def kill_often(root: Path, log: Path, seeds: range) -> Counter[str]:
    phases: Counter[str] = Counter()
    for seed in seeds:
        phases[killed_at_random(root, log, seed)] += 1
        check(root, log)
    return phases


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_at_a_named_moment_loses_nothing(tmp_path: Path, point: str) -> None:
    root, log = tmp_path / "w.whence", tmp_path / "log"
    process = FORKS.Process(target=killing.work, args=(root, log, 7, point))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL, "the point was never reached"
    check(root, log)


def test_kills_at_random_moments_lose_nothing(tmp_path: Path, kills: Counter[str]) -> None:
    phases = kill_often(tmp_path / "w.whence", tmp_path / "log", range(4))
    for seed in range(4, 20):  # a kill may come while nothing runs
        if phases["run"]:
            break
        phases += kill_often(tmp_path / "w.whence", tmp_path / "log", range(seed, seed + 1))
    kills.update(phases)
    assert phases["run"] > 0


@pytest.mark.long
def test_two_hundred_kills_at_random_moments_lose_nothing(tmp_path: Path, kills: Counter[str]) -> None:
    phases = kill_often(tmp_path / "w.whence", tmp_path / "log", range(1000, 1200))
    kills.update(phases)
    assert {"run", "edit"} <= set(phases)
