"""Landlock, a sandbox of the Linux kernel: a process gives up files and ports, for itself and its children, for good.

The kernel says which rules it knows (its ABI version). Rules that it does not know are left out.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys
from collections.abc import Iterable
from typing import NamedTuple

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""System call numbers, the same on every architecture."""
_ASK_VERSION = 1
_BENEATH, _PORT = 1, 2

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL = 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_KNOWN_SINCE = {1: (1 << 13) - 1, 2: 1 << 13, 3: _TRUNCATE, 5: _IOCTL}
"""The file rights that each ABI added: 1 all up to making symbolic links, 2 moving, 3 truncating, 5 device ioctl."""
_BIND, _CONNECT = 1 << 0, 1 << 1
_ABSTRACT_SOCKETS, _SIGNALS = 1 << 0, 1 << 1

TCP_SINCE, SIGNALS_SINCE = 4, 6


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("ports", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _PortRule(ctypes.Structure):
    _fields_ = (("allowed", ctypes.c_uint64), ("port", ctypes.c_uint64))


class AccessRules(NamedTuple):  # importing dataclasses takes longer than all the rest, at every start of Spark
    """What a confined process may still use. Paths that do not exist are skipped."""

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    connect: tuple[int, ...] | None = ()
    """TCP ports that it may connect to; None does not limit the network."""
    bind: bool = False
    """Whether it may listen."""
    processes: bool = True
    """Whether it may start processes. Threads it may always start."""


def landlock_abi() -> int:
    """Return the version of Landlock that this kernel has; 0 for none."""
    if sys.platform != "linux":
        return 0
    return max(0, _call(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION)))


def restrict(allowed: AccessRules, abi: int) -> None:
    """Give up everything but what is allowed, for good. Threads that exist already would stay unconfined."""
    files = 0
    for since, rights in _KNOWN_SINCE.items():
        files |= rights if abi >= since else 0
    is_networked = abi >= TCP_SINCE and allowed.connect is not None
    ports = (_CONNECT | (0 if allowed.bind else _BIND)) if is_networked else 0
    scoped = _ABSTRACT_SOCKETS | _SIGNALS if abi >= SIGNALS_SINCE else 0
    # The size of the struct in this ABI: ports came with version 4, scopes with version 6.
    size = 24 if abi >= SIGNALS_SINCE else 16 if abi >= TCP_SINCE else 8
    ruleset = _Ruleset(files, ports, scoped)
    number = _check_result(_call(_CREATE, ctypes.byref(ruleset), ctypes.c_size_t(size), ctypes.c_uint32(0)))
    try:
        _allow_beneath(number, allowed.read, _READ & files)
        _allow_beneath(number, allowed.write, files & ~_IOCTL)
        for port in allowed.connect or () if is_networked else ():
            rule = _PortRule(_CONNECT, port)
            _check_result(
                _call(_ADD, ctypes.c_int(number), ctypes.c_int(_PORT), ctypes.byref(rule), ctypes.c_uint32(0))
            )
        _check_result(_call(_RESTRICT, ctypes.c_int(number), ctypes.c_uint32(0)))
    finally:
        os.close(number)


def _allow_beneath(ruleset: int, paths: Iterable[str], rights: int) -> None:
    for path in paths:
        try:
            parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:  # what is not there needs no right, and what cannot be opened stays closed
            continue
        try:
            is_folder = stat.S_ISDIR(os.fstat(parent).st_mode)
            rule = _PathRule(rights if is_folder else rights & _OF_FILES, parent)
            _check_result(
                _call(_ADD, ctypes.c_int(ruleset), ctypes.c_int(_BENEATH), ctypes.byref(rule), ctypes.c_uint32(0))
            )
        finally:
            os.close(parent)


def _call(number: int, *args: object) -> int:
    return int(ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *args))


def _check_result(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"Landlock: {os.strerror(number)}")
    return result
