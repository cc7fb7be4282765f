"""What a Python cell's process may reach: the interpreter and its libraries, and its own folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from whence.engine.confine.paths import DEVICES, SYSTEM, interpreter, package_root

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
    homes = interpreter()
    found = [each for each in sys.path if each and any(Path(each).resolve().is_relative_to(home) for home in homes)]
    return list(dict.fromkeys([*found, str(package_root())]))


def readable() -> list[str]:
    """What a worker may read."""
    return [*SYSTEM, *(str(home) for home in interpreter())]


def writable(folder: Path) -> list[str]:
    """What a worker may write."""
    return [str(folder), *DEVICES]


def environment(folder: Path) -> dict[str, str]:
    """The environment of a worker whose folder this is."""
    home = {name: str(folder) for name in ("HOME", "TMPDIR", "MPLCONFIGDIR")}
    # Each thread of a numerical library reserves memory that counts against the cell's limit.
    threads = str(min(8, os.cpu_count() or 1))
    return ENVIRONMENT | home | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
