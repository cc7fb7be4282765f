"""Says in words that a cell stands on no data, and where its value was written."""

from __future__ import annotations

from collections.abc import Callable

from whence.lineage.cell_grounds import GROUNDED, PARTLY
from whence.lineage.grounds import GroundsReader
from whence.model.dataset import DatasetRecord
from whence.plan.constant_lines import constant_lines

_MOST_LINES = 3


class WrittenOrigins:
    """The origin of cells that no input cell gave anything to; `place_of` names the query of a dataset."""

    def __init__(self, grounds: GroundsReader, place_of: Callable[[DatasetRecord], str]) -> None:
        self._grounds = grounds
        self._place_of = place_of

    def describe(self, record: DatasetRecord, row: int, column: str, value: object) -> str:
        """Return the origin of a cell, such as "written in the query, line 2"; empty for one that stands on data."""
        state = self._grounds.of(record).state(row, column)
        if state == GROUNDED:
            return ""
        if state == PARTLY:
            return f"built partly on values written {self._grounds.writer(record)}"
        if not self._grounds.is_written_here(record, row, column):
            return f"built on values written {self._grounds.writer(record)}"
        # The text of a sheet says what was done to it; no line of it holds the value.
        lines = () if record.origin == "sheet" else constant_lines(record.text, value)
        return f"written in {self._place_of(record)}{_lines(lines)}"


def _lines(lines: tuple[int, ...]) -> str:
    if not lines or len(lines) > _MOST_LINES:
        return ""
    *most, last = map(str, lines)
    return f", line {last}" if not most else f", lines {', '.join(most)} and {last}"
