"""Counts the processes and the memory of a worker and everything it started, from /proc."""

from __future__ import annotations

import os
from dataclasses import dataclass

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_GROUP, _RESIDENT = 2, 21
"""Fields of /proc/PID/stat, counted after the program's name, which may itself hold blanks and brackets."""


@dataclass(frozen=True)
class Usage:
    """The number of processes, and the bytes of memory they hold."""

    processes: int
    memory: int


def usage_of(group: int) -> Usage | None:
    """Return what a process group uses; None on a system without /proc."""
    try:
        numbers = [each for each in os.listdir("/proc") if each.isdigit()]
    except OSError:
        return None
    processes = memory = 0
    for number in numbers:
        try:
            with open(f"/proc/{number}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:  # the process ended meanwhile
            continue
        if int(fields[_GROUP]) == group:
            processes += 1
            memory += int(fields[_RESIDENT]) * _PAGE
    return Usage(processes, memory)
