"""Kills during load, create, sql and forget: nothing acknowledged is lost, nothing is half there, each phase is hit."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests.store import killing
from whence.store import faults
from whence.store.doctor import doctor
from whence.store.store import Store

pytestmark = pytest.mark.spark

FORKS = multiprocessing.get_context("forkserver")
# Imported once, so that each killed process starts in milliseconds.
FORKS.set_forkserver_preload(["tests.store.crashing", "tests.loading.crashing", "tests.store.killing"])

PLAIN = ("load", "create", "forget")
ALL = (*PLAIN, "sql")
PAUSE = {"load": 0.06, "create": 0.03, "forget": 0.05, "sql": 0.5}
"""About as long as each takes: kills come at random moments of that time."""

# What a query passes on its way: it reads no file from outside, and raises no caveat of its own here.
SQL_POINTS = [
    point for point in faults.POINTS if not point.endswith(("source", "sync-caveats")) and point != "before-commit-run"
]

Plan = Sequence[tuple[str, tuple[str, ...]]]
"""For each round, the phase to kill in and the phases that run."""


class Log:
    """What the killed processes said, in order."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def lines(self) -> list[list[str]]:
        return [line.split() for line in self.path.read_text().splitlines()] if self.path.exists() else []

    def wait_for(self, phase: str, process: BaseProcess, already: int) -> None:
        """Until one more of this phase has begun."""
        deadline = time.monotonic() + 120
        while sum(line[:2] == ["begin", phase] for line in self.lines) <= already:
            assert process.is_alive(), "the process ended by itself"
            assert time.monotonic() < deadline, f"{phase} never began"
            time.sleep(0.005)

    def began(self, phase: str) -> int:
        return sum(line[:2] == ["begin", phase] for line in self.lines)

    @property
    def cut_off(self) -> str:
        """The phase that was under way at the end; empty if none was."""
        if not self.lines or self.lines[-1][0] == "done":
            return ""
        return self.lines[-1][1]


def check(root: Path, log: Log) -> None:
    """Open again: what was acknowledged is there, what was forgotten is not, and everything that is there is whole."""
    there, gone, open_ends = set[str](), set[str](), set[str]()
    for what, phase, name in log.lines:
        if phase == "forget":
            there.discard(name)
            (gone if what == "done" else open_ends).add(name)
        elif what == "done":
            there.add(name)
        else:
            open_ends.add(name)
    store = Store.open(root)
    try:
        assert doctor(store) == []
        records = {record.name: record for record in store.datasets() if record.name[0] in "lcs"}
        assert there <= set(records)
        assert not gone & set(records)
        assert set(records) <= there | open_ends
        for name, record in records.items():
            rows = store.read(record, 0, record.rows)
            assert record.rows == killing.ROWS, name
            assert sorted(row for row in rows["a"].to_pylist() if row is not None)[-1] >= killing.ROWS - 2
            assert set(rows["b"].to_pylist()) == {name[1:]}
    finally:
        store.close()


def kill_in(phase: str, phases: tuple[str, ...], root: Path, log: Log, seed: int) -> str:
    """Start over the same workspace, kill at a random moment of a phase; which phase it was in truth."""
    process = FORKS.Process(target=killing.work, args=(root, log.path, phases, seed))
    already = log.began(phase)
    process.start()
    log.wait_for(phase, process, already)
    time.sleep(random.Random(seed).uniform(0, PAUSE[phase]))
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join(60)
    return log.cut_off


def rounds(folder: Path, plan: Plan, first_seed: int = 0) -> Counter[str]:
    """Kill by the plan, check after every kill, and count the kills of each phase."""
    root, log, hit = folder / "w", Log(folder / "log"), Counter[str]()
    for seed, (phase, phases) in enumerate(plan, first_seed):
        hit[kill_in(phase, phases, root, log, seed) or "between"] += 1
        check(root, log)
    return hit


def test_a_kill_in_each_phase_loses_nothing(tmp_path: Path, kills: Counter[str]) -> None:
    plan: Plan = [*((PLAIN[n % 3], PLAIN) for n in range(3)), ("sql", ALL)]  # each start of Spark takes its time
    hit = rounds(tmp_path, plan)
    for seed in range(len(plan), 30):  # a kill may come too late for the phase it is meant for
        missed = next((phase for phase in ALL if not hit[phase]), None)
        if missed is None:
            break
        hit += rounds(tmp_path, [(missed, ALL if missed == "sql" else PLAIN)], seed)
    kills.update(hit)
    assert all(hit[phase] > 0 for phase in ALL), hit


@pytest.mark.long
def test_two_hundred_kills_lose_nothing(tmp_path: Path, kills: Counter[str]) -> None:
    plan: Plan = [*((PLAIN[n % 3], PLAIN) for n in range(165)), *[("sql", ALL)] * 35]
    hit = rounds(tmp_path, plan)
    kills.update(hit)
    assert sum(hit.values()) == 200
    assert all(hit[phase] > 0 for phase in ALL), hit


@pytest.mark.long
@pytest.mark.parametrize("point", SQL_POINTS)
def test_kills_at_any_point_of_a_query_lose_nothing(tmp_path: Path, point: str) -> None:
    root, log = tmp_path / "w", Log(tmp_path / "log")
    process = FORKS.Process(target=killing.work, args=(root, log.path, ("sql", "create"), 1, point))
    killing_first = FORKS.Process(target=killing.work, args=(root, log.path, ("create",), 0, "after-commit-dataset"))
    for each in (killing_first, process):
        each.start()
        each.join(120)
        assert each.exitcode == -signal.SIGKILL, "the point was never reached"
    assert log.cut_off in ("sql", "create")
    check(root, log)
