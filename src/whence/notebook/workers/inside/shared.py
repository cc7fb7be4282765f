"""The interpreter of a session: runs cells in any order in one namespace, and tracks which are out of date."""

from __future__ import annotations

import builtins
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from whence.notebook.workers.channel import Channel, Message
from whence.notebook.workers.inside.interrupts import Interrupts
from whence.notebook.workers.inside.requests import Refused, Requests
from whence.notebook.workers.inside.show import AfterImport, Display
from whence.notebook.workers.inside.spark_session import MODULE as SPARK
from whence.notebook.workers.inside.spark_session import share_session
from whence.notebook.workers.inside.streams import CapturedStream, Output
from whence.notebook.workers.inside.trouble import trouble
from whence.notebook.workers.inside.ws import Ws
from whence.staleness.execution import RunResult, execute_showing, register_source
from whence.staleness.notebook import Notebook


def serve(channel: Channel, task: Message, output_bytes: int) -> None:
    """Do one task after the other until the channel breaks."""
    interpreter = SharedInterpreter(channel, output_bytes)
    while True:
        interpreter.do(task)
        task = channel.receive()


class SharedInterpreter:
    """The variables of a session, and the tracker that knows which cells are out of date because of them."""

    def __init__(self, channel: Channel, output_bytes: int) -> None:
        self._interrupts = Interrupts()
        self._output = Output(channel, output_bytes, self._interrupts.waiting)
        self._most = output_bytes
        sys.stdout, sys.stderr = CapturedStream(self._output, "stdout", 1), CapturedStream(self._output, "stderr", 2)
        self._display = Display(self._output)
        self._requests = Requests(channel, self._output, Path.cwd(), None)
        sys.meta_path.insert(0, AfterImport(self._display, {SPARK: share_session(lambda: self._requests.session)}))
        self._ws = Ws([], {}, self._requests)
        module = ModuleType("__main__")
        sys.modules["__main__"] = module
        # Among the builtins, not in the namespace: no cell makes them, so what they do must not make a cell stale.
        vars(builtins).update(ws=self._ws, display=self._display)
        self._notebook = Notebook(module.__dict__)
        self._own: set[str] = set()
        """The file names under which texts of cells were compiled."""

    def do(self, task: Message) -> None:
        """Do one task: `look`, `upstream` or `run`. Each brings the texts on the page."""
        given: Any = task
        self._read_page(given["page"])
        end: Message = {"t": "done"}
        if task["t"] == "run":
            end = self._run(given)
        elif task["t"] == "upstream":
            found = self._notebook.upstream(given["cell"])
            self._output.message({"t": "found", "cells": list(found.cells), "unresolved": list(found.unresolved)})
        self._output.message(self._highlights_answer())
        self._output.message(end)

    def _read_page(self, page: list[tuple[str, str]]) -> None:
        there = {cell for cell, _ in page}
        for cell in [each for each in self._notebook.cells if each not in there]:
            self._notebook.remove(cell)
        for cell, text in page:
            self._notebook.edit(cell, text)

    def _run(self, given: Any) -> Message:  # noqa: ANN401 - a message
        cell = str(given["cell"])
        text = self._notebook.cells[cell].text
        mine = register_source(cell, text)
        self._own.add(mine)
        self._output.renew(self._most)
        self._ws.renew(given["datasets"], given["parameters"], mine)
        shown: list[object] = []
        try:
            with self._interrupts.allowed():
                result = execute_showing(self._notebook, cell, shown.append)
                if shown and not text.rstrip().endswith(";"):
                    self._display(shown[0])
                    self._output.message({"t": "showed"})
                self._display.figures()
        except KeyboardInterrupt as stop:
            result = RunResult(ok=False, error=stop)
            self._requests.stop_spark()
        for notice in result.notices:
            self._output.text("stderr", f"Note: {notice}.\n")
        return {"t": "done"} if result.error is None else self._trouble(result.error, mine)

    def _trouble(self, error: BaseException, mine: str) -> Message:
        told = trouble(error, frozenset(self._own))
        if isinstance(error, SystemExit) and not error.code:
            return {"t": "done"}
        if not isinstance(error, SyntaxError):
            # The last line of all may be in a function that another cell defines: the last line of this cell counts.
            lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == mine]
            told["line"] = lines[-1] if lines else None
        return {**told, "kind": "Refused"} if isinstance(error, Refused) else told

    def _highlights_answer(self) -> Message:
        now = self._notebook.highlights()
        return {
            "t": "looked",
            "stale": sorted(now.stale),
            "fresh": sorted(now.fresh),
            "refresher": sorted(now.refresher),
            "new_fresh": sorted(now.new_fresh),
            "new_refresher": sorted(now.new_refresher),
            "would_fail": {cell: list(names) for cell, names in now.would_fail.items()},
            "again": dict(now.again),
            "reasons": dict(now.reasons),
        }
