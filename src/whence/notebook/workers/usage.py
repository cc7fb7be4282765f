"""What a worker and all it started take at this moment, read from the kernel."""

from __future__ import annotations

import os
from dataclasses import dataclass

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_GROUP, _RESIDENT = 2, 21
"""Fields of /proc/PID/stat, counted after the name of the program, which may hold anything."""


@dataclass(frozen=True)
class Usage:
    """How many processes, and how many bytes of memory they hold."""

    processes: int
    memory: int


def usage_of(group: int) -> Usage | None:
    """The use of a process group; None where the kernel does not tell."""
    try:
        numbers = [each for each in os.listdir("/proc") if each.isdigit()]
    except OSError:
        return None
    processes = memory = 0
    for number in numbers:
        try:
            with open(f"/proc/{number}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        if int(fields[_GROUP]) == group:
            processes += 1
            memory += int(fields[_RESIDENT]) * _PAGE
    return Usage(processes, memory)
