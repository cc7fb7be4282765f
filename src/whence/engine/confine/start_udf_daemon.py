"""Replaces this process by the daemon that starts Python workers for Spark, with an empty environment.

A process can always read the environment it was started with, so the secret that Spark passes there goes by a pipe.
"""

from __future__ import annotations

import os
import sys

SECRET = "PYTHON_WORKER_FACTORY_SECRET"
"""The variable with the secret by which the daemon knows Spark."""
_DAEMON = ("-m", "pyspark.daemon")
_START = """import sys; sys.path[:0] = [sys.argv[1]]
from whence.engine.confine.udf_daemon import main; main(*sys.argv[2:])"""
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
_PASSED_ON = (
    "SPARK_REUSE_WORKER",
    "SPARK_BUFFER_SIZE",
    "SPARK_AUTH_SOCKET_TIMEOUT",
    "SPARK_PREFER_IPV6",
    "SPARK_SIMPLIFIED_TRACEBACK",
    "OMP_NUM_THREADS",
)
"""Settings of Spark for its workers. Everything else in the environment stays behind."""


def main(root: str, policy: str, *arguments: str) -> None:
    """Start the daemon in place of this process. Spark's arguments are `-m pyspark.daemon` and the worker's module."""
    if arguments[:2] != _DAEMON:
        sys.exit(f"This Python only starts Spark's workers, not {' '.join(arguments)}.")
    reading, writing = os.pipe()
    os.write(writing, os.environ[SECRET].encode())
    os.close(writing)
    os.set_inheritable(reading, True)
    environment = _ENVIRONMENT | {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    command = [sys.executable, "-I", "-S", "-c", _START, root, policy, str(reading), *arguments[2:]]
    os.execve(sys.executable, command, environment)
