"""Confines the process that calls it, and says which walls now stand."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from dataclasses import asdict, dataclass

from whence.engine.confine.landlock import TCP_SINCE, AccessRules, landlock_abi, restrict
from whence.engine.confine.network import leave_network
from whence.engine.confine.seccomp import filter_calls

_PDEATHSIG, _NO_NEW_PRIVS = 1, 38
_CAPABILITIES = 0x20080522
_FILES_OPEN = 4096


@dataclass(frozen=True)
class Limits:
    """How much a worker may take; `seconds` is for the whole run, None for no end."""

    memory: int
    file_bytes: int = 16 << 30
    processes: int = 64
    output_bytes: int = 5 << 20
    seconds: float | None = None


@dataclass(frozen=True)
class Level:
    """Which walls stand. Without Landlock only sizes are limited, and users are told."""

    landlock: int
    seccomp: bool
    limits: bool
    network: bool
    """TCP is closed but for the ports allowed."""

    def describe(self) -> str:
        """One sentence for people.

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
        """As a message."""
        return asdict(self)


def memory_for_cells() -> int:
    """Half of the machine, at least two gigabytes."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 4 << 30
    return max(2 << 30, total // 2)


def confine(allowed: AccessRules, limits: Limits, parent: int, abi: int | None = None) -> Level:
    """Close everything but what is allowed, before the process has threads; it dies with its parent."""
    _limit(limits)
    if sys.platform != "linux":
        return Level(0, False, True, False)
    abi = landlock_abi() if abi is None else min(abi, landlock_abi())
    wants_tcp = allowed.connect is None or bool(allowed.connect)
    is_alone = not wants_tcp and leave_network()
    prctl = ctypes.CDLL(None, use_errno=True).prctl  # after that, as new rights undo the next line
    prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)  # it died before the line above
    give_up_privileges()
    if abi:
        restrict(allowed, abi)
    is_filtered = filter_calls(allow_tcp=wants_tcp)
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


def give_up_privileges() -> None:
    """A server that runs as root hands nothing of that on; without capabilities limits cannot be raised again."""
    library = ctypes.CDLL(None)
    library.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0)
    nothing = (ctypes.c_uint32 * 6)()
    library.capset(header, nothing)
