"""What a Python cell's process may reach: the interpreter and its libraries, and its own folder."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

_SYSTEM = (
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/bin",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/fonts",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/sys/devices/system/cpu",
    "/dev/urandom",
)
_DEVICES = ("/dev/null",)

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "agg",
    "PLOTLY_RENDERER": "plotly_mimetype",
    "PYTHONDONTWRITEBYTECODE": "1",
    "GRPC_VERBOSITY": "ERROR",
    # By this PySpark knows that `F.col` and `udf` are meant for Connect, before there is a session.
    "SPARK_CONNECT_MODE_ENABLED": "1",
}
"""All that a worker knows of its surroundings: no token, no password, no address of anything."""


def import_path() -> list[str]:
    """Where a worker looks for modules: the libraries of this interpreter and whence, not the working folder."""
    homes = _homes()
    found = [each for each in sys.path if each and any(Path(each).resolve().is_relative_to(home) for home in homes)]
    return list(dict.fromkeys([*found, str(package_root())]))


def package_root() -> Path:
    """The folder from which whence is imported."""
    return Path(__file__).resolve().parents[3]


def readable() -> list[str]:
    """What a worker may read."""
    return [*_SYSTEM, *(str(home) for home in _homes())]


def writable(folder: Path) -> list[str]:
    """What a worker may write."""
    return [str(folder), *_DEVICES]


def environment(folder: Path) -> dict[str, str]:
    """The environment of a worker whose folder this is."""
    home = {name: str(folder) for name in ("HOME", "TMPDIR", "MPLCONFIGDIR")}
    # Each thread of a numerical library reserves memory that counts against the cell's limit.
    threads = str(min(8, os.cpu_count() or 1))
    return ENVIRONMENT | home | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}


def _homes() -> list[Path]:
    """The folders of the interpreter: of its environment, of what that was made from, and of packages beside them."""
    paths = [sys.prefix, sys.base_prefix, sys.exec_prefix, sysconfig.get_path("stdlib"), str(package_root())]
    paths += [each for each in (*site.getsitepackages(), site.getusersitepackages()) if each in sys.path]
    return _existing(paths)


def _existing(paths: Iterable[str]) -> list[Path]:
    found = dict.fromkeys(Path(each).resolve() for each in paths)
    return [each for each in found if each.exists() and each != Path("/")]
