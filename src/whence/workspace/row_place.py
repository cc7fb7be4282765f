"""Says where a row of a source stands in its file: by its line where that is known, else by its number."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from whence.loading.report import FileFacts
from whence.workspace.dataset import Dataset
from whence.workspace.text_lines import TextLines


class RowPlaces:
    """The places of the rows of one dataset."""

    def __init__(self, source: Dataset) -> None:
        self._source = source
        self._report = source.load_report

    @property
    def file(self) -> str:
        """The file that the dataset was loaded from; empty if there was none, or if there were several."""
        return "" if self._report is None or self._files else self._report.source.path

    def words(self, row: int) -> str:
        """Return the place of a row, such as `line 7`, `row 6` or `march.csv, line 7`."""
        (line,) = self._source.source_lines([row])
        if line is None and self._lines is not None:
            line = self._lines.line_of(row)
        if not self._files:
            return f"row {row}" if line is None else f"line {line}"
        file = self._files[bisect_right(self._files, row, key=lambda each: each.first_row) - 1]
        return f"{file.path}, {f'row {row - file.first_row}' if line is None else f'line {line}'}"

    @cached_property
    def _lines(self) -> TextLines | None:
        return TextLines.of(self._source)

    @cached_property
    def _files(self) -> list[FileFacts]:
        files = [] if self._report is None else [each for each in self._report.files if each.rows]
        return sorted(files, key=lambda each: each.first_row)
