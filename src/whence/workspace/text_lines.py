"""Finds the line of a text file that Spark read for a program: Spark keeps no lines, so the file must prove them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from whence.engine.foreign_leaf import fingerprint_of
from whence.workspace.dataset import Dataset

_ENDINGS = {".csv", ".tsv", ".txt", ".text", ".log", ".json", ".jsonl", ".ndjson"}
_MOST_BYTES = 64 << 20


@dataclass(frozen=True)
class TextLines:
    """The lines of a file that has as many as the dataset has rows, but for a header."""

    source: Dataset
    lines: list[bytes]
    header: int
    """How many lines stand above the first row."""

    @classmethod
    def of(cls, source: Dataset) -> TextLines | None:
        """Return the lines; None if the file has changed, or if a row may take several lines or none."""
        report = source.load_report
        file = Path("" if report is None else report.source.path)
        if report is None or file.suffix not in _ENDINGS or not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return None
        if fingerprint_of((file,)) != report.source.sha256:
            return None
        lines = file.read_bytes().splitlines()
        header = len(lines) - source.count
        has_header = header == 1 and all(name.encode() in lines[0] for name in report.header)
        if not all(map(bytes.strip, lines)) or not (header == 0 or has_header):
            return None
        return cls(source, lines, header)

    def line_of(self, row: int) -> int | None:
        """Return the line of a row, counted from 1; None unless the line holds the texts of the row."""
        line = self.lines[self.header + row]
        values = self.source.take([row]).to_pylist()[0].values()
        holds_all = all(value.encode() in line for value in values if isinstance(value, str))
        return self.header + row + 1 if holds_all else None
