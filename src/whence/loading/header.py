"""Reads the top of a file: skipped lines, comment lines and the header, and decides whether there is a header."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from whence.loading.dialect import sniff_delimiter
from whence.loading.exact import Bytes, Comment, Form, Record, count_lines, records
from whence.loading.numbers import REAL
from whence.loading.options import Options
from whence.loading.problems import Problem, of_column, of_file, quoted
from whence.model.errors import BadInput
from whence.model.schema import INTERNAL_PREFIX, unique_names

MOST_COLUMNS = 10_000
_LINE = re.compile(rb"[^\r\n]*(\r\n|\r|\n|$)")
_SIGN = b"#"
_USUAL = (b",", b"\t")
"""Delimiters that need no note in the report."""
_INVISIBLE = re.compile(
    r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\x00-\x08\x0b-\x1f\x7f]"
)
_NUMBER = re.compile(REAL, re.ASCII)


@dataclass(frozen=True)
class Top:
    """What comes before the rows: names and form of the columns, and the position at which the rows begin."""

    form: Form
    names: list[str]
    originals: list[str]
    has_header: bool
    start: int
    line: int
    blank_lines: int
    problems: list[Problem]


@dataclass(frozen=True)
class _Place:
    """A position, its line number, and the comments and blank lines before it."""

    position: int
    line: int
    comments: list[Comment]
    blank: int


def read_top(data: Bytes, name: str, options: Options | None = None) -> Top:
    """Read what precedes the rows. `name` is the file's name, for messages."""
    options = options or Options()
    skipped, problems = _skipped(data, options.skip)
    form, place = _before_header(data, skipped, options)
    first = next(records(data, form, place.position, place.line), None)
    if first is None:
        raise BadInput(f"The file {name} has no header and no rows.", "It holds blank lines or comments only.")
    texts = [(value or b"").decode() for value in first.fields]
    _check_width(len(texts), name)
    problems += [_comment(*comment) for comment in place.comments]
    if options.delimiter is None and len(texts) > 1 and form.delimiter not in _USUAL:
        problems.append(_split_at(form.delimiter))
    has_header = options.header
    if has_header is None:
        has_header = not _is_data(texts) or _is_count(texts) or not _is_data(_second(data, form, first))
        problems += [] if has_header else [_no_header(first.line)]
    if not has_header:
        names = unique_names([""] * len(texts))
        return Top(
            form=form,
            names=names,
            originals=[],
            has_header=False,
            start=first.start,
            line=first.line,
            blank_lines=place.blank,
            problems=problems,
        )
    names = clean_names(texts)
    problems += _header_problems(first, texts, names)
    line = first.line + count_lines(data, first.start, first.stop)
    return Top(
        form=form,
        names=names,
        originals=texts,
        has_header=True,
        start=first.stop,
        line=line,
        blank_lines=place.blank,
        problems=problems,
    )


def _skipped(data: Bytes, count: int) -> tuple[_Place, list[Problem]]:
    position = 0
    for _ in range(count):
        found = _LINE.match(data, position)
        position = found.end() if found else position
    if not count:
        return _Place(0, 1, [], 0), []
    text = data[:position].decode()
    what = of_file("skipped", f"The first {count} lines are left out, as asked.", 1, text)
    return _Place(position, count + 1, [], 0), [what]


def _before_header(data: Bytes, start: _Place, options: Options) -> tuple[Form, _Place]:
    """Return the form of the file, and where its header begins."""
    quote = b'"' if options.quote is None else options.quote.encode()
    given = options.delimiter.encode() if options.delimiter else None
    sign = _SIGN if options.comment is None else options.comment.encode()
    place = _after_comments(data, start, sign)
    delimiter = given or sniff_delimiter(data, place.position, quote)
    # By default # begins comments above the header only: among the rows it may be data.
    form = Form(delimiter, quote, b"" if options.comment is None else sign)
    if options.comment is None and place.comments:
        above = _after_comments(data, start, sign, len(place.comments) - 1)
        if _is_header(data, form, above.position, place.position):
            return form, above
    return form, place


def _after_comments(data: Bytes, start: _Place, sign: bytes, most: int | None = None) -> _Place:
    """Return the position after blank lines and comments, after at most `most` comments."""
    position, line, blank = start.position, start.line, 0
    comments: list[Comment] = []
    while position < len(data) and (found := _LINE.match(data, position)):
        text = found[0].rstrip(b"\r\n")
        if sign and text.startswith(sign) and (most is None or len(comments) < most):
            comments.append((line, text.decode()))
        elif text:
            break
        else:
            blank += 1
        position, line = found.end(), line + 1
    return _Place(position, line, comments, blank)


def _comment(line: int, text: str) -> Problem:
    return of_file("comment", f"Line {line} is a comment and not data; comment='' reads it as data.", line, text)


def _split_at(delimiter: bytes) -> Problem:
    what = f"The file is split at {quoted(delimiter.decode())}, as its first records suggest"
    return of_file("delimiter", f"{what}; delimiter= chooses another.")


def _is_header(data: Bytes, form: Form, comment: int, position: int) -> bool:
    """Whether a comment line is the header: `#id,name` above rows of as many fields is one."""
    above, below = next(records(data, form, comment)), next(records(data, form, position), None)
    return below is None or len(above.fields) == len(below.fields) > 1


def _check_width(width: int, name: str) -> None:
    if width > MOST_COLUMNS:
        raise BadInput(
            f"The file {name} has {width} columns; up to {MOST_COLUMNS} can be loaded.",
            "Check the delimiter, or turn columns into rows first.",
        )


def _second(data: Bytes, form: Form, first: Record) -> list[str]:
    record = next(records(data, form, first.stop), None)
    return [value.decode() for value in record.fields if value is not None] if record else []


def _is_count(texts: list[str]) -> bool:
    """Whether the texts are 0, 1, 2, ... or 1, 2, 3, ...: names that programs give to columns without names."""
    counted = [str(number) for number in range(len(texts) + 1)]
    return len(texts) > 1 and [text.strip() for text in texts] in (counted[:-1], counted[1:])


def _is_data(texts: list[str]) -> bool:
    """Whether all texts are numbers. A first record of numbers above a second one of numbers is no header."""
    return all(_NUMBER.fullmatch(text.strip()) for text in texts)


def clean_names(texts: list[str]) -> list[str]:
    """Return usable column names: without invisible letters, without whence's own prefix, all different."""
    seen = [_INVISIBLE.sub("", text).strip() for text in texts]
    return unique_names([text.lstrip("_") if text.startswith(INTERNAL_PREFIX) else text for text in seen])


def _header_problems(first: Record, texts: list[str], names: list[str]) -> Iterator[Problem]:
    for text, name in zip(texts, names, strict=True):
        if text.strip() != name:
            yield of_column(name, "renamed", f"The header {quoted(text)} cannot be used; the column is {name}.", text)
        elif _NUMBER.fullmatch(name):
            message = f"The header {quoted(text)} is a number; if line {first.line} is data, load it with header=False."
            yield of_column(name, "header in doubt", message, text)


def _no_header(line: int) -> Problem:
    what = f"Line {line} holds numbers only, so the file has no header and columns got names"
    return of_file("no header", f"{what}; header=True takes it as the header.", line)
