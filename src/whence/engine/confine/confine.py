"""Puts the calling process into the sandbox, and reports which parts of it the system supports."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from dataclasses import asdict, dataclass

from whence.engine.confine.landlock import TCP_SINCE, AccessRules, landlock_abi, restrict
from whence.engine.confine.network import leave_network
from whence.engine.confine.privileges import give_up_privileges
from whence.engine.confine.seccomp import filter_calls

_PDEATHSIG = 1
_FILES_OPEN = 4096


@dataclass(frozen=True)
class Limits:
    """How much a worker process may use. `seconds` is the limit for the whole run, None for no limit."""

    memory: int
    file_bytes: int = 16 << 30
    processes: int = 64
    output_bytes: int = 5 << 20
    seconds: float | None = None


@dataclass(frozen=True)
class Level:
    """Which parts of the sandbox are active. Without Landlock only sizes are limited, and users are told so."""

    landlock: int
    seccomp: bool
    limits: bool
    network: bool
    """Whether TCP is closed except for the allowed ports."""

    def describe(self) -> str:
        """Return one sentence for users.

        >>> Level(0, False, True, False).describe()
        'This system has no Landlock: Python cells are limited in size, but may read files and use the network.'
        """
        if not self.landlock:
            return (
                "This system has no Landlock: Python cells are limited in size, but may read files and use the network."
            )
        network = "no network" if self.network else "network not limited"
        calls = "system calls filtered" if self.seccomp else "system calls not filtered"
        return f"Python cells are confined by Landlock (ABI {self.landlock}): own files only, {network}, {calls}."

    def to_json(self) -> dict[str, object]:
        """Return the fields as a message for the server."""
        return asdict(self)


def memory_for_cells() -> int:
    """Return the memory limit of Python cells: half of the machine, at least two gigabytes."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 4 << 30
    return max(2 << 30, total // 2)


def confine(allowed: AccessRules, limits: Limits, parent: int, abi: int | None = None) -> Level:
    """Confine this process to what is allowed. It must not have threads yet. It is killed when its parent ends.

    The order matters: the seccomp filter refuses `unshare`, which `leave_network` needs.
    """
    _limit(limits)
    if sys.platform != "linux":
        return Level(0, False, True, False)
    abi = landlock_abi() if abi is None else min(abi, landlock_abi())
    wants_tcp = allowed.connect is None or bool(allowed.connect)
    is_alone = not wants_tcp and leave_network()
    prctl = ctypes.CDLL(None, use_errno=True).prctl  # after leave_network: new credentials clear the signal
    prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)  # the parent died before the line above, so no signal will come
    give_up_privileges()
    if abi:
        restrict(allowed, abi)
    is_filtered = filter_calls(allow_tcp=wants_tcp, allow_processes=allowed.processes)
    is_closed = is_alone or (abi >= TCP_SINCE and allowed.connect is not None) or (is_filtered and not wants_tcp)
    return Level(abi, is_filtered, True, is_closed)


def _limit(limits: Limits) -> None:
    for kind, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_NOFILE, _FILES_OPEN),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):  # macOS refuses a limit on address space
            continue
