"""A progress bar on one line of the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from whence.loading.progress import Report

_WIDTH = 30


class ProgressBar:
    """A line that redraws itself. It draws nothing if the stream is not a terminal."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._drawn = 0

    def __call__(self, done: int, total: int, phase: str) -> None:
        """Draw how much is done."""
        if not self._stream.isatty():
            return
        share = min(done / total, 1.0) if total else 0.0
        full = round(share * _WIDTH)
        line = f"{phase} [{'#' * full}{'.' * (_WIDTH - full)}] {share:4.0%}"
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)

    def clear(self) -> None:
        """Erase the line."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0


@contextmanager
def shown_progress(report: Report | None) -> Iterator[Report]:
    """Yield the caller's own progress callback, or a bar that is erased afterwards."""
    if report is not None:
        yield report
        return
    bar = ProgressBar()
    try:
        yield bar
    finally:
        bar.clear()
