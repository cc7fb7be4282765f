"""The exact meaning of CSV text: RFC 4180, and what is done with text that breaks its rules.

Everything faster must agree with this. Where the rules are broken the reading is the one of Python's csv module, with
one exception: a quote that is never closed is taken as a letter, so that it spoils one cell and not all that follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

QUOTE = b'"'

AFTER_QUOTE = "text after quote"
UNCLOSED = "unclosed quote"

_NEWLINE = re.compile(b"[\r\n]")


@dataclass(frozen=True, slots=True)
class Record:
    """One record: the line it begins on, its fields (None: empty and not quoted), where it begins and ends."""

    line: int
    fields: list[bytes | None]
    start: int
    stop: int
    odd: tuple[tuple[int, str], ...] = ()
    """Fields whose quotes break the rules, with how."""


def records(data: bytes, delimiter: bytes, start: int = 0, line: int = 1) -> Iterator[Record]:
    """The records from a position on, blank lines left out; `line` is the line number there."""
    position = start
    while position < len(data):
        end_of_blank = _after_newline(data, position)
        if end_of_blank != position:
            position, line = end_of_blank, line + 1
            continue
        record = _record(data, delimiter, position, line)
        yield record
        line += count_lines(data, position, record.stop)
        position = record.stop


def count_lines(data: bytes, start: int, stop: int) -> int:
    """How many lines end between two positions; CR, LF and CRLF each end one."""
    returns = data.count(b"\r", start, stop)
    return data.count(b"\n", start, stop) + (returns and returns - data.count(b"\r\n", start, stop))


def _record(data: bytes, delimiter: bytes, start: int, line: int) -> Record:
    newline = _NEWLINE.search(data, start)
    end = newline.start() if newline else len(data)
    text = data[start:end]
    if not text.startswith(QUOTE) and delimiter + QUOTE not in text:  # no field is quoted: a quote inside is a letter
        return Record(line, [value or None for value in text.split(delimiter)], start, _after_newline(data, end))
    return _quoted_record(data, delimiter, start, line)


def _quoted_record(data: bytes, delimiter: bytes, start: int, line: int) -> Record:
    fields: list[bytes | None] = []
    odd: list[tuple[int, str]] = []
    position = start
    while True:
        value, position, problem = _field(data, delimiter, position)
        if problem:
            odd.append((len(fields), problem))
        fields.append(value)
        if data[position : position + 1] != delimiter:
            return Record(line, fields, start, _after_newline(data, position), tuple(odd))
        position += 1


def _field(data: bytes, delimiter: bytes, start: int) -> tuple[bytes | None, int, str | None]:
    """One field: its value, where it ends, and what is odd about it."""
    if data[start : start + 1] != QUOTE:
        end = _end_of_plain(data, delimiter, start)
        return data[start:end] or None, end, None
    close = _closing_quote(data, start + 1)
    if close < 0:
        end = _end_of_plain(data, delimiter, start)
        return data[start:end], end, UNCLOSED
    value = data[start + 1 : close].replace(b'""', QUOTE)
    end = _end_of_plain(data, delimiter, close + 1)
    return value + data[close + 1 : end], end, AFTER_QUOTE if end > close + 1 else None


def _closing_quote(data: bytes, start: int) -> int:
    position = data.find(QUOTE, start)
    while position >= 0 and data[position + 1 : position + 2] == QUOTE:
        position = data.find(QUOTE, position + 2)
    return position


def _end_of_plain(data: bytes, delimiter: bytes, start: int) -> int:
    found = _ends(delimiter).search(data, start)
    return found.start() if found else len(data)


@lru_cache
def _ends(delimiter: bytes) -> re.Pattern[bytes]:
    return re.compile(b"[\r\n" + re.escape(delimiter) + b"]")


def _after_newline(data: bytes, position: int) -> int:
    if data[position : position + 2] == b"\r\n":
        return position + 2
    return position + 1 if data[position : position + 1] in (b"\r", b"\n") else position
