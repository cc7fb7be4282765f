"""The top of a file: lines of comment, the header, and whether there is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from whence.loading.dialect import sniff_delimiter
from whence.loading.exact import Record, count_lines, records
from whence.loading.numbers import REAL
from whence.loading.problems import Problem, of_column, of_file, quoted
from whence.model.errors import BadInput
from whence.model.schema import INTERNAL_PREFIX, unique_names

MOST_COLUMNS = 10_000
_COMMENT = re.compile(rb"#[^\r\n]*(\r\n|\r|\n|$)|\r\n|\r|\n")
_INVISIBLE = re.compile(
    r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\x00-\x08\x0b-\x1f\x7f]"
)
_NUMBER = re.compile(REAL, re.ASCII)


@dataclass(frozen=True)
class Top:
    """What comes before the rows, and where the rows begin."""

    delimiter: bytes
    names: list[str]
    originals: list[str]
    has_header: bool
    start: int
    line: int
    blank_lines: int
    problems: list[Problem]


def read_top(data: bytes, name: str) -> Top:
    """Read comments and header; `name` is the file's, for messages."""
    delimiter, comments, start, line, blank_lines = _before_header(data)
    first = next(records(data, delimiter, start, line), None)
    if first is None:
        raise BadInput(f"The file {name} has no header and no rows.", "It holds blank lines or comments only.")
    texts = [(value or b"").decode() for value in first.fields]
    _check_width(len(texts), name)
    problems = [of_file("comment", f"Line {n} is a comment and not data.", n, text) for n, text in comments]
    if _is_data(texts) and not _is_count(texts) and _is_data(_second(data, delimiter, first)):
        names = unique_names([""] * len(texts))
        problems.append(_no_header(first.line))
        return Top(delimiter, names, [], False, first.start, first.line, blank_lines, problems)
    names = _names(texts)
    problems += _header_problems(first, texts, names)
    line += count_lines(data, start, first.stop)
    return Top(delimiter, names, texts, True, first.stop, line, blank_lines, problems)


def _before_header(data: bytes) -> tuple[bytes, list[tuple[int, str]], int, int, int]:
    """Delimiter, lines of comment, and position, line number and count of blank lines where the header begins."""
    comments: list[tuple[int, str]] = []
    position, line, blank_lines, last = 0, 1, 0, 0
    while position < len(data) and (found := _COMMENT.match(data, position)):
        if found[0].startswith(b"#"):
            comments.append((line, found[0].decode().rstrip("\r\n")))
            last = position
        else:
            blank_lines += 1
        position, line = found.end(), line + 1
    delimiter = sniff_delimiter(data, position)
    if comments and _is_header(data, delimiter, last, position):
        return delimiter, comments[:-1], last, comments[-1][0], blank_lines
    return delimiter, comments, position, line, blank_lines


def _is_header(data: bytes, delimiter: bytes, comment: int, position: int) -> bool:
    """A line like `#id,name` above rows of as many fields is a header, not a comment."""
    above, below = next(records(data, delimiter, comment)), next(records(data, delimiter, position), None)
    return below is None or len(above.fields) == len(below.fields) > 1


def _check_width(width: int, name: str) -> None:
    if width > MOST_COLUMNS:
        raise BadInput(
            f"The file {name} has {width} columns; up to {MOST_COLUMNS} can be loaded.",
            "Check the delimiter, or turn columns into rows first.",
        )


def _second(data: bytes, delimiter: bytes, first: Record) -> list[str]:
    record = next(records(data, delimiter, first.stop), None)
    return [value.decode() for value in record.fields if value is not None] if record else []


def _is_count(texts: list[str]) -> bool:
    """0, 1, 2, ... or 1, 2, 3, ...: names that a program gave to columns without names."""
    counted = [str(number) for number in range(len(texts) + 1)]
    return len(texts) > 1 and [text.strip() for text in texts] in (counted[:-1], counted[1:])


def _is_data(texts: list[str]) -> bool:
    """Above numbers alone, a first record of numbers alone is no header."""
    return all(_NUMBER.fullmatch(text.strip()) for text in texts)


def _names(texts: list[str]) -> list[str]:
    seen = [_INVISIBLE.sub("", text).strip() for text in texts]
    return unique_names([text.lstrip("_") if text.startswith(INTERNAL_PREFIX) else text for text in seen])


def _header_problems(first: Record, texts: list[str], names: list[str]) -> Iterator[Problem]:
    for text, name in zip(texts, names, strict=True):
        if text.strip() != name:
            yield of_column(name, "renamed", f"The header {quoted(text)} cannot be used; the column is {name}.", text)
        elif _NUMBER.fullmatch(name):
            message = f"The header {quoted(text)} is a number; if line {first.line} is data, the file has no header."
            yield of_column(name, "header in doubt", message, text)


def _no_header(line: int) -> Problem:
    return of_file("no header", f"Line {line} holds numbers only, so the file has no header; columns got names.", line)
