"""Ctrl-C that does not get lost: a library that it strikes may swallow the exception, so the wish is remembered."""

from __future__ import annotations

import os
import signal
from types import FrameType, TracebackType
from typing import Self


class StopRequest:
    """A block of the main thread that Ctrl-C ends, at the latest when the block itself ends.

    >>> with StopRequest() as stop:
    ...     stop.check()
    """

    def __init__(self) -> None:
        self._is_made = False
        self._handler = signal.getsignal(signal.SIGINT)

    def __enter__(self) -> Self:
        self._handler = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._handler)
        self.check()

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C was pressed since the block began."""
        if self._is_made:
            raise KeyboardInterrupt

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        if not self._is_made:  # a Spark that is just starting has to come up before it can end
            os.write(2, b"\nStopping ...\n")  # a stream may be in use where the signal strikes
        self._is_made = True
        raise KeyboardInterrupt
