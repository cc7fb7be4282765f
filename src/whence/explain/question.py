"""Parse and check a user's question: which rows are outliers, how they are wrong, which rows are hold-outs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whence.explain.complaint import Complaint, Kind
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownRow, UserError

Direction = str | Mapping[int, float | str]
"""One of high, low and wrong for all outliers, or a mapping from each row to one of these or to its expected value."""

_KINDS: tuple[Kind, ...] = ("high", "low", "wrong")


def marked_rows(
    record: DatasetRecord, outliers: Sequence[int], holdouts: Sequence[int] | str, direction: Direction
) -> tuple[dict[int, Complaint], list[int]]:
    """Return a complaint for each outlier row, and the list of hold-out rows."""
    rows = _checked(record, outliers, "outliers")
    if not rows:
        raise UserError("Say which values look odd.", "For example: outliers=[3].")
    fine = [row for row in range(record.rows) if row not in rows] if holdouts == "others" else holdouts
    kept = _checked(record, fine, "hold-outs") if fine else []
    both = set(rows) & set(kept)
    if both:
        raise UserError(f"Row {min(both)} is marked both as an outlier and as fine.")
    return _complaints(rows, direction), kept


def check_numbers(c: float | None, lam: float = 0.5, top: int = 1) -> None:
    """Raise a UserError if c, lambda or the number of answers is out of range."""
    if c is not None and c < 0:
        raise UserError(f"c must not be negative, but is {c}.", "0 is total effect, 1 effect per row.")
    if not 0 <= lam <= 1:
        raise UserError(f"lam must lie between 0 and 1, but is {lam}.", "1 ignores the hold-outs.")
    if top < 1:
        raise UserError(f"top must be at least 1, but is {top}.")


def _checked(record: DatasetRecord, rows: Sequence[int] | str, what: str) -> list[int]:
    if isinstance(rows, str):
        raise UserError(f"The {what} are rows, given by number, not {rows!r}.")
    # A Rows object of the public API carries its row ids in `ids`. Lists of numbers have no such attribute.
    given = [int(row) for row in getattr(rows, "ids", rows)]
    for row in given:
        if not 0 <= row < record.rows:
            last = f"Its rows are 0 to {record.rows - 1}." if record.rows else "It has no rows."
            raise UnknownRow(f"{record.label} has no row {row}.", last)
    if len(set(given)) < len(given):
        raise UserError(f"A row is given twice among the {what}.")
    return given


def _complaints(rows: Sequence[int], direction: Direction) -> dict[int, Complaint]:
    if isinstance(direction, str):
        return {row: _complaint(direction) for row in rows}
    missing = [row for row in rows if row not in direction]
    if missing:
        raise UserError(f"The direction says nothing about row {missing[0]}.", "Give one for every outlier.")
    return {row: _complaint(direction[row]) for row in rows}


def _complaint(said: float | str) -> Complaint:
    if not isinstance(said, str):
        return Complaint("expected", float(said))
    for kind in _KINDS:
        if said == kind:
            return Complaint(kind)
    raise UserError(f"A value cannot be {said!r}.", f"Say {', '.join(_KINDS)}, or give the expected value.")
