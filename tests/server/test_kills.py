"""Kills of the server while it is edited: no acknowledged edit is lost, none is made twice, and it is soon back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

import pytest

from tests.server import killing
from tests.server.killing import PHASES, NoAnswer, Script
from whence.store import faults
from whence.store.doctor import doctor
from whence.store.store import Store

ROOT = Path(__file__).parent.parent.parent

SCRIPT_ACTIONS = {
    "edit": ("commit-notebook", "commit-edit"),
    "sheet": faults.SHEET_ACTIONS,
    "apply": ("commit-edit", "commit-cell-run", "sync-part", "rename-dataset", "commit-dataset", "commit-cell-result"),
    "upload": faults.UPLOAD_ACTIONS,
    "load": ("commit-run", "commit-source", "sync-manifest", "commit-dataset", "commit-cell-result"),
}
POINTS = [(phase, point) for phase, actions in SCRIPT_ACTIONS.items() for point in faults.points(actions)]
SOME = [("edit", "before-commit-edit"), ("edit", "after-commit-edit"), ("sheet", "before-sync-sheet"),
        ("sheet", "after-sync-sheet"), ("apply", "after-commit-edit"), ("apply", "before-rename-dataset"),
        ("upload", "after-rename-upload"), ("load", "after-commit-dataset")]  # fmt: skip


class Nursery:
    """Starts servers quickly."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.server.killing"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)

    def ask(self, **order: object) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order, default=str) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    started = Nursery()
    yield started
    assert started.process.stdin is not None
    assert started.process.stdout is not None
    started.process.stdin.close()
    started.process.wait(20)
    started.process.stdout.close()


class Killed:
    """One workspace whose server is killed again and again, and the script that goes on with it each time."""

    def __init__(self, nursery: Nursery, folder: Path, seed: int) -> None:
        self.root, self._address = folder / "w.whence", folder / "address"
        self._nursery = nursery
        self.pid = 0
        self.script = Script(self.root, seed)
        killing.prepare(self.root)

    def start(self, point: str = "") -> None:
        self._address.unlink(missing_ok=True)
        self.pid = self._nursery.ask(root=self.root, address=self._address, point=point)
        started = time.monotonic()
        while not self._address.exists():
            assert time.monotonic() - started < 30, "the server did not come back"
            time.sleep(0.005)
        self.script.connect(self._address.read_text())

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def ended(self) -> int:
        """How it ended."""
        pid, self.pid = self.pid, 0
        return self._nursery.ask(wait=pid)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.pid:
            self.kill()
            self.ended()

    def check(self) -> None:
        """The folder is whole, and a server on it shows what was acknowledged."""
        store = Store.open(self.root)
        assert doctor(store) == []
        store.close()
        self.start()
        self.script.check()


def killed_at_random(killed: Killed, number: int) -> str:
    """Kill during a thing of a chosen kind, at a random moment of it; says what it met."""
    script, target = killed.script, PHASES[number % len(PHASES)]
    for _ in range(script.dice.randrange(3)):
        script.step(script.dice.choice(PHASES))
    delay = script.dice.random() * 1.1 * script.took.get(target, 0.2)
    timer = threading.Timer(delay, killed.kill)
    timer.start()
    with pytest.raises(NoAnswer):
        script.until_cut(target)
    met = script.phase
    timer.join()
    assert killed.ended() == -signal.SIGKILL
    killed.check()
    return met


def kill_often(nursery: Nursery, folder: Path, seed: int, kills: int) -> Counter[str]:
    with Killed(nursery, folder, seed) as killed:
        killed.start()
        return Counter(killed_at_random(killed, number) for number in range(kills))


def kill_at(nursery: Nursery, folder: Path, points: list[tuple[str, str]]) -> None:
    with Killed(nursery, folder, 7) as killed:
        for phase, point in points:
            killed.start(point)
            with pytest.raises(NoAnswer):
                killed.script.until_cut(phase)
            assert killed.ended() == -signal.SIGKILL, point
            killed.check()
            killed.kill()
            killed.ended()


def test_a_kill_at_a_named_moment_loses_nothing(nursery: Nursery, tmp_path: Path) -> None:
    kill_at(nursery, tmp_path, SOME)


@pytest.mark.long
def test_a_kill_of_the_server_at_every_named_moment_loses_nothing(nursery: Nursery, tmp_path: Path) -> None:
    kill_at(nursery, tmp_path, POINTS)


def test_kills_at_random_moments_lose_nothing(nursery: Nursery, tmp_path: Path) -> None:
    phases = kill_often(nursery, tmp_path, 20, 10)
    assert set(phases) - {"between"} == set(PHASES)


@pytest.mark.long
def test_two_hundred_kills_of_the_server_lose_nothing(
    nursery: Nursery, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    phases: Counter[str] = Counter()
    for seed in range(4):
        folder = tmp_path / str(seed)
        folder.mkdir()
        phases += kill_often(nursery, folder, seed, 50)
    record_property("kills by phase", dict(phases))
    print("kills by phase:", dict(phases))  # noqa: T201 - a figure for the report of the run
    assert phases.total() == 200
    assert all(phases[phase] > 0 for phase in PHASES)
