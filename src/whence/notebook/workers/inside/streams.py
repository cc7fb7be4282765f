"""The output of a cell: gathers text into messages, sends them while the cell runs, and cuts what is too much."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from whence.notebook.workers.channel import Channel, Message

_PATIENCE = 0.1
"""Seconds that text waits at most until it is sent."""
_ENOUGH = 8192
"""Characters from which on waiting text is sent at once."""
_LONGEST = 1 << 20
"""Characters of text in one message at most."""


class Output:
    """Sends everything a cell shows, in order, up to `most` characters."""

    def __init__(
        self, channel: Channel, most: int, whole: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        self._channel = channel
        self._whole = whole
        """Makes a block in which SIGINT waits, so that no half message stays behind."""
        self._left = most
        self._most = most
        self._lock = threading.RLock()
        self._waiting: list[tuple[str, str]] = []
        self._size = 0
        self._sent = 0.0
        # Without it, the last line before a long computation would wait for the next one.
        threading.Thread(target=self._send_what_waits, daemon=True).start()

    def renew(self, most: int) -> None:
        """Start the limit anew for another cell."""
        with self._whole(), self._lock:
            self.flush()
            self._left = self._most = most

    def text(self, stream: str, text: str) -> None:
        """Print text to the stream `stdout` or `stderr`."""
        with self._whole(), self._lock:
            if self._left <= 0:
                return
            text = text[: self._left]
            self._left -= len(text)
            if self._left <= 0:
                text += f"\n... output was cut here: a cell may show {self._most:,} bytes.\n"
            self._waiting.append((stream, text))
            self._size += len(text)
            if self._size >= _ENOUGH or time.monotonic() - self._sent > _PATIENCE:
                self.flush()

    def message(self, message: Message) -> None:
        """Send a message after all text before it."""
        with self._whole(), self._lock:
            self.flush()
            self._channel.send(message)

    def ask(self, message: Message) -> Message:
        """Send a request and wait for its answer."""
        # With the lock held, so that another thread cannot take this answer for its own.
        with self._whole(), self._lock:
            self.message(message)
            return self._channel.receive()

    def display(self, message: Message, size: int) -> bool:
        """Send a display; return False if it is larger than what is left of the limit."""
        with self._whole(), self._lock:
            if size > self._left:
                return False
            self._left -= size
            self.message(message)
            return True

    def flush(self) -> None:
        """Send the text that waits."""
        with self._whole(), self._lock:
            waiting, self._waiting, self._size = self._waiting, [], 0
            stream, texts = "", [""]
            for each, text in waiting:
                if each != stream and texts != [""]:
                    self._send(stream, "".join(texts))
                    texts = []
                stream = each
                texts.append(text)
            self._send(stream, "".join(texts))
            self._sent = time.monotonic()

    def _send(self, stream: str, text: str) -> None:
        for start in range(0, len(text), _LONGEST):
            self._channel.send({"t": "text", "stream": stream, "text": text[start : start + _LONGEST]})

    def _send_what_waits(self) -> None:
        while True:
            time.sleep(_PATIENCE)
            if self._waiting:
                self.flush()


class CapturedStream(io.TextIOBase):
    """A text stream that replaces sys.stdout or sys.stderr."""

    encoding = "utf-8"

    def __init__(self, output: Output, name: str, descriptor: int) -> None:
        self._output = output
        self._descriptor = descriptor
        self.name = f"<{name}>"
        self._stream = name

    def write(self, text: str) -> int:
        """Send text to the notebook, and return its length."""
        self._output.text(self._stream, text)
        return len(text)

    def flush(self) -> None:
        """Send the text that waits."""
        self._output.flush()

    def writable(self) -> bool:
        """True, always."""
        return True

    def fileno(self) -> int:
        """The descriptor to which a program that the cell starts can write."""
        return self._descriptor
