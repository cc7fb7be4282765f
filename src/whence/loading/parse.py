"""Parses CSV text into columns of text: quickly where the text is regular, exactly elsewhere, with the same result."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from whence.loading.exact import Bytes, Comment, Form, Record, count_lines, records
from whence.loading.regular import read_regular, read_window
from whence.loading.scan import Scan, scan
from whence.loading.words import Rows

WINDOW = 8 << 20
"""Bytes per window: large enough for NumPy, small enough to be in memory several times."""

EXACT_STRETCH = 1 << 18
"""Bytes that are read exactly after a misplaced quote. This costs about as much as scanning one window again."""

_AHEAD = 3
"""Number of windows that are read at the same time, which bounds memory."""


@dataclass(frozen=True)
class Odd:
    """Something that does not fit the form: a cell with odd quotes, or a row with too few or too many fields."""

    row: int
    column: int | None
    kind: str
    text: str
    fields: int = 0


@dataclass(frozen=True)
class Piece:
    """Consecutive records as columns of text. NULL is an empty field without quotes. Rows count from 0."""

    columns: Sequence[pa.Array]
    lines: Rows
    odd: Sequence[Odd] = ()
    blank: int = 0
    comments: Sequence[Comment] = ()
    stop: int = 0
    """The position in the file at which the piece ends."""


def parse(data: Bytes, form: Form, width: int, start: int = 0, line: int = 1) -> Iterator[Piece]:
    """Parse the records from a position on into `width` columns, and yield them in pieces."""
    waiting: deque[Future[Piece]] = deque()
    with ThreadPoolExecutor(max_workers=_AHEAD) as pool:
        for piece in _pieces(data, form, width, start=start, line=line, pool=pool):
            waiting.append(piece)
            if len(waiting) > _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _pieces(
    data: Bytes, form: Form, width: int, start: int, line: int, pool: ThreadPoolExecutor
) -> Iterator[Future[Piece]]:
    position, window = start, WINDOW
    while position < len(data):
        stop = min(position + window, len(data))
        plain = plain_stop(data, form, position, stop)
        if plain is not None:
            lines = data[position:plain].count(b"\n")
            yield pool.submit(_plain, data, form, width, start=position, stop=plain, line=line)
            position, line, window = plain, line + lines, WINDOW
            continue
        if has_comment(data, form, position, stop):
            piece, position, line = _irregular(data, form, width, position, line)
            yield _finished_future(piece)
            continue
        found = scan(data, form, position, stop, line)
        if found.stop > position:
            yield pool.submit(_regular, data, form, width, found)
            position, line, window = found.stop, found.next_line, min(2 * window, WINDOW)
        elif not found.broken:
            # Not one record ends in this window, so look further.
            window *= 2
            continue
        if found.broken:
            piece, position, line = _irregular(data, form, width, position, line)
            window = min(4 * EXACT_STRETCH, WINDOW)  # where one quote is out of place others are near
            yield _finished_future(piece)


def plain_stop(data: Bytes, form: Form, position: int, stop: int) -> int | None:
    """Return where the last line of a window ends, or None if a quote, comment or lone carriage return is in it."""
    end = stop if stop == len(data) else data.rfind(b"\n", position, stop) + 1
    if end <= position or (form.quote and data.find(form.quote, position, end) >= 0):
        return None
    if has_comment(data, form, position, end):
        return None
    text = data[position:end]
    returns = text.count(b"\r")
    return None if returns and returns != text.count(b"\r\n") else end


def has_comment(data: Bytes, form: Form, start: int, stop: int) -> bool:
    """Whether a line of a stretch begins like a comment. Quotes in such a line mean nothing."""
    if not form.comment:
        return False
    if data[start : start + len(form.comment)] == form.comment:
        return True
    return re.search(b"[\r\n]" + re.escape(form.comment), data[start:stop]) is not None


def _plain(data: Bytes, form: Form, width: int, start: int, stop: int, line: int) -> Piece:
    """Parse a window of plain lines with Arrow alone, unless a line is blank or has another number of fields."""
    text = data[start:stop]
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    columns = read_window(text, form, width, lines)
    if columns is None:
        return _regular(data, form, width, scan(data, form, start, stop, line))
    return Piece(columns, np.arange(line, line + lines, dtype=np.int64), stop=stop)


def _finished_future(piece: Piece) -> Future[Piece]:
    future: Future[Piece] = Future()
    future.set_result(piece)
    return future


def _irregular(data: Bytes, form: Form, width: int, position: int, line: int) -> tuple[Piece, int, int]:
    """Parse one stretch exactly, including the record that runs over its end."""
    found: list[Record] = []
    comments: list[Comment] = []
    start, limit = position, position + EXACT_STRETCH
    for record in records(data, form, position, line, comments):
        found.append(record)
        position = record.stop
        if position >= limit:
            break
    else:
        position = len(data)
    lines = count_lines(data, start, position)
    blank = lines - sum(count_lines(data, record.start, record.stop) for record in found) - len(comments)
    piece = _as_piece(data, form, width, found)
    return replace(piece, blank=max(blank, 0), comments=comments, stop=position), position, line + lines


def _regular(data: Bytes, form: Form, width: int, found: Scan) -> Piece:
    """Parse records without misplaced quotes: Arrow reads those of the right width, the others are read exactly."""
    fits = found.counts == width
    kept = b"".join(data[a:b] for a, b in _runs(found.starts[fits], found.stops[fits]))
    columns = read_regular(kept, form, width)
    rows = np.flatnonzero(~fits)
    if not len(rows):
        return Piece(columns, found.lines, (), found.blank, stop=found.stop)
    ragged = [
        next(records(data, form, int(start), int(line)))
        for start, line in zip(found.starts[~fits], found.lines[~fits], strict=True)
    ]
    others = _as_piece(data, form, width, ragged, rows)
    order = np.argsort(np.concatenate([np.flatnonzero(fits), rows]))
    merged = [pa.concat_arrays(pair).take(order) for pair in zip(columns, others.columns, strict=True)]
    return Piece(merged, found.lines, others.odd, found.blank, stop=found.stop)


def _runs(starts: Rows, stops: Rows) -> Iterator[tuple[int, int]]:
    """Join neighbouring records, so that there are a few slices and not one per record."""
    breaks = np.flatnonzero(starts[1:] != stops[:-1])
    first = np.concatenate([[0], breaks + 1]).astype(np.int64)
    last = np.append(breaks, len(starts) - 1)
    return zip(starts[first].tolist(), stops[last].tolist(), strict=True) if len(starts) else iter(())


def _as_piece(data: Bytes, form: Form, width: int, found: Sequence[Record], rows: Rows | None = None) -> Piece:
    """Return records that were read exactly, padded or cut to the width. Fields that were cut are in `odd`."""
    odd: list[Odd] = []
    for number, record in enumerate(found):
        odd += _oddities(data, form, width, record, number if rows is None else int(rows[number]))
    padded = [(record.fields + [None] * (width - len(record.fields)))[:width] for record in found]
    columns = [
        pa.array([fields[column] for fields in padded], pa.binary()).cast(pa.string()) for column in range(width)
    ]
    return Piece(columns, np.array([record.line for record in found], np.int64), odd)


def _oddities(data: Bytes, form: Form, width: int, record: Record, row: int) -> Iterator[Odd]:
    for column, kind in record.odd:
        if column < width:
            yield Odd(row, column, kind, (record.fields[column] or b"").decode())
    count = len(record.fields)
    if count < width:
        yield Odd(row, None, "short row", data[record.start : record.stop].decode().rstrip("\r\n"), count)
    elif count > width:
        extras = record.fields[width:]
        kind = "long row" if any(value is not None for value in extras) else "trailing delimiter"
        yield Odd(row, None, kind, form.delimiter.join(_requoted(value, form) for value in extras).decode(), count)


def _requoted(value: bytes | None, form: Form) -> bytes:
    """Return a field as it would be written in the file, so that several joined fields can be split again."""
    text = value or b""
    special = (form.delimiter, form.quote, b"\r", b"\n")
    if not form.quote or ((value is None or text) and not any(letter in text for letter in special)):
        return text
    return form.quote + text.replace(form.quote, form.quote * 2) + form.quote
