"""A process that computes yields to the one that answers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from whence.engine.give_way import NICENESS, VARIABLE, give_way

THREADS = """
import threading, time
started = threading.Thread(target=time.sleep, args=(60,), daemon=True)
started.start()
print("there", flush=True)
input()
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
print("again", flush=True)
input()
"""


def test_every_thread_of_the_process_yields_and_those_that_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with subprocess.Popen(
        [sys.executable, "-c", THREADS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        give_way(process.pid)
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        threads = [int(each.name) for each in Path(f"/proc/{process.pid}/task").iterdir()]
        assert len(threads) >= 2
        assert {os.getpriority(os.PRIO_PROCESS, thread) for thread in threads} == {max(NICENESS, os.nice(0))}
        process.kill()
