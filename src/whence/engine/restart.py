"""Ending a Java process that no longer obeys, and letting PySpark forget it, so that a new one can start.

PySpark keeps its gateway in class attributes and never looks whether the process behind it is alive: without this,
every session after a crash fails for ever.
"""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Any

from pyspark import SparkContext
from pyspark.sql import SparkSession

_EXIT_SECONDS = 10.0
"""Seconds until a killed process has certainly left the table."""
_STOP_SECONDS = 600.0
"""Seconds in which a process has certainly written what it writes when it ends."""


def gateway() -> Any:  # noqa: ANN401 - py4j's object
    """The line to the Java process of now; another one after a restart."""
    return SparkContext._gateway


def is_gone(line: Any) -> bool:  # noqa: ANN401
    """Whether the Java process that PySpark itself started behind this line has ended."""
    process = getattr(line, "proc", None)
    return process is not None and process.poll() is not None


def end_java() -> None:
    """Kill the Java process, whatever it is doing, and forget it."""
    process = getattr(SparkContext._gateway, "proc", None)
    if process is not None and process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        process.wait(_EXIT_SECONDS)
    forget_java()


def stop_java() -> None:
    """Let Java end by itself, as it does when its standard input ends, and wait until it has."""
    process, context = getattr(SparkContext._gateway, "proc", None), SparkContext._active_spark_context
    if context is not None:
        context.stop()
    forget_java()
    if process is not None:
        process.wait(_STOP_SECONDS)


def forget_java() -> None:
    """Let PySpark start a new Java process when it is asked for a session next."""
    line = SparkContext._gateway
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkContext._next_accum_id = 0
    SparkSession._instantiatedSession = SparkSession._activeSession = None
    if line is not None:
        with contextlib.suppress(Exception):  # what it says while its process is dead is of no interest
            line.shutdown()
        if (process := getattr(line, "proc", None)) is not None and process.stdin is not None:
            with contextlib.suppress(OSError):  # nobody reads it any more
                process.stdin.close()
