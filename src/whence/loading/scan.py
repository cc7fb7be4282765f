"""Finds records in a stretch of CSV by counting quotes, and reports from where on that cannot be trusted.

While every quote is where RFC 4180 allows one, a byte is inside quotes exactly if the number of quotes before it is
odd, which needs no state machine. A quote between two letters of an unquoted field is a letter, too. The first quote
anywhere else ends the trusted stretch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from whence.loading.exact import Bytes, Form

_LF, _CR = 10, 13

Positions = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Scan:
    """The complete records of a stretch: start and stop of each (with its line end), its line, its field count."""

    starts: Positions
    stops: Positions
    lines: Positions
    counts: Positions
    stop: int
    """Where the trusted stretch ends. It includes blank lines after the last record."""
    next_line: int
    blank: int
    """Number of blank lines that were skipped."""
    broken: bool
    """Whether a misplaced quote follows, or a quote that is not closed in this file."""


def scan(data: Bytes, form: Form, start: int, stop: int, line: int) -> Scan:
    """Find the records that begin at `start` and end before `stop`."""
    text = np.frombuffer(data[start:stop], np.uint8)
    # The byte after the window decides about its last one. The end of a file counts as a line end.
    following = np.append(text[1:], data[stop] if stop < len(data) else _LF)
    inside, trusted, broken = _inside_quotes(text, following, form)
    ends = (text == _LF) | ((text == _CR) & (following != _LF))
    outside_ends = np.flatnonzero(ends[:trusted] & ~inside[:trusted])
    at_end = stop == len(data)
    if at_end and not broken and inside[-1]:
        broken = True
    # The last record of a file need not end with a line end.
    elif at_end and not broken and not ends[-1]:
        outside_ends = np.append(outside_ends, len(text) - 1)
    return _records(text, form, ends, inside=inside, outside_ends=outside_ends, start=start, line=line, broken=broken)


def _inside_quotes(text: npt.NDArray[np.uint8], following: npt.NDArray[np.uint8], form: Form) -> tuple[Mask, int, bool]:
    """Return which bytes are inside quotes, how far that can be trusted, and whether a misplaced quote ends it."""
    if not form.quote:
        return np.zeros(len(text), dtype=bool), len(text), False
    quotes = text == ord(form.quote)
    places = np.flatnonzero(quotes)
    if not len(places):
        return np.zeros(len(text), dtype=bool), len(text), False
    neighbours = np.array([ord(form.delimiter), _LF, _CR, ord(form.quote)], np.uint8)
    after_one = np.isin(np.where(places > 0, text[places - 1], _LF), neighbours)
    before_one = np.isin(following[places], neighbours)
    amid = ~after_one & ~before_one
    quotes[places[amid]] = False  # as in 5" pipe: a letter, if it turns out to be outside quotes
    inside = (np.cumsum(quotes, dtype=np.int32) & 1).astype(bool)
    opening = inside[places]
    in_place = np.where(amid, ~opening, np.where(opening, after_one, before_one))
    wrong = places[~in_place]
    return (inside, int(wrong[0]), True) if len(wrong) else (inside, len(text), False)


def _records(
    text: npt.NDArray[np.uint8],
    form: Form,
    ends: Mask,
    inside: Mask,
    outside_ends: Positions,
    start: int,
    line: int,
    broken: bool,
) -> Scan:
    stops = outside_ends + 1
    starts = np.concatenate([[0], stops[:-1]]).astype(np.int64)[: len(stops)]
    length = int(stops[-1]) if len(stops) else 0
    line_ends = np.flatnonzero(ends[:length])
    delimiters = np.flatnonzero((text[:length] == ord(form.delimiter)) & ~inside[:length])
    before = np.searchsorted(delimiters, np.append(starts, length))
    blank = (text[starts] == _LF) | (text[starts] == _CR)
    counts = np.diff(before) + 1
    kept = ~blank
    return Scan(
        starts=starts[kept] + start,
        stops=stops[kept] + start,
        lines=np.searchsorted(line_ends, starts[kept]) + line,
        counts=counts[kept],
        stop=start + length,
        next_line=line + len(line_ends),
        blank=int(blank.sum()),
        broken=broken,
    )
