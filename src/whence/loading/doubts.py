"""Cells and rows that can be read but may mean something else: bad bytes, words for missing values, totals."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.encoding import CARRIED, restore
from whence.loading.problems import Problem, cell, of_column
from whence.loading.words import Rows, as_mask

_NOTHING = pa.array(["NULL", "(null)", "\\N", "#N/A"])
_TOTAL = re.compile(r"\s*(grand |sub)?(total|sum|gesamt|summe|totaux|somme)\b", re.IGNORECASE)


def restore_bad_bytes(name: str, texts: pa.Array, lines: Rows) -> tuple[pa.Array, list[Problem]]:
    """Replace bytes that are no letters by a replacement character, and keep the bytes in the problem."""
    rows = np.flatnonzero(as_mask(pc.match_substring_regex(texts, CARRIED.pattern)))
    if not len(rows):
        return texts, []
    values, problems = texts.to_pylist(), []
    for row in rows.tolist():
        values[row], spelled = restore(values[row])
        problems.append(
            cell(row, name, int(lines[row]), text=spelled, kind="bad bytes", what="holds bytes that are not UTF-8")
        )
    return pa.array(values, pa.string()), problems


def encoding_note(name: str, encoding: str, *, is_guess: bool, is_users_choice: bool) -> Problem:
    """Return the note on a column with letters beyond ASCII in a file that is not UTF-8."""
    if is_users_choice:
        how = "as encoding= says" + (", but some bytes are no letters in it" if is_guess else "")
    elif is_guess:
        how = "a guess, so letters beyond ASCII may be wrong; encoding= chooses another"
    else:
        how = "as the file's first bytes say; encoding= chooses another"
    return of_column(name, "encoding", f"Column {name} was read as {encoding}, {how}.")


def letters_in_doubt(texts: pa.Array) -> Rows:
    """Return the rows with letters beyond ASCII."""
    return np.flatnonzero(as_mask(pc.invert(pc.string_is_ascii(texts))))


def has_suspicious(texts: pa.Array) -> bool:
    """Whether some text gets a problem of its own if the column stays text."""
    return bool(pc.any(pc.is_in(texts, _NOTHING)).as_py()) or _has_zero_byte(texts)


def _has_zero_byte(texts: pa.Array) -> bool:
    data = texts.buffers()[2]
    if data is None or np.frombuffer(data, np.uint8).all():
        return False
    return bool(pc.any(pc.match_substring(texts, "\0")).as_py())


def suspicious_cells(name: str, texts: pa.Array, lines: Rows) -> Iterator[Problem]:
    """Yield problems for text that may stand for a missing value, and for text with a zero byte."""
    if not has_suspicious(texts):
        return
    nothing, zeros = pc.is_in(texts, _NOTHING), pc.match_substring(texts, "\0")
    for kind, mask, what in (
        ("missing word", nothing, "may stand for a missing value; it is kept as text, nulls=[...] leaves it out"),
        ("zero byte", zeros, "holds a zero byte; it is kept"),
    ):
        rows = np.flatnonzero(as_mask(mask))
        for row, text in zip(rows.tolist(), texts.take(rows).to_pylist(), strict=True):
            yield cell(row, name, int(lines[row]), text=text, kind=kind, what=what)


def looks_like_total(text: str) -> bool:
    """Whether the first text of a last row says that the row sums up the others."""
    return _TOTAL.match(text) is not None
