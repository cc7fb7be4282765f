"""How long one action takes by the clock, and how much time processors spend."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path


def milliseconds(action: Callable[[], object]) -> float:
    """Run an action once, and return the milliseconds that it takes."""
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


def cpu_seconds() -> float:
    """Return what this process and all that it started have spent: Spark's Java, and the Python of its tasks."""
    parents: dict[int, int] = {}
    spent: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it ended while we looked
            continue
        pid = int(stat.parent.name)
        parents[pid], spent[pid] = int(fields[1]), sum(int(each) for each in fields[11:15])
    family = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(spent.get(pid, 0) for pid in family) / os.sysconf("SC_CLK_TCK")
