"""What a cell prints: gathered into messages, sent while it runs, cut where it becomes too much."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from whence.notebook.workers.channel import Channel, Message

_PATIENCE = 0.1
"""Text waits no longer than this many seconds."""
_ENOUGH = 8192
"""Nor does more text than this."""
_LONGEST = 1 << 20
"""Characters in one message."""


class Output:
    """Everything a cell shows, in order; more than `most` bytes are not sent."""

    def __init__(
        self, channel: Channel, most: int, whole: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        self._channel = channel
        self._whole = whole
        """In such a block nothing may leave half a message behind."""
        self._left = most
        self._most = most
        self._lock = threading.RLock()
        self._waiting: list[tuple[str, str]] = []
        self._size = 0
        self._sent = 0.0
        threading.Thread(target=self._send_what_waits, daemon=True).start()

    def renew(self, most: int) -> None:
        """Another cell may show as much again."""
        with self._whole(), self._lock:
            self.flush()
            self._left = self._most = most

    def text(self, stream: str, text: str) -> None:
        """Say something on stdout or stderr."""
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
        """Send a question and wait for its answer."""
        with self._whole(), self._lock:
            self.message(message)
            return self._channel.receive()

    def display(self, message: Message, size: int) -> bool:
        """Send something to show; False if it is too large."""
        with self._whole(), self._lock:
            if size > self._left:
                return False
            self._left -= size
            self.message(message)
            return True

    def flush(self) -> None:
        """Send what waits."""
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
    """Stands in for sys.stdout or sys.stderr."""

    encoding = "utf-8"

    def __init__(self, output: Output, name: str, descriptor: int) -> None:
        self._output = output
        self._descriptor = descriptor
        self.name = f"<{name}>"
        self._stream = name

    def write(self, text: str) -> int:
        """As a file does."""
        self._output.text(self._stream, text)
        return len(text)

    def flush(self) -> None:
        """As a file does."""
        self._output.flush()

    def writable(self) -> bool:
        """Always."""
        return True

    def fileno(self) -> int:
        """What a program that the cell starts writes to."""
        return self._descriptor
