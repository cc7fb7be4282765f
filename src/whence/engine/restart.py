"""Ends a Java process, and makes PySpark forget it, so that a new one can start.

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
"""How many seconds to wait for a killed process to end."""
_STOP_SECONDS = 600.0
"""How many seconds to wait for a process that ends by itself: it may write a class archive of some 200 MB first."""


def gateway() -> Any:  # noqa: ANN401 - py4j's object
    """Return py4j's gateway to the current Java process. After a restart it is another object."""
    return SparkContext._gateway


def is_gone(line: Any) -> bool:  # noqa: ANN401
    """Return whether the Java process behind a gateway has ended; False if PySpark did not start that process."""
    process = getattr(line, "proc", None)
    return process is not None and process.poll() is not None


def is_stopped() -> bool:
    """Return whether Spark has ended in a Java process that still runs, as after its cluster has removed it."""
    context = SparkContext._active_spark_context
    return context is not None and context._jsc is not None and bool(context._jsc.sc().isStopped())


def end_java() -> None:
    """Kill the Java process, whatever it is doing, and make PySpark forget it."""
    process = getattr(SparkContext._gateway, "proc", None)
    if process is not None and process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        process.wait(_EXIT_SECONDS)
    forget_java()


def stop_java() -> None:
    """Close Java's standard input, at which it ends by itself, and wait until it has."""
    process, context = getattr(SparkContext._gateway, "proc", None), SparkContext._active_spark_context
    if context is not None:
        context.stop()
    forget_java()
    if process is not None:
        process.wait(_STOP_SECONDS)


def forget_java() -> None:
    """Clear PySpark's class attributes, so that the next session starts a new Java process."""
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
