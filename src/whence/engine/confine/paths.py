"""Paths that any confined process must be able to read: the interpreter, its libraries and those of the system."""

from __future__ import annotations

import site
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

SYSTEM = (
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
DEVICES = ("/dev/null",)


def package_root() -> Path:
    """Return the folder from which whence is imported."""
    return Path(__file__).resolve().parents[3]


def interpreter() -> list[Path]:
    """Return the folders of the interpreter: its virtual environment, its base installation, and site packages."""
    paths = [sys.prefix, sys.base_prefix, sys.exec_prefix, sysconfig.get_path("stdlib"), str(package_root())]
    paths += [each for each in (*site.getsitepackages(), site.getusersitepackages()) if each in sys.path]
    return _existing_paths(paths)


def import_path() -> list[str]:
    """Return the folders with modules: the libraries of this interpreter and whence, not the working folder."""
    homes = interpreter()
    found = [each for each in sys.path if each and any(Path(each).resolve().is_relative_to(home) for home in homes)]
    return list(dict.fromkeys([*found, str(package_root())]))


def _existing_paths(paths: Iterable[str]) -> list[Path]:
    found = dict.fromkeys(Path(each).resolve() for each in paths)
    return [each for each in found if each.exists() and each != Path("/")]
