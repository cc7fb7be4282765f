"""The history of one cell of a sheet: the operations that changed it."""

from __future__ import annotations

from dataclasses import dataclass

from whence.notebook.sheet.content import Blank, Content, Copy, Formula, Invalid, Value
from whence.notebook.sheet.log import SheetLog


@dataclass(frozen=True)
class CellStep:
    """An operation that changed the content of the cell."""

    number: int
    """Which of the sheet's operations it was, from 1."""
    sentence: str
    value: object
    formula: str | None
    """The text that was typed, if it is a formula."""


def cell_history(sheet: SheetLog, row: int, column: str) -> list[CellStep]:
    """Return the steps of a cell, oldest first. All operations are applied again to find those that changed it."""
    replayed = SheetLog(sheet.services, sheet.record)
    steps: list[CellStep] = []
    for number, operation in enumerate(sheet.operations, start=1):
        before = _content(replayed, row, column)
        replayed.add_again(operation)
        after = _content(replayed, row, column)
        if after is not None and after is not before:  # by identity: to enter the same value again is a step, too
            steps.append(_step(replayed, number, replayed.sentences[-1], after))
    return steps


def _content(sheet: SheetLog, row: int, column: str) -> Content | None:
    known = sheet.state.columns.get(column)
    return None if known is None else known.entry(row)


def _step(sheet: SheetLog, number: int, sentence: str, content: Content) -> CellStep:
    match content:
        case Value(value):
            return CellStep(number, sentence, value, None)
        case Formula(_, text) | Invalid(text, _):
            return CellStep(number, sentence, None, text)
        case Copy(row, base):
            return CellStep(number, sentence, sheet.state.source.value(base, row), None)
        case Blank():
            return CellStep(number, sentence, None, None)
