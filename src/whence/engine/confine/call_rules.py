"""The system calls that a confined process may not make, by name and number, and what they return instead.

Landlock covers paths and TCP ports. These rules close what it leaves open: other protocols, modes and times of files
elsewhere, namespaces, limits and priorities of other processes, and memory that no limit counts.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from dataclasses import dataclass

Instruction = tuple[int, int, int, int]
"""One instruction of a seccomp filter: code, jump if true, jump if false, value."""

LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
ALLOWED: Instruction = (RETURN, 0, 0, _ALLOW)

Numbers = tuple[int | None, int | None]
"""The number of a call on x86_64 and on aarch64; None where the machine has no such call."""

_REFUSED: dict[str, Numbers] = {
    # leaving the process group, which one signal ends with all that belongs to it
    "setsid": (112, 157),
    "setpgid": (109, 154),
    # looking into other processes, and moving their memory
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # the kernel's own
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "io_uring_setup": (425, 425),  # its requests would pass this filter by
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    # another view of the machine
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_by_handle_at": (304, 265),
    # owners and flags of files, and news of what others do with theirs
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "file_setattr": (469, 469),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    # memory that outlives the process, or that its limit does not count
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "semctl": (66, 191),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # waiting for connections; Landlock's rule is about `bind`, and `listen` alone opens a port, too
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
}
_WITHOUT_EFFECT: dict[str, Numbers] = {
    # `shutil.copy` sets them on its own copies, so an error would break cells that harm no file of others
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
}
_UNSUPPORTED: dict[str, Numbers] = {  # as on a file system without extended attributes, which programs expect
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
}
_OF_THE_CALLER: dict[str, tuple[Numbers, int]] = {  # calls that name a process, and which argument does
    "prlimit64": ((302, 261), 0),
    "sched_setaffinity": ((203, 122), 0),
    "sched_setscheduler": ((144, 119), 0),
    "sched_setparam": ((142, 118), 0),
    "sched_setattr": ((314, 274), 0),
}
_PRIORITIES: dict[str, Numbers] = {"setpriority": (141, 140), "ioprio_set": (251, 30)}
_PRIORITY_KINDS = {"setpriority": 0, "ioprio_set": 1}
"""The value of the first argument that says that the second names one process, and not a group or a user."""
_SENDING: dict[str, tuple[Numbers, int]] = {  # and which argument holds the flags
    "sendto": ((44, 206), 3),
    "sendmsg": ((46, 211), 2),
    "sendmmsg": ((307, 269), 3),
}
_FAST_OPEN = 0x20000000
"""MSG_FASTOPEN: sending with this flag connects without the `connect` call, where Landlock checks."""
_FORKS: dict[str, Numbers] = {"fork": (57, None), "vfork": (58, None)}
_CLONE: Numbers = (56, 220)
_THREAD = 0x10000
"""CLONE_THREAD: `clone` with this flag starts a thread, and without it a process."""
_CLONE3: Numbers = (435, 435)
_NAMESPACES = 0x7E020000
"""The flags of `clone` that make a namespace: user, mount, process, network, IPC, names, control groups."""
_SOCKET: Numbers = (41, 198)
_INET, _INET6, _STREAM, _KIND, _TCP = 2, 10, 1, 0xF, 6


@dataclass(frozen=True)
class CallRule:
    """The instructions for one system call. Every path through them ends in a decision."""

    number: int
    body: tuple[Instruction, ...]

    def lines(self) -> Iterator[Instruction]:
        """Yield the instructions, after one that skips them for every other call."""
        yield EQUAL, 0, len(self.body), self.number
        yield from self.body


def call_rules(machine: int, *, allow_tcp: bool, allow_processes: bool = True) -> list[CallRule]:
    """Return the rules of a machine: 0 for x86_64, 1 for aarch64."""
    bodies: list[tuple[Numbers, tuple[Instruction, ...]]] = []
    bodies += [(numbers, (_fail(errno.EPERM),)) for numbers in _REFUSED.values()]
    bodies += [(numbers, (_fail(0),)) for numbers in _WITHOUT_EFFECT.values()]
    bodies += [(numbers, (_fail(errno.ENOTSUP),)) for numbers in _UNSUPPORTED.values()]
    bodies += [(numbers, _allow_if_equal((argument, 0))) for numbers, argument in _OF_THE_CALLER.values()]
    bodies += [(_PRIORITIES[name], _allow_if_equal((0, kind), (1, 0))) for name, kind in _PRIORITY_KINDS.items()]
    bodies += [(numbers, _refuse_flags(argument, _FAST_OPEN)) for numbers, argument in _SENDING.values()]
    bodies += [(numbers, (_fail(errno.EPERM),)) for numbers in _FORKS.values() if not allow_processes]
    bodies.append((_CLONE, _refuse_flags(0, _NAMESPACES) if allow_processes else _threads_alone()))
    bodies.append((_CLONE3, (_fail(errno.ENOSYS),)))  # its flags lie in memory; without it, glibc takes `clone`
    bodies.append((_SOCKET, _tcp_alone() if allow_tcp else (_fail(errno.EACCES),)))
    return [CallRule(number, body) for numbers, body in bodies if (number := numbers[machine]) is not None]


def refuse() -> Instruction:
    """Return the instruction that refuses a call with EPERM."""
    return _fail(errno.EPERM)


def _fail(number: int) -> Instruction:
    """Return the instruction that skips the call and returns this error; 0 pretends that it succeeded."""
    return RETURN, 0, 0, _ERRNO | number


def _argument(position: int) -> Instruction:
    """Return the instruction that loads the low 32 bits of an argument."""
    return LOAD, 0, 0, 16 + 8 * position


def _allow_if_equal(*wanted: tuple[int, int]) -> tuple[Instruction, ...]:
    """Return instructions that allow a call only if these arguments have these values."""
    lines: list[Instruction] = []
    for position, value in wanted:
        lines += [_argument(position), (EQUAL, 1, 0, value), _fail(errno.EPERM)]
    return (*lines, ALLOWED)


def _refuse_flags(position: int, flags: int) -> tuple[Instruction, ...]:
    return _argument(position), (ANY_BIT, 0, 1, flags), _fail(errno.EPERM), ALLOWED


def _threads_alone() -> tuple[Instruction, ...]:
    refused = _fail(errno.EPERM)
    return _argument(0), (ANY_BIT, 0, 1, _NAMESPACES), refused, (ANY_BIT, 1, 0, _THREAD), refused, ALLOWED


def _tcp_alone() -> tuple[Instruction, ...]:
    """Return instructions that allow TCP sockets only: MPTCP, SCTP and others are streams, too, but escape Landlock."""
    denied = _fail(errno.EACCES)
    return (
        _argument(0),
        (EQUAL, 2, 0, _INET),
        (EQUAL, 1, 0, _INET6),
        denied,
        _argument(1),
        (AND, 0, 0, _KIND),
        (EQUAL, 1, 0, _STREAM),
        denied,
        _argument(2),
        (EQUAL, 2, 0, 0),
        (EQUAL, 1, 0, _TCP),
        denied,
        ALLOWED,
    )
