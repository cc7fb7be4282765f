"""One delimited file as columns of text, before any column has a type; every oddity of the form is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.loading.dialect import Dialect
from whence.loading.doubts import letters_in_doubt, restore_bad_bytes, suspicious_rows
from whence.loading.encoding import Text, decode
from whence.loading.exact import AFTER_QUOTE
from whence.loading.header import read_top
from whence.loading.parse import Body, Odd, parse
from whence.loading.problems import Problem, cell, long_row, of_file, short_row
from whence.loading.source import Source, read_source

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Texts:
    """The records of one file; `doubtful` are rows of a column whose letters are a guess."""

    source: Source
    encoding: str
    dialect: Dialect
    header: list[str]
    names: list[str]
    columns: list[pa.ChunkedArray]
    lines: Rows
    problems: list[Problem]
    doubtful: dict[str, Rows]
    blank_lines: int


def read_texts(path: Path) -> Texts:
    """Read a delimited file whose delimiter, encoding and header are found out."""
    source = read_source(path)
    text = decode(source.data, str(path))
    data, problems = _without_end_mark(text.data)
    top = read_top(data, str(path))
    body = parse(data, top.delimiter, len(top.names), top.start, top.line)
    problems += [*top.problems, *_file_problems(data, body), *_odd_problems(body, top.names), *suspicious_rows(body)]
    columns, doubtful = _letters(text, top.names, body, problems)
    dialect = Dialect(top.delimiter.decode(), '"', top.has_header)
    blank = body.blank_lines + top.blank_lines
    return Texts(
        source, text.encoding, dialect, top.originals, top.names, columns, body.lines, problems, doubtful, blank
    )


def _letters(
    text: Text, names: list[str], body: Body, problems: list[Problem]
) -> tuple[list[pa.ChunkedArray], dict[str, Rows]]:
    """The columns with bytes that are no letters shown as such, and the rows whose letters are in doubt."""
    columns, doubtful = [], {}
    for name, texts in zip(names, body.columns, strict=True):
        column = texts
        if text.has_bad_bytes:
            column, found = restore_bad_bytes(name, texts, body.lines)
            problems += found
        doubtful[name], found = letters_in_doubt(name, column, text)
        problems += found
        columns.append(column)
    return columns, doubtful


def _without_end_mark(data: bytes) -> tuple[bytes, list[Problem]]:
    """Old DOS programs end a file with Ctrl-Z, which is no data."""
    kept = data.rstrip(b"\x1a")
    if len(kept) == len(data):
        return data, []
    what = "The file ends with Ctrl-Z, an old end-of-file mark; it is not data."
    return kept, [of_file("end mark", what, text="\x1a")]


def _file_problems(data: bytes, body: Body) -> Iterator[Problem]:
    if not len(body.lines):
        yield of_file("no rows", "The file has a header but no rows, so all columns are text.")
    trailing = sum(odd.kind == "trailing delimiter" for odd in body.odd)
    if trailing:
        what = f"{trailing} rows end with a delimiter after the last column; nothing is lost."
        yield of_file("trailing delimiter", what)
    both = data.count(b"\r\n")
    if both and (data.count(b"\n") > both or data.count(b"\r") > both):
        yield of_file("mixed line ends", "The file ends some lines with CRLF and some with CR or LF alone.")


def _odd_problems(body: Body, names: list[str]) -> Iterator[Problem]:
    for odd in body.odd:
        yield from _odd_problem(odd, int(body.lines[odd.row]), names)


def _odd_problem(odd: Odd, line: int, names: list[str]) -> Iterator[Problem]:
    if odd.column is not None:
        after = "goes on after its closing quote; both parts are kept"
        never = "opens a quote that is never closed; the quote is kept as a letter"
        yield cell(odd.row, names[odd.column], line, odd.text, odd.kind, after if odd.kind == AFTER_QUOTE else never)
    elif odd.kind == "short row":
        yield from short_row(odd.row, line, odd.text, odd.fields, names)
    elif odd.kind == "long row":
        yield long_row(odd.row, line, odd.text, odd.fields, len(names))
