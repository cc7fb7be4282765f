"""Keeps the frames that a cell shows, collects and writes, and shows tables with red doubts in their place."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING

from whence.engine.frame_actions import FrameAction, MadeFrame
from whence.engine.frames import Frame
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset
from whence.workspace.program_outputs import KeptOutput, ProgramOutputs

if TYPE_CHECKING:
    from whence.jupyter.shown_tables import ShownTables

Show = Callable[[Dataset, int], None]
"""Shows the first rows of a dataset in the output of the cell."""
_SHOWN_ROWS = 20
"""As many rows as `df.show()` prints."""


class KeptFrames:
    """What the cells of one notebook have kept. `tables` are shown in their outputs."""

    def __init__(self, tables: ShownTables, show: Show) -> None:
        self.tables = tables
        self._show = show
        self._context: Callable[[Frame], Context]
        self._outputs = ProgramOutputs(lambda frame: self._context(frame))

    def begin(self, context: Callable[[Frame], Context], number: int) -> None:
        """Keep the frames of the next cell in a workspace. `number` is that of its output, as in `Out[3]`."""
        self._context, self._number = context, number

    @contextmanager
    def watch(self, action: FrameAction) -> Iterator[None]:
        """Let the cell act. Show a table in place of the text that `df.show()` prints, if the frame was kept."""
        named = action if action.variable else replace(action, variable=f"out_{self._number}_line_{action.line}")
        printed, before = io.StringIO(), len(self._outputs.kept)
        with self._outputs.watch(named):
            if action.kind == "shown":
                with redirect_stdout(printed):
                    yield
            else:
                yield
        found = self._outputs.kept[before:]
        made = self._dataset(action.frame, found)
        if printed.getvalue() and made is not None:
            self._show(made, _SHOWN_ROWS if action.rows is None else action.rows)
            return
        sys.stdout.write(printed.getvalue())
        _say(found)

    def take_back(self, made: MadeFrame) -> None:
        """Let rows that a cell gives back to Spark keep their lineage."""
        before = len(self._outputs.kept)
        self._outputs.take_back(made)
        _say(self._outputs.kept[before:])

    def keep(self, frame: Frame, name: str, line: int) -> Dataset | None:
        """Keep a frame that stands at the end of a cell; None if that cannot be, and a sentence says why."""
        before = len(self._outputs.kept)
        with self._outputs.watch(FrameAction("collected", frame, line, name)):
            pass
        found = self._outputs.kept[before:]
        made = self._dataset(frame, found)
        if made is None:
            _say(found)
        return made

    def _dataset(self, frame: Frame, found: list[KeptOutput]) -> Dataset | None:
        record = next((each.record for each in found if each.record is not None), None)
        return None if record is None else Dataset(self._context(frame), record)


def _say(outputs: Sequence[KeptOutput]) -> None:
    sys.stdout.write("".join(f"whence: {each.sentence}\n" for each in outputs))
