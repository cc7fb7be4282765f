"""Tells whether a Python thread waits for the Java process, which may analyse or plan a query without any task."""

from __future__ import annotations

import os
import sys
from types import FrameType

_SPARK_CLIENTS = (f"{os.sep}py4j{os.sep}", f"{os.sep}pyspark{os.sep}")


def waits_for_spark(thread: int) -> bool:
    """Return whether a Python thread waits for an answer of the Java process."""
    frame: FrameType | None = sys._current_frames().get(thread)
    while frame is not None:
        if any(part in frame.f_code.co_filename for part in _SPARK_CLIENTS):
            return True
        frame = frame.f_back
    return False
