"""Chooses where tests make their workspaces: in memory, where there is plenty.

Each version of a dataset waits for the disk several times, so that a crash loses nothing. Tests make tens of thousands
of versions, and crash processes only, not the machine.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

PYTEST_ROOT = "PYTEST_DEBUG_TEMPROOT"
"""The variable that tells pytest where to make its temporary folders."""
IN_MEMORY = Path("/dev/shm")
FREE_FILES = 10 << 30
"""Bytes of files that must fit. Below 8 GB a workspace begins to save room, which tests do not expect."""
FREE_MEMORY = 12 << 30
"""Bytes that must be free: the files of all tests that run, and Java for each process."""


def scratch_environment(place: Path = IN_MEMORY, memory: Path = Path("/proc/meminfo")) -> dict[str, str]:
    """Return the environment for pytest, with its temporary folders in memory if that has room."""
    environment = dict(os.environ)
    if PYTEST_ROOT not in environment and _has_room(place) and _free_memory(memory) >= FREE_MEMORY:
        environment[PYTEST_ROOT] = str(place)
    return environment


def _has_room(place: Path) -> bool:
    is_ours = place.is_mount() and os.access(place, os.W_OK | os.X_OK)
    return is_ours and shutil.disk_usage(place).free >= FREE_FILES


def _free_memory(memory: Path) -> int:
    """Return the bytes that programs can still have; 0 if this system does not say."""
    try:
        found = re.search(r"^MemAvailable: +(\d+) kB$", memory.read_text(encoding="ascii"), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) << 10 if found else 0
