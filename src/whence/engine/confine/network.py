"""Moves the process into an empty network namespace, if the kernel allows it, and puts a door into it."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import sys
from pathlib import Path

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_SET_FLAGS, _UP = 0x8914, 0x1
"""SIOCSIFFLAGS, and IFF_UP: from netdevice(7)."""


def leave_network() -> bool:
    """Enter an empty network namespace and return True. Return False if the system does not allow it.

    A process that is not root needs a user namespace for it. Some systems let it enter one and then refuse to map its
    user, and there is no way back out, so a child tries first.
    """
    if sys.platform != "linux":
        return False
    if _unshare(_NEW_NETWORK):
        return True
    child = os.fork()
    if child == 0:
        os._exit(0 if _leave_as_user() else 1)
    return os.waitpid(child, 0)[1] == 0 and _leave_as_user()


def _leave_as_user() -> bool:
    """Enter a new network namespace, in a new user namespace that maps this user and group to themselves."""
    user, group = os.geteuid(), os.getegid()
    if not _unshare(_NEW_USER | _NEW_NETWORK):
        return False
    try:
        # Without privileges the kernel refuses a gid_map until setgroups is denied (user_namespaces(7)).
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    except OSError:
        return False
    return True


def _unshare(flags: int) -> bool:
    """Call unshare(2). Python has `os.unshare` only from 3.12 on."""
    return int(ctypes.CDLL(None, use_errno=True).unshare(flags)) == 0


def listen_within(port: int) -> socket.socket:
    """Bring up the loopback device of a new network namespace, and listen there on one port.

    The socket stays in this namespace, whoever accepts its connections.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))
    return socket.create_server(("127.0.0.1", port))
