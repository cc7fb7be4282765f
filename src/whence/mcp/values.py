"""Writes values and rows as text for agents; a question mark follows a doubtful value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from whence.server.values import column_to_json, to_json
from whence.workspace.checked import row_ids

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset

WIDEST = 40
"""The most characters of a value beside others."""
_WIDEST_ALONE = 300
_PAGE = 1_600
"""About how many bytes of rows a page has."""
_WIDEST_TABLE = 400
"""About how many bytes a line of a table may have."""


def text_of(value: object, most: int = WIDEST) -> str:
    """Return a value on one line, cut if it is long.

    >>> text_of(None), text_of("a\\nb"), text_of("x" * 60, 5)
    ('null', 'a\\\\nb', 'xxxx…')
    """
    plain = to_json(value)
    text = "null" if plain is None else str(plain).replace("\n", "\\n")
    return text if len(text) <= most else text[: most - 1] + "…"


def table_heading(dataset: Dataset, columns: Sequence[str]) -> str:
    """Return the line above rows: the columns, and how many others there are."""
    hidden = len(dataset.columns) - len(columns)
    others = f" (and {hidden:,} more columns: name them in `columns`)" if hidden else ""
    return "row | " + " | ".join(columns) + others


def fitting_columns(dataset: Dataset) -> list[str]:
    """Return the first columns whose values fit on a line."""
    shown: list[str] = []
    for name in dataset.columns:
        if shown and sum(max(len(each.encode()), 12) + 3 for each in [*shown, name]) > _WIDEST_TABLE:
            break
        shown.append(name)
    return shown


def row_lines(dataset: Dataset, rids: Sequence[int], columns: Sequence[str]) -> Iterator[str]:
    """Yield rows as lines: the row id, then the values of these columns. Few rows are read at a time."""
    # About as many as fill a page, as each read has a fixed cost.
    size = max(5, _PAGE // (8 * len(columns)))
    for start in range(0, len(rids), size):
        yield from _read_lines(dataset, rids[start : start + size], columns)


def _read_lines(dataset: Dataset, rids: Sequence[int], columns: Sequence[str]) -> Iterator[str]:
    table = dataset.context.store.take(dataset.record, row_ids(rids), list(columns))
    values = [column_to_json(column) for column in table.columns]
    flags = _flags(dataset, rids, columns)
    most = _WIDEST_ALONE if len(columns) == 1 else WIDEST
    for place, rid in enumerate(rids):
        *doubts, is_doubtful = flags[place]
        cells = [
            text_of(column[place], most) + ("?" if doubt else "") for column, doubt in zip(values, doubts, strict=True)
        ]
        yield f"{rid}{'?' if is_doubtful else ''} | " + " | ".join(cells)


def _flags(dataset: Dataset, rids: Sequence[int], columns: Sequence[str]) -> list[list[bool]]:
    """Return for each row the doubt flags of these columns, then that of the row. Nothing is read if there are none."""
    doubt = dataset.caveats.doubt
    if not doubt.rows and doubt.columns.isdisjoint(columns):
        return [[False] * (len(columns) + 1) for _ in rids]
    marks = dataset.caveats.marks_of(list(rids))
    positions = [dataset.columns.index(name) for name in columns]
    chosen = [marks.column(place).to_pylist() for place in [*positions, marks.num_columns - 1]]
    return [list(row) for row in zip(*chosen, strict=True)]
