"""Cells and rows that can be read but may not mean what they say: letters, marks for nothing, totals."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.encoding import CARRIED, Text, restore
from whence.loading.parse import Body
from whence.loading.problems import Problem, cell, of_column
from whence.loading.words import as_mask

Rows = npt.NDArray[np.int64]

_NOTHING = pa.array(["NULL", "(null)", "\\N", "#N/A"])
_TOTAL = re.compile(r"\s*(grand |sub)?(total|sum|gesamt|summe|totaux|somme)\b", re.IGNORECASE)


def restore_bad_bytes(name: str, texts: pa.ChunkedArray, lines: Rows) -> tuple[pa.ChunkedArray, list[Problem]]:
    """Show bytes that are no letters as such, and keep what they were."""
    rows = np.flatnonzero(as_mask(pc.match_substring_regex(texts, CARRIED.pattern)))
    if not len(rows):
        return texts, []
    values, problems = texts.to_pylist(), []
    for row in rows.tolist():
        values[row], spelled = restore(values[row])
        problems.append(cell(row, name, int(lines[row]), spelled, "bad bytes", "holds bytes that are not UTF-8"))
    return pa.chunked_array([pa.array(values, pa.string())]), problems


def letters_in_doubt(name: str, texts: pa.ChunkedArray, text: Text) -> tuple[Rows, list[Problem]]:
    """Cells with letters beyond ASCII in a file whose encoding is not UTF-8; they are in doubt if it was guessed."""
    if text.encoding == "utf-8":
        return np.zeros(0, np.int64), []
    rows = np.flatnonzero(as_mask(pc.invert(pc.string_is_ascii(texts))))
    if not len(rows):
        return rows, []
    how = "a guess, so letters beyond ASCII may be wrong" if text.is_guess else "as the file's first bytes say"
    message = f"Column {name} was read as {text.encoding}, {how}."
    return rows if text.is_guess else rows[:0], [of_column(name, "encoding", message)]


def suspicious_cells(name: str, texts: pa.ChunkedArray, lines: Rows) -> Iterator[Problem]:
    """Text that may stand for nothing, and text that holds what cannot be seen."""
    nothing, zeros = pc.is_in(texts, _NOTHING), pc.match_substring(texts, "\0")
    for kind, mask, what in (
        ("missing word", nothing, "may stand for a missing value; it is kept as text"),
        ("zero byte", zeros, "holds a zero byte; it is kept"),
    ):
        rows = np.flatnonzero(as_mask(mask))
        for row, text in zip(rows.tolist(), texts.take(rows).to_pylist(), strict=True):
            yield cell(row, name, int(lines[row]), text, kind, what)


def suspicious_rows(body: Body) -> Iterator[Problem]:
    """A last row that looks like the sum of the others."""
    last = len(body.lines) - 1
    if last < 1:
        return
    first_text = next((value for column in body.columns if (value := column[last].as_py())), "")
    if _TOTAL.match(first_text):
        line = int(body.lines[last])
        yield Problem(
            last, None, line, first_text, "total", f"Line {line}, the last, looks like a total of the others."
        )
