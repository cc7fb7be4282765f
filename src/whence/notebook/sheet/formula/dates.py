"""Functions that count in months and years: EDATE, EOMONTH and DATEDIF."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date, datetime

from whence.notebook.sheet.convert import as_text
from whence.notebook.sheet.formula.errors import NUM, FormulaError, error
from whence.notebook.sheet.formula.functions import SheetFunction, Value, as_date, number


def add_months(day: date, months: int) -> date:
    """Return the same day so many months later, or the last day of that month if it is shorter.

    >>> add_months(date(2024, 1, 31), 1)
    datetime.date(2024, 2, 29)
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, _length(year, month + 1)))


def _length(year: int, month: int) -> int:
    return monthrange(year, month)[1]


def _move(value: Value, months: Value) -> date | FormulaError:
    """Return a date moved by months, without its time of day."""
    moment, count = as_date(value), number(months)
    if isinstance(moment, FormulaError):
        return moment
    if isinstance(count, FormulaError):
        return count
    try:
        return add_months(_day(moment), int(count))
    except ValueError:  # before the year 1, or after 9999
        return error(NUM, "There is no such date.")


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _month_end(value: Value, months: Value) -> Value:
    moved = _move(value, months)
    if isinstance(moved, FormulaError):
        return moved
    return moved.replace(day=_length(moved.year, moved.month))


def _date_difference(start: Value, end: Value, unit: Value) -> Value:
    first, last = as_date(start), as_date(end)
    if isinstance(first, FormulaError):
        return first
    if isinstance(last, FormulaError):
        return last
    count = _UNITS.get(as_text(unit).upper())
    if count is None:
        return error(NUM, f"{as_text(unit)!r} is no unit: it is one of {', '.join(_UNITS)}.")
    if _day(first) > _day(last):
        return error(NUM, "The first date is after the second.")
    return count(_day(first), _day(last))


def _months(first: date, last: date) -> int:
    return (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)


def _years(first: date, last: date) -> int:
    return _months(first, last) // 12


_UNITS: dict[str, Callable[[date, date], int]] = {
    "Y": _years,
    "M": _months,
    "D": lambda first, last: (last - first).days,
    "MD": lambda first, last: (last - add_months(first, _months(first, last))).days,
    "YM": lambda first, last: _months(first, last) % 12,
    "YD": lambda first, last: (last - add_months(first, 12 * _years(first, last))).days,
}
"""What DATEDIF counts: whole years, months or days; then what is left of the days and months, without the rest."""

DATE_FUNCTIONS: dict[str, SheetFunction] = {
    "EDATE": SheetFunction(_move, 2, 2, "date"),
    "EOMONTH": SheetFunction(_month_end, 2, 2, "date"),
    "DATEDIF": SheetFunction(_date_difference, 3, 3, "bigint"),
}
