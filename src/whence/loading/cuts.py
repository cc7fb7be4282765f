"""Finds where a large file can be split so that each stretch begins with a record, by counting quotes."""

from __future__ import annotations

from dataclasses import dataclass

from whence.loading import parse
from whence.loading.exact import Bytes, Form
from whence.loading.scan import scan

STRETCH = 64 << 20
"""Bytes that one task reads."""


@dataclass(frozen=True)
class Stretch:
    """A range of bytes of a file that holds complete records, and the line of the first."""

    start: int
    stop: int
    line: int


def stretches(data: Bytes, form: Form, start: int, line: int, size: int) -> list[Stretch] | None:
    """Return stretches of about this size, or None if a misplaced quote or a comment makes counting quotes unsafe."""
    found: list[Stretch] = []
    first, first_line, position, window = start, line, start, min(size, parse.WINDOW)
    while position < len(data):
        reached = _whole_records(data, form, position, min(position + window, len(data)), line)
        if reached is None:
            return None
        if reached[0] == position:
            window *= 2  # one record is longer than the window
            continue
        position, line = reached
        window = min(size, parse.WINDOW)
        if position - first >= size or position == len(data):
            found.append(Stretch(first, position, first_line))
            first, first_line = position, line
    return found


def _whole_records(data: Bytes, form: Form, start: int, stop: int, line: int) -> tuple[int, int] | None:
    """Return where the last complete record of a window ends and the line after it, or None if counting is unsafe."""
    plain = parse.plain_stop(data, form, start, stop)
    if plain is not None:
        return plain, line + data[start:plain].count(b"\n")
    if parse.has_comment(data, form, start, stop):
        return None
    found = scan(data, form, start, stop, line)
    return None if found.broken else (found.stop, found.next_line)
