"""Java and every Python worker end with the process that started them, even if it is killed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from whence.engine.confine.landlock import landlock_abi

pytestmark = pytest.mark.spark

ROOT = Path(__file__).parent.parent.parent
GONE_AFTER = 10.0
BUSY = """
import os, sys, threading, time
import whence
with whence.open(sys.argv[1], profile=sys.argv[2]) as ws:
    ws.create("t", [(1,)], schema="x int")
    ws.sql("select x + 1 as y from t", name="u")
    if sys.argv[2] == "library":
        # In Spark's Python workers, too, something runs that does not end by itself.
        slow = ws.spark.range(2).rdd.map(lambda _: time.sleep(600))
        threading.Thread(target=slow.collect, daemon=True).start()
    else:
        notebook = ws.notebook("n")
        notebook.append("python", "import time; time.sleep(600)")
        notebook.run()
    if (child := os.fork()) == 0:  # a process that holds the other end of Java's standard input
        time.sleep(600)
    time.sleep(5)
    print(child, flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize(
    "profile",
    [
        "library",
        pytest.param("server", marks=pytest.mark.long),
        pytest.param(
            "confined", marks=[pytest.mark.long, pytest.mark.skipif(not landlock_abi(), reason="no Landlock")]
        ),
    ],
)
def test_killing_python_ends_java_and_the_workers(profile: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", BUSY, str(tmp_path / "ws"), profile]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        forked = psutil.Process(int(process.stdout.readline()))
        started = [each for each in psutil.Process(process.pid).children(recursive=True) if each != forked]
        try:
            assert any("java" in each.name() for each in started)
            assert any("python" in each.name() for each in started)
            process.kill()
            process.wait()
            assert _living_after(GONE_AFTER, started) == []
        finally:
            for each in (forked, *_living(started)):
                each.kill()


def _living_after(seconds: float, processes: Sequence[psutil.Process]) -> list[str]:
    end = time.monotonic() + seconds
    while _living(processes) and time.monotonic() < end:
        time.sleep(0.1)
    return [each.name() for each in _living(processes)]


def _living(processes: Sequence[psutil.Process]) -> list[psutil.Process]:
    """Those that run; one that ended may wait for the system to collect it."""
    return [each for each in processes if each.is_running() and _status(each) != psutil.STATUS_ZOMBIE]


def _status(process: psutil.Process) -> str:
    try:
        return str(process.status())
    except psutil.NoSuchProcess:
        return str(psutil.STATUS_ZOMBIE)
