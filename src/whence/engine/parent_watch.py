"""Ends the Java process when the Python process that started it ends, however that one ends.

PySpark's Java process ends when its standard input does. That fails where a process forked from Python still holds the
other end, and may take minutes where tasks do not stop, as the exit waits for them. The watch looks for the process
itself.
"""

from __future__ import annotations

import os
from typing import Any

from pyspark.sql import SparkSession

from whence.engine.java_class import java_constructor, new_java_object

_WATCHED_PROPERTY = "whence.parent"


def watch_parent(session: SparkSession) -> None:
    """Start the watch in the Java process, once. Python workers of tasks end with the Java process."""
    java: Any = session._jvm
    if java.java.lang.System.getProperties().putIfAbsent(_WATCHED_PROPERTY, str(os.getpid())) is None:
        parent = java.java.lang.ProcessHandle.of(os.getpid()).get()
        new_java_object(session, java_constructor(session, "ParentWatch"), parent).start()
