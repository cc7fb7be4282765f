"""Installs the seccomp filter of system calls in the calling process, for good."""

from __future__ import annotations

import ctypes
import platform
import struct
import sys
from collections.abc import Iterable

from whence.engine.confine.call_rules import ALLOWED, AT_LEAST, EQUAL, LOAD, CallRule, Instruction, call_rules, refuse

_PR_SET_SECCOMP, _FILTER_MODE = 22, 2
_NUMBER, _ARCH = 0, 4
"""Offsets of the call's number and the architecture in what the kernel gives the filter."""
_X32 = 0x40000000
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""By machine: the index in `Numbers`, and the kernel's number of the architecture."""


def filter_calls(*, allow_tcp: bool, allow_processes: bool = True) -> bool:
    """Install the filter. Return False if this machine has none. `no_new_privs` must be set before."""
    machine = _MACHINES.get(platform.machine()) if sys.platform == "linux" else None
    if machine is None:
        return False
    rules = call_rules(machine[0], allow_tcp=allow_tcp, allow_processes=allow_processes)
    code = b"".join(struct.pack("HBBI", *each) for each in _program(machine[1], rules))
    lines = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(lines))
    return int(ctypes.CDLL(None).prctl(_PR_SET_SECCOMP, _FILTER_MODE, program, 0, 0)) == 0


def _program(arch: int, rules: Iterable[CallRule]) -> list[Instruction]:
    """Return the filter: it refuses calls of another architecture, then tries each rule, and allows the rest."""
    lines: list[Instruction] = [
        (LOAD, 0, 0, _ARCH),
        (EQUAL, 1, 0, arch),
        refuse(),
        (LOAD, 0, 0, _NUMBER),
        (AT_LEAST, 0, 1, _X32),
        refuse(),
    ]
    for rule in rules:
        lines += rule.lines()
    return [*lines, ALLOWED]
