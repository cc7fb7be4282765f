"""Finds the row of a table that names its columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_NUMBER = re.compile(r"[^A-Za-z]*\d[^A-Za-z]*")
"""Matches numbers, dates and amounts: text with a digit and no letter."""

Cells = Sequence[object]


def find_header(rows: Sequence[Cells]) -> int | None:
    """Return the first row with as many cells filled as is usual, all different words; None if there is none.

    >>> find_header([("Prices 2020", None), (None, None), ("part", "price"), ("bolt", "1.50"), ("nut", "2")])
    2
    """
    full = Counter(len(_filled(row)) for row in rows if _filled(row))
    if not full:
        return None
    usual = max(full, key=lambda width: (full[width], width))
    return next((number for number, row in enumerate(rows) if _could_name(_filled(row), usual)), None)


def _could_name(cells: list[str], usual: int) -> bool:
    are_words = all(not _NUMBER.fullmatch(cell) for cell in cells)
    return len(cells) >= usual and are_words and len({cell.lower() for cell in cells}) == len(cells)


def _filled(row: Cells) -> list[str]:
    return [text for cell in row if cell is not None and (text := str(cell).strip())]
