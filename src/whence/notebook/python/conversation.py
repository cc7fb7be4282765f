"""The conversation with a worker while its cell runs: passes on outputs, answers requests and enforces limits."""

from __future__ import annotations

import codecs
import os
import selectors
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from whence.notebook.cell_error import CellError, CellFailed
from whence.notebook.control import Cancelled, RunControl
from whence.notebook.display import Display, Rich, Stream
from whence.notebook.workers.channel import ChannelBroken, Message
from whence.notebook.workers.plain_json import DEEPEST, is_nested_deeper
from whence.notebook.workers.process import Worker
from whence.notebook.workers.usage import usage_of

_GRACE = 2.0
"""Seconds between the request to stop a cell and the end of its process."""
_LOOK = 0.25
"""Seconds between two checks for cancellation and the time limit."""
_COUNT = 0.5
"""Seconds between two counts of processes and memory, which cost more."""
_NOTE = 1024
"""Room above the output limit for the sentence with which a worker says that output was cut."""
_SHOWN = frozenset({"text", "display"})


@dataclass(frozen=True)
class Answer:
    """A message to a worker, with open files. The conversation closes the descriptors once they are sent."""

    message: Message
    descriptors: Sequence[int] = ()


class Answers(Protocol):
    """An object that answers the requests of a cell."""

    def answer(self, message: Message) -> Answer | None:
        """Return the answer to a message; None if it needs none."""


class Conversation:
    """The server's side of one task of a worker, such as the run of a cell."""

    def __init__(self, worker: Worker, answers: Answers, control: RunControl, grace: float = _GRACE) -> None:
        self._worker = worker
        self._answers = answers
        self._control = control
        self._grace = grace
        self._left = worker.limits.output_bytes + _NOTE
        self._is_done = False
        self._stopping: float | None = None
        self._why = ""
        self._looked = self._counted = 0.0
        self._started = time.monotonic()
        decoder = codecs.getincrementaldecoder("utf-8")
        self._decoders = {name: decoder("replace") for name in worker.printed}

    @property
    def displays(self) -> tuple[Display, ...]:
        """Everything the cell has shown; consecutive texts of one stream are one display."""
        return self._control.log.displays

    def run(self, task: Message) -> None:
        """Let the worker run its task until it ends, and raise what went wrong."""
        try:
            self._worker.channel.send(task)
            with selectors.DefaultSelector() as selector:
                selector.register(self._worker.channel, selectors.EVENT_READ, self._listen)
                for name, descriptor in self._worker.printed.items():
                    selector.register(descriptor, selectors.EVENT_READ, partial(self._hear, name, descriptor))
                while not self._is_done:
                    for key, _ in selector.select(_LOOK):
                        if key.data() is False:
                            selector.unregister(key.fileobj)
                    self._watch()
        except ChannelBroken as broken:
            self._raise_why()
            raise CellFailed(self._reason_of_end(broken)) from broken

    def _listen(self) -> None:
        for message in self._worker.channel.arrived():
            kind = message["t"]
            try:
                if kind in _SHOWN:
                    self._show(message)
                elif kind == "done":
                    self._is_done = True
                elif kind == "failed":
                    self._raise_why()
                    raise CellFailed(_error(message))
                else:
                    self._reply(self._answers.answer(message))
            except (KeyError, TypeError, ValueError, AttributeError) as error:  # user code can send anything
                raise ChannelBroken(f"a message of type {str(kind)[:20]!r} makes no sense") from error

    def _reply(self, answer: Answer | None) -> None:
        if answer is None:
            return
        try:
            self._worker.channel.send(answer.message, answer.descriptors)
        finally:
            for descriptor in answer.descriptors:
                os.close(descriptor)

    def _hear(self, stream: str, descriptor: int) -> bool:
        """Show what the process wrote past Python's streams, such as output of a program; False at the end."""
        data = os.read(descriptor, 1 << 16)
        self._text(stream, self._decoders[stream].decode(data, final=not data))
        return bool(data)

    def _show(self, message: Message) -> None:
        if message["t"] == "text":
            self._text(str(message["stream"]), str(message["text"]))
            return
        data = message["data"]
        if not isinstance(data, dict):
            raise TypeError("a display has no forms")
        forms = {str(mime): form for mime, form in data.items() if not is_nested_deeper(form)}
        size = len(str(forms))
        if size <= self._left:
            self._left -= size
            self._control.show(Rich(forms))
        if len(forms) < len(data):
            self._text("stderr", f"An output is nested more than {DEEPEST} levels deep; that form is not shown.\n")

    def _text(self, stream: str, text: str) -> None:
        text = text[: max(self._left, 0)]
        self._left -= len(text)
        if text:
            self._control.show(_stream(stream, text))

    def _watch(self) -> None:
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        self._looked = now
        limits = self._worker.limits
        if self._control.is_cancelled():
            self._stop(now, "")
        elif limits.seconds is not None and now - self._started > limits.seconds:
            self._stop(now, f"The cell ran for more than {limits.seconds:g} seconds, which is its limit.")
        usage = usage_of(self._worker.pid) if now - self._counted > _COUNT else None
        self._counted = now if usage is not None else self._counted
        if usage is not None and usage.processes > limits.processes:
            self._end(f"The cell started more than {limits.processes} processes, which is its limit.")
        # The kernel limits the memory of each process alone; this bounds what they take together.
        elif usage is not None and usage.memory > 2 * limits.memory:
            self._end(f"The processes of the cell took more than {2 * limits.memory >> 20:,} MB of memory.")

    def _stop(self, now: float, why: str) -> None:
        """Interrupt the cell on the first call, and kill its process once the grace period is over."""
        if self._stopping is None:
            self._stopping, self._why = now, why
            self._worker.interrupt()
        elif now - self._stopping > self._grace:
            self._end(why)

    def _end(self, why: str) -> None:
        self._stopping, self._why = self._stopping or 0.0, why
        self._worker.kill()
        self._raise_why()

    def _raise_why(self) -> None:
        """Raise the reason for which the server stopped the cell, if it did: the cell's own error explains less."""
        if self._stopping is None:
            return
        if self._why:
            raise CellFailed(CellError(self._why, "Give it more, or let Spark do it.", kind="Limit"))
        raise Cancelled("The cell was cancelled.")

    def _reason_of_end(self, broken: ChannelBroken) -> CellError:
        code = self._worker.wait()
        if code is None:
            return CellError(f"The cell's process was stopped: {broken}.", kind="WorkerLost")
        if code == -9:
            said = "The cell's process was killed, perhaps because the machine ran out of memory."
        elif code < 0:
            said = f"The cell's process crashed (signal {-code})."
        else:
            said = f"The cell's process ended itself with code {code}."
        return CellError(said, "Nothing that the cell made was kept.", kind="WorkerLost")


def _stream(name: str, text: str) -> Stream:
    return Stream("stderr" if name == "stderr" else "stdout", text)


def _error(message: Message) -> CellError:
    line = message["line"]
    kind, text = str(message["kind"]), str(message["message"])
    said = text if kind == "Refused" else f"{kind}: {text}" if text else kind
    hint = "The cell may use no more memory than it has; let Spark do it, or work on fewer rows."
    return CellError(
        said,
        hint if kind == "MemoryError" else "",
        line=line if isinstance(line, int) else None,
        traceback=str(message["traceback"]),
        kind=kind,
    )
