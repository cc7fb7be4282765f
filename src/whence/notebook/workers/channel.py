"""The channel between server and worker: JSON messages with a length before each, and open files, over one socket."""

from __future__ import annotations

import json
import os
import socket
import struct
from collections import deque
from collections.abc import Iterator, Sequence

from whence.notebook.workers.plain_json import with_whole_characters

MOST_BYTES = 16 << 20
"""The longest message. A side that announces a longer one is cut off."""
_LENGTH = struct.Struct(">I")
_AT_ONCE = 200
"""Descriptors in one call. The kernel passes at most 253."""

Message = dict[str, object]


class ChannelBroken(Exception):
    """The other side is gone, or what it sends is not a message."""


class Parser:
    """Cuts a stream of bytes into messages.

    >>> parser = Parser()
    >>> list(parser.feed(packed({"t": "done"})))
    [{'t': 'done'}]
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._waiting = bytearray()
        self._most = most_bytes

    def feed(self, data: bytes) -> Iterator[Message]:
        """Yield the messages that these bytes complete."""
        self._waiting += data
        while len(self._waiting) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._waiting)
            if length > self._most:
                raise ChannelBroken(f"a message of {length:,} bytes was announced, {self._most:,} are the most")
            end = _LENGTH.size + length
            if len(self._waiting) < end:
                return
            body = bytes(self._waiting[_LENGTH.size : end])
            del self._waiting[:end]
            yield _message(body)


def packed(message: Message) -> bytes:
    """Return a message as bytes: its length, then JSON."""
    # Text of a cell may hold lone surrogates, which strict UTF-8 refuses.
    body = json.dumps(message, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
    return _LENGTH.pack(len(body)) + body


def _message(body: bytes) -> Message:
    try:
        text = body.decode("utf-8", "surrogatepass")
        message = with_whole_characters(json.loads(text), text)
    except (ValueError, RecursionError) as error:
        raise ChannelBroken("a message is not JSON") from error
    if not isinstance(message, dict) or not isinstance(message.get("t"), str):
        raise ChannelBroken("a message has no type")
    return message


class Channel:
    """One end of the channel. A worker waits for messages with `receive`, the server takes those that `arrived`."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._parser = Parser()
        self._messages: deque[Message] = deque()
        self._descriptors: deque[int] = deque()

    def fileno(self) -> int:
        """The descriptor of the socket, for a selector."""
        return self._end.fileno()

    def send(self, message: Message, descriptors: Sequence[int] = ()) -> None:
        """Send a message. The descriptors go ahead of it, so that they are there when it is read."""
        try:
            # Descriptors travel only along with bytes, hence a message of their own, which `receive` drops.
            for start in range(0, len(descriptors), _AT_ONCE):
                socket.send_fds(self._end, [packed({"t": "files"})], list(descriptors[start : start + _AT_ONCE]))
            self._end.sendall(packed(message))
        except OSError as error:
            raise ChannelBroken("the other side does not listen") from error

    def receive(self) -> Message:
        """Wait for the next message."""
        while not self._messages:
            try:
                data, descriptors, _, _ = socket.recv_fds(self._end, 1 << 16, _AT_ONCE)
            except OSError as error:
                raise ChannelBroken("the other side is gone") from error
            if not data:
                raise ChannelBroken("the other side is gone")
            self._descriptors.extend(descriptors)
            self._messages.extend(each for each in self._parser.feed(data) if each["t"] != "files")
        return self._messages.popleft()

    def take(self, count: int) -> list[int]:
        """Return the next descriptors that came with messages."""
        return [self._descriptors.popleft() for _ in range(count)]

    def arrived(self) -> list[Message]:
        """Return the messages that have arrived. This is for the server, which takes no descriptors from a worker."""
        try:
            data = self._end.recv(1 << 16)
        except OSError as error:
            raise ChannelBroken("the other side is gone") from error
        if not data:
            raise ChannelBroken("the other side is gone")
        return list(self._parser.feed(data))

    def close(self) -> None:
        """Close the socket, and the descriptors that were not taken."""
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors.clear()
        self._end.close()
