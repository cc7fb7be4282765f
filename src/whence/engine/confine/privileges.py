"""Takes the rights of the system's administrator from a process, for good."""

from __future__ import annotations

import ctypes

_NO_NEW_PRIVS = 38
# Version 3 of the header that capset(2) takes.
_CAPABILITIES = 0x20080522


def give_up_privileges() -> None:
    """Drop all capabilities, so that a server that runs as root passes none on, and limits cannot be raised again."""
    library = ctypes.CDLL(None)
    library.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0)
    nothing = (ctypes.c_uint32 * 6)()
    library.capset(header, nothing)
