"""Lets a server answer while Spark computes: the Java process yields the cores to it, and takes whatever is left."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

NICENESS = 10
"""Enough that a question is answered at once; a process that is alone on the machine loses nothing by it."""

VARIABLE = "WHENCE_SPARK_NICENESS"
"""In the environment: another number; with 0 Spark is as important as the server."""


def give_way(process: int) -> None:
    """Lower the priority of a process of ours; threads that it starts later inherit it."""
    tasks, niceness = Path(f"/proc/{process}/task"), int(os.environ.get(VARIABLE, NICENESS))
    for _ in range(2):  # a thread that came while the first round went on is met in the second
        # Where there is no /proc the number of a process stands for all its threads.
        for thread in [int(each.name) for each in tasks.iterdir()] if tasks.is_dir() else [process]:
            with contextlib.suppress(OSError):  # it may have ended
                os.setpriority(os.PRIO_PROCESS, thread, max(niceness, os.getpriority(os.PRIO_PROCESS, thread)))
