"""Which system calls a process gives up: leaving its process group, looking into others, sockets it has no use for.

Landlock knows TCP alone, so other kinds of socket are closed here; and a process that cannot leave its group is reached
by one signal to the group, together with everything it started.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys
from dataclasses import dataclass

_PR_SET_SECCOMP, _FILTER_MODE = 22, 2
_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _ARCH, _FIRST, _SECOND = 0, 4, 16, 24
"""Where the kernel puts the call's number, the architecture, and the low words of its first two arguments."""
_INET, _INET6, _STREAM, _KIND = 2, 10, 1, 0xF
_X32 = 0x40000000


@dataclass(frozen=True)
class _Machine:
    arch: int
    socket: int
    refused_calls: tuple[int, ...]


_REFUSED = {  # by name: the number on x86_64 and on aarch64
    "setsid": (112, 157),
    "setpgid": (109, 154),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "io_uring_setup": (425, 425),  # its requests would pass this filter by
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "open_by_handle_at": (304, 265),
}
_MACHINES = {
    "x86_64": _Machine(0xC000003E, 41, tuple(number for number, _ in _REFUSED.values())),
    "aarch64": _Machine(0xC00000B7, 198, tuple(number for _, number in _REFUSED.values())),
}

Instruction = tuple[int, int, int, int]


def filter_calls(*, allow_tcp: bool) -> bool:
    """Give the calls up, for good; False where this machine has no filter. `no_new_privs` must be set before."""
    machine = _MACHINES.get(platform.machine()) if sys.platform == "linux" else None
    if machine is None:
        return False
    code = b"".join(struct.pack("HBBI", *each) for each in _program(machine, allow_tcp=allow_tcp))
    lines = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(lines))
    return int(ctypes.CDLL(None).prctl(_PR_SET_SECCOMP, _FILTER_MODE, program, 0, 0)) == 0


def _program(machine: _Machine, *, allow_tcp: bool) -> list[Instruction]:
    refuse, allow = (_RETURN, 0, 0, _ERRNO | errno.EPERM), (_RETURN, 0, 0, _ALLOW)
    lines: list[Instruction] = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, machine.arch),
        refuse,
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        refuse,
    ]
    for number in machine.refused_calls:
        lines += [(_EQUAL, 0, 1, number), refuse]
    lines += [(_EQUAL, 1, 0, machine.socket), allow]
    denied = (_RETURN, 0, 0, _ERRNO | errno.EACCES)
    if allow_tcp:
        lines += [
            (_LOAD, 0, 0, _FIRST),
            (_EQUAL, 2, 0, _INET),
            (_EQUAL, 1, 0, _INET6),
            denied,
            (_LOAD, 0, 0, _SECOND),
            (_AND, 0, 0, _KIND),
            (_EQUAL, 0, 1, _STREAM),
            allow,
        ]
    return [*lines, denied]
