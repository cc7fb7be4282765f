"""Problems with the form of a file: its end, its line ends, and rows that differ in form from the others."""

from __future__ import annotations

from collections.abc import Iterator

from whence.loading.exact import AFTER_QUOTE, Bytes, Form
from whence.loading.line_ends import has_mixed_line_ends
from whence.loading.parse import Odd, Piece
from whence.loading.problems import Problem, cell, long_row, of_file, short_row
from whence.loading.scratch import Scratch, blocks

_END_MARK = b"\x1a"


def without_end_mark(data: Bytes, scratch: Scratch) -> tuple[Bytes, list[Problem]]:
    """Remove Ctrl-Z at the end of a file, which old DOS programs write and which is no data."""
    stop = len(data)
    while stop and data[stop - 1 : stop] == _END_MARK:
        stop -= 1
    if stop == len(data):
        return data, []
    what = "The file ends with Ctrl-Z, an old end-of-file mark; it is not data."
    kept = scratch.keep(block[: stop - at] for at, block in _blocks_with_positions(data) if at < stop)
    return kept, [of_file("end mark", what, text="\x1a")]


def _blocks_with_positions(data: Bytes) -> Iterator[tuple[int, bytes]]:
    position = 0
    for block in blocks(data):
        yield position, block
        position += len(block)


def line_end_problems(data: Bytes, form: Form) -> Iterator[Problem]:
    """Yield a problem if the file ends its records in more than one way."""
    if has_mixed_line_ends(data, form):
        yield of_file("mixed line ends", "The file ends some lines with CRLF and some with CR or LF alone.")


def odd_problems(piece: Piece, names: list[str]) -> Iterator[Problem]:
    """Yield the problems of one piece of a file."""
    for odd in piece.odd:
        yield from _odd_problem(odd, int(piece.lines[odd.row]), names)


def _odd_problem(odd: Odd, line: int, names: list[str]) -> Iterator[Problem]:
    if odd.column is not None:
        after = "goes on after its closing quote; both parts are kept"
        never = "opens a quote that is never closed; the quote is kept as a letter"
        yield cell(
            odd.row,
            names[odd.column],
            line,
            text=odd.text,
            kind=odd.kind,
            what=after if odd.kind == AFTER_QUOTE else never,
        )
    elif odd.kind == "short row":
        yield from short_row(odd.row, line, odd.text, odd.fields, names)
    elif odd.kind == "long row":
        yield long_row(odd.row, line, odd.text, odd.fields, len(names))
