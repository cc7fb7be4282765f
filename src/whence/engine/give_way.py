"""Lowers the priority of the Java process, so that a server can answer requests while Spark computes."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

NICENESS = 10
"""The nice value of Spark: high enough that requests are answered at once. Alone on a machine it costs nothing."""

VARIABLE = "WHENCE_SPARK_NICENESS"
"""Environment variable with another nice value. With 0, Spark has the server's priority."""


def give_way(process: int) -> None:
    """Lower the priority of a process of ours; threads that it starts later inherit it."""
    tasks, niceness = Path(f"/proc/{process}/task"), int(os.environ.get(VARIABLE, NICENESS))
    for _ in range(2):  # a thread that came while the first round went on is met in the second
        # Where there is no /proc the number of a process stands for all its threads.
        for thread in [int(each.name) for each in tasks.iterdir()] if tasks.is_dir() else [process]:
            with contextlib.suppress(OSError):  # it may have ended
                os.setpriority(os.PRIO_PROCESS, thread, max(niceness, os.getpriority(os.PRIO_PROCESS, thread)))
