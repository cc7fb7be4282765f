"""`whence explain`: reads the marked rows from the command line, and formats the answers."""

from __future__ import annotations

from whence.model.errors import UserError
from whence.workspace.dataset import Dataset
from whence.workspace.explanations import Explanations


def rows_from(text: str) -> list[int]:
    """Parse row numbers and ranges of rows.

    >>> rows_from("3,5-7")
    [3, 5, 6, 7]
    """
    rows: list[int] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        first, _, last = part.partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise UserError(f"{part!r} is no row and no range of rows.", "Write, for example, 3,5-7.")
        rows += range(int(first), int(last or first) + 1)
    return rows


def direction_from(text: str, rows: list[int]) -> str | dict[int, float | str]:
    """Return the direction as a word, or as the value that each marked row should have.

    >>> direction_from("high", [3]), direction_from("20.5", [3])
    ('high', {3: 20.5})
    """
    try:
        value = float(text)
    except ValueError:
        return text
    return dict.fromkeys(rows, value)


def explanation_lines(found: Explanations[Dataset]) -> list[str]:
    """Return the lines of each answer: the condition, then its effect."""
    lines = [] if len(found) else [found.reason]
    for number, each in enumerate(found, start=1):
        low, high = each.c_range
        lines += [f"{number}. {each.predicate.sql}   (c {low:g} to {high:g})", f"   {each.sentence}"]
    if found.few_rows is not None:
        ids = ", ".join(f"{row:,}" for row in found.few_rows.rows.ids)
        lines += [f"Rows {ids}:" if found.few_rows.rows.count > 1 else f"Row {ids}:", f"   {found.few_rows.sentence}"]
    lines += [f"Not used: {name}, because {why}." for name, why in found.left_out.items()]
    return lines
