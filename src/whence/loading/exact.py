"""The exact meaning of CSV text: RFC 4180, and a rule for text that breaks it.

Every faster path must agree with this module. Text that breaks the rules is read as Python's csv module reads it, with
one exception: a quote that is never closed is taken as a letter, so that it spoils one cell and not all that follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from mmap import mmap

Bytes = bytes | mmap
"""A whole file: in memory, or memory-mapped."""

AFTER_QUOTE = "text after quote"
UNCLOSED = "unclosed quote"

_NEWLINE = re.compile(b"[\r\n]")


@dataclass(frozen=True)
class Form:
    """The delimiter, the quote (empty if fields are not quoted), and the prefix of comment lines."""

    delimiter: bytes = b","
    quote: bytes = b'"'
    comment: bytes = b""


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its first line, its fields (None if empty and not quoted), its start and stop."""

    line: int
    fields: list[bytes | None]
    start: int
    stop: int
    odd: tuple[tuple[int, str], ...] = ()
    """Positions of fields whose quotes break the rules, and how."""


Comment = tuple[int, str]
"""The line number and the text of a comment."""


def records(
    data: Bytes, form: Form, start: int = 0, line: int = 1, comments: list[Comment] | None = None
) -> Iterator[Record]:
    """Yield the records from a position on, without blank lines. Comments are appended to `comments`."""
    position = start
    while position < len(data):
        after = _after_newline(data, position)
        if form.comment and data[position : position + len(form.comment)] == form.comment:
            end = _end_of_line(data, position)
            after = _after_newline(data, end)
            if comments is not None:
                comments.append((line, data[position:end].decode()))
        if after != position:
            position, line = after, line + 1
            continue
        record = _record(data, form, position, line)
        yield record
        line += count_lines(data, position, record.stop)
        position = record.stop


def count_lines(data: Bytes, start: int, stop: int) -> int:
    """Return how many lines end between two positions. CR, LF and CRLF each end one."""
    text = data[start:stop]
    returns = text.count(b"\r")
    return text.count(b"\n") + (returns and returns - text.count(b"\r\n"))


def _end_of_line(data: Bytes, start: int) -> int:
    newline = _NEWLINE.search(data, start)
    return newline.start() if newline else len(data)


def _record(data: Bytes, form: Form, start: int, line: int) -> Record:
    end = _end_of_line(data, start)
    text, quote = data[start:end], form.quote
    # Without a quote where a field begins no field is quoted: a quote inside is a letter.
    if not quote or (not text.startswith(quote) and form.delimiter + quote not in text):
        return Record(line, [value or None for value in text.split(form.delimiter)], start, _after_newline(data, end))
    return _quoted_record(data, form, start, line)


def _quoted_record(data: Bytes, form: Form, start: int, line: int) -> Record:
    fields: list[bytes | None] = []
    odd: list[tuple[int, str]] = []
    position = start
    while True:
        value, position, problem = _field(data, form, position)
        if problem:
            odd.append((len(fields), problem))
        fields.append(value)
        if data[position : position + 1] != form.delimiter:
            return Record(line, fields, start, _after_newline(data, position), tuple(odd))
        position += 1


def _field(data: Bytes, form: Form, start: int) -> tuple[bytes | None, int, str | None]:
    """Return the value of one field, where it ends, and what is odd about it."""
    if data[start : start + 1] != form.quote:
        end = _end_of_plain(data, form.delimiter, start)
        return data[start:end] or None, end, None
    close = _closing_quote(data, form.quote, start + 1)
    if close < 0:
        end = _end_of_plain(data, form.delimiter, start)
        return data[start:end], end, UNCLOSED
    value = data[start + 1 : close].replace(form.quote * 2, form.quote)
    end = _end_of_plain(data, form.delimiter, close + 1)
    return value + data[close + 1 : end], end, AFTER_QUOTE if end > close + 1 else None


def _closing_quote(data: Bytes, quote: bytes, start: int) -> int:
    position = data.find(quote, start)
    while position >= 0 and data[position + 1 : position + 2] == quote:
        position = data.find(quote, position + 2)
    return position


def _end_of_plain(data: Bytes, delimiter: bytes, start: int) -> int:
    found = _ends(delimiter).search(data, start)
    return found.start() if found else len(data)


@lru_cache
def _ends(delimiter: bytes) -> re.Pattern[bytes]:
    return re.compile(b"[\r\n" + re.escape(delimiter) + b"]")


def _after_newline(data: Bytes, position: int) -> int:
    if data[position : position + 2] == b"\r\n":
        return position + 2
    return position + 1 if data[position : position + 1] in (b"\r", b"\n") else position
