"""What the process of a Python cell may reach: the interpreter with its libraries, and a folder of its own."""

from __future__ import annotations

import os
from pathlib import Path

from whence.engine.confine.paths import DEVICES, SYSTEM, interpreter

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "agg",
    "PLOTLY_RENDERER": "plotly_mimetype",
    "PYTHONDONTWRITEBYTECODE": "1",
    "GRPC_VERBOSITY": "ERROR",
    # This tells PySpark that `F.col` and `udf` are meant for Spark Connect, before there is a session.
    "SPARK_CONNECT_MODE_ENABLED": "1",
}
"""The environment of every worker. It inherits nothing, and so holds no token, password or address."""


def readable() -> list[str]:
    """Return the paths that a worker may read."""
    return [*SYSTEM, *(str(home) for home in interpreter())]


def writable(folder: Path) -> list[str]:
    """Return the paths that a worker may write."""
    return [str(folder), *DEVICES]


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a worker with this folder."""
    home = {name: str(folder) for name in ("HOME", "TMPDIR", "MPLCONFIGDIR")}
    # Each thread of a numerical library reserves memory that counts against the cell's limit.
    threads = str(min(8, os.cpu_count() or 1))
    return ENVIRONMENT | home | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
