"""CSV text into columns of text: fast where the text is regular, exact everywhere, the same result either way."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as pv

from whence.loading.exact import QUOTE, Record, count_lines, records
from whence.loading.scan import Scan, scan

WINDOW = 8 << 20
"""Bytes looked at in one go: large enough for NumPy, small enough to stay in memory several times over."""

EXACT_STRETCH = 1 << 18
"""How much is read exactly after a quote out of place; about as dear as looking at one window again."""


@dataclass(frozen=True)
class Odd:
    """Something that does not fit the form: a cell with odd quotes, or a row with too few or too many fields."""

    row: int
    column: int | None
    kind: str
    text: str
    fields: int = 0


@dataclass(frozen=True)
class Body:
    """Records as columns of text; NULL is an empty field without quotes."""

    columns: list[pa.ChunkedArray]
    lines: npt.NDArray[np.int64]
    odd: list[Odd]
    blank_lines: int


@dataclass(frozen=True)
class _Piece:
    """A run of consecutive records."""

    columns: Sequence[pa.ChunkedArray | pa.Array]
    lines: npt.NDArray[np.int64]
    odd: list[Odd]
    blank: int


def parse(data: bytes, delimiter: bytes, width: int, start: int = 0, line: int = 1) -> Body:
    """Read the records from a position on into `width` columns."""
    with ThreadPoolExecutor(max_workers=4) as pool:
        pieces = [piece.result() for piece in _pieces(data, delimiter, width, start, line, pool)]
    columns = [
        pa.chunked_array([chunk for piece in pieces for chunk in _chunks(piece.columns[column])], pa.string())
        for column in range(width)
    ]
    lines = np.concatenate([piece.lines for piece in pieces]) if pieces else np.zeros(0, np.int64)
    return Body(columns, lines, list(_renumbered(pieces)), sum(piece.blank for piece in pieces))


def _renumbered(pieces: Sequence[_Piece]) -> Iterator[Odd]:
    """Each piece counts its rows from 0; the whole counts on."""
    before = 0
    for piece in pieces:
        yield from (replace(odd, row=odd.row + before) for odd in piece.odd)
        before += len(piece.lines)


def _chunks(column: pa.ChunkedArray | pa.Array) -> list[pa.Array]:
    return column.chunks if isinstance(column, pa.ChunkedArray) else [column]


def _pieces(
    data: bytes, delimiter: bytes, width: int, start: int, line: int, pool: ThreadPoolExecutor
) -> Iterator[Future[_Piece]]:
    position, window = start, WINDOW
    while position < len(data):
        found = scan(data, delimiter, position, min(position + window, len(data)), line)
        if found.stop > position:
            yield pool.submit(_regular, data, delimiter, width, found)
            position, line, window = found.stop, found.next_line, min(2 * window, WINDOW)
        elif not found.broken:
            window *= 2
            continue
        if found.broken:
            piece, position, line = _irregular(data, delimiter, width, position, line)
            window = min(4 * EXACT_STRETCH, WINDOW)  # where one quote is out of place others are near
            yield _done(piece)


def _done(piece: _Piece) -> Future[_Piece]:
    future: Future[_Piece] = Future()
    future.set_result(piece)
    return future


def _irregular(data: bytes, delimiter: bytes, width: int, position: int, line: int) -> tuple[_Piece, int, int]:
    """Read one stretch exactly; the record that runs over its end is part of it."""
    found: list[Record] = []
    start, limit = position, position + EXACT_STRETCH
    for record in records(data, delimiter, position, line):
        found.append(record)
        position = record.stop
        if position >= limit:
            break
    else:
        position = len(data)
    lines = count_lines(data, start, position)
    blank = lines - sum(count_lines(data, record.start, record.stop) for record in found)
    return replace(_as_piece(data, delimiter, width, found), blank=blank), position, line + lines


def _regular(data: bytes, delimiter: bytes, width: int, found: Scan) -> _Piece:
    """Records without a quote out of place: Arrow reads those of the right width, the others are read exactly."""
    fits = found.counts == width
    if fits.all():
        return _Piece(_arrow(_between(data, found), delimiter, width), found.lines, [], found.blank)
    kept = b"".join(data[a:b] for a, b in _runs(found.starts[fits], found.stops[fits]))
    ragged = [
        next(records(data, delimiter, int(start), int(line)))
        for start, line in zip(found.starts[~fits], found.lines[~fits], strict=True)
    ]
    rows = np.flatnonzero(~fits)
    others = _as_piece(data, delimiter, width, ragged, rows)
    order = np.argsort(np.concatenate([np.flatnonzero(fits), rows]))
    columns = [
        pa.chunked_array([*_chunks(one), *_chunks(other)]).take(order)
        for one, other in zip(_arrow(kept, delimiter, width), others.columns, strict=True)
    ]
    return _Piece(columns, found.lines, others.odd, found.blank)


def _between(data: bytes, found: Scan) -> bytes:
    return data[int(found.starts[0]) : int(found.stops[-1])] if len(found.starts) else b""


def _runs(starts: npt.NDArray[np.int64], stops: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Neighbouring records joined, so that a few cuts are made and not one per record."""
    breaks = np.flatnonzero(starts[1:] != stops[:-1])
    first = np.concatenate([[0], breaks + 1]).astype(np.int64)
    last = np.append(breaks, len(starts) - 1)
    return zip(starts[first].tolist(), stops[last].tolist(), strict=True) if len(starts) else iter(())


def _arrow(data: bytes, delimiter: bytes, width: int) -> list[pa.ChunkedArray]:
    names = [str(position) for position in range(width)]
    if not data:
        return [pa.chunked_array([], pa.string()) for _ in names]
    if not data.endswith((b"\n", b"\r")):
        data += b"\n"  # Arrow takes an empty field at the very end for a quoted one if the field before it is quoted.
    has_quotes = QUOTE in data
    table = pv.read_csv(
        io.BytesIO(data),
        read_options=pv.ReadOptions(column_names=names, block_size=len(data) + 1, use_threads=False),
        parse_options=pv.ParseOptions(
            delimiter=delimiter.decode(), quote_char='"' if has_quotes else False, newlines_in_values=has_quotes
        ),
        convert_options=pv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            check_utf8=False,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
    return list(table.columns)


def _as_piece(
    data: bytes, delimiter: bytes, width: int, found: Sequence[Record], rows: npt.NDArray[np.int64] | None = None
) -> _Piece:
    """Records read exactly, padded or cut to the width; what was cut is among the oddities."""
    odd: list[Odd] = []
    for number, record in enumerate(found):
        odd += _oddities(data, delimiter, width, record, number if rows is None else int(rows[number]))
    padded = [(record.fields + [None] * (width - len(record.fields)))[:width] for record in found]
    columns = [
        pa.array([fields[column] for fields in padded], pa.binary()).cast(pa.string()) for column in range(width)
    ]
    return _Piece(columns, np.array([record.line for record in found], np.int64), odd, 0)


def _oddities(data: bytes, delimiter: bytes, width: int, record: Record, row: int) -> Iterator[Odd]:
    for column, kind in record.odd:
        if column < width:
            yield Odd(row, column, kind, (record.fields[column] or b"").decode())
    count = len(record.fields)
    if count < width:
        yield Odd(row, None, "short row", data[record.start : record.stop].decode().rstrip("\r\n"), count)
    elif count > width:
        extras = record.fields[width:]
        kind = "long row" if any(value is not None for value in extras) else "trailing delimiter"
        yield Odd(row, None, kind, delimiter.join(value or b"" for value in extras).decode(), count)
