"""Slow definitions of functions in plain Python, written without the code of sheets, to check formulas against.

Each takes one row and all rows of a table as dictionaries and returns a value, None, or the code of an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from fractions import Fraction
from math import ceil, floor

Line = dict[str, object]
Definition = Callable[[Line, list[Line]], object]


def numbers(rows: Iterable[Line], column: str) -> list[float]:
    """Return the numbers of a column, without its empty cells."""
    return [row[column] for row in rows if row[column] is not None]  # type: ignore[misc]


def is_above(value: object, limit: float) -> bool:
    """Return whether a cell holds a larger number."""
    return value is not None and value > limit  # type: ignore[operator]


def is_text(value: object, wanted: object) -> bool:
    """Return whether a cell holds this text, in capitals or not; an empty text is what an empty cell holds, too."""
    return wanted is not None and str(value or "").casefold() == str(wanted).casefold()


def sum_ifs(row: Line, rows: list[Line]) -> object:
    """Add up n where t is that of this row and x is above 0."""
    return sum(numbers((r for r in rows if is_text(r["t"], row["t"]) and is_above(r["x"], 0)), "n"))


def next_texts(row: Line, rows: list[Line]) -> object:
    """Join t and n of this row with n of this row and the two below, without what is empty."""
    place = next(number for number, each in enumerate(rows) if each is row)
    if place + 3 > len(rows):
        return "#REF!"
    values = [row["t"], row["n"], *(each["n"] for each in rows[place : place + 3])]
    return "-".join(str(value) for value in values if value not in (None, ""))


def both_texts(row: Line, rows: list[Line]) -> object:
    """Join t and n of this row, empty or not."""
    return ", ".join("" if each is None else str(each) for each in (row["t"], row["n"]))


def count_ifs(row: Line, rows: list[Line]) -> object:
    """Count rows with the t of this row and an n that is not above 0."""
    return sum(is_text(r["t"], row["t"]) and r["n"] is not None and r["n"] <= 0 for r in rows)  # type: ignore[operator]


def average_ifs(row: Line, rows: list[Line]) -> object:
    """Average x where t begins with a letter and n is that of this row."""
    found = numbers(
        (r for r in rows if row["n"] is not None and r["n"] == row["n"] and str(r["t"] or "-")[:1] in "fF"), "x"
    )
    return float(sum(map(Fraction, found)) / len(found)) if found else "#DIV/0!"


def round_away(value: object, digits: int) -> object:
    """Round a number away from zero, computed with fractions of the digits that are shown."""
    if value is None:
        return None
    exact = Fraction(str(value)) * Fraction(10) ** digits
    whole = ceil(exact) if exact > 0 else floor(exact)
    return float(Fraction(whole) / Fraction(10) ** digits)


def round_to_zero(value: object, digits: int) -> object:
    """Round a number towards zero."""
    if value is None:
        return None
    exact = Fraction(str(value)) * Fraction(10) ** digits
    return float(Fraction(floor(exact) if exact > 0 else ceil(exact)) / Fraction(10) ** digits)


def move_months(day: date, months: int) -> date:
    """Return the day so many months on: step month by month, then as many days as the month has at most."""
    first = day.replace(day=1)
    for _ in range(abs(months)):
        first = (
            (first + timedelta(days=31)).replace(day=1) if months > 0 else (first - timedelta(days=1)).replace(day=1)
        )
    found = first
    while found.day < day.day and (found + timedelta(days=1)).month == first.month:
        found += timedelta(days=1)
    return found


def month_end(day: date, months: int) -> date:
    """Return the last day of the month so many months on."""
    last = move_months(day.replace(day=1), months)
    while (last + timedelta(days=1)).month == last.month:
        last += timedelta(days=1)
    return last


def whole_months(first: date, last: date) -> int:
    """Count how often the day of the month of the first date is reached until the last date."""
    count, day = 0, first
    while day < last:
        day += timedelta(days=1)
        is_later_month = (day.year, day.month) != (first.year, first.month)
        count += is_later_month and day.day == first.day
        # A month without that day completes it on the first day of the next month.
        if day.day == 1 and first.day > (day - timedelta(days=1)).day and (day - timedelta(days=1)) > first:
            count += (day - timedelta(days=1)).month != first.month or (day - timedelta(days=1)).year != first.year
    return count


def date_difference(row: Line, unit: str) -> object:
    """Count whole units between d and e, or what is left beside whole months or years."""
    first, last = row["d"], row["e"]
    if not isinstance(first, date) or not isinstance(last, date):
        return None
    if first > last:
        return "#NUM!"
    months = whole_months(first, last)
    return {
        "Y": months // 12,
        "M": months,
        "D": (last - first).days,
        "MD": (last - move_months(first, months)).days,
        "YM": months % 12,
        "YD": (last - move_months(first, months // 12 * 12)).days,
    }[unit]


def rank(row: Line, rows: list[Line], *, is_ascending: bool) -> object:
    """Count the numbers before that of this row."""
    if row["x"] is None:
        return None
    own: float = row["x"]  # type: ignore[assignment]
    return 1 + sum(other < own if is_ascending else other > own for other in numbers(rows, "x"))


def nth(rows: list[Line], place: object, *, is_largest: bool) -> object:
    """Return the number that is left when smaller or larger ones are taken away one by one."""
    if place is None:
        return None
    left = numbers(rows, "x")
    if not isinstance(place, int) or not 1 <= place <= len(left):
        return "#NUM!"
    for _ in range(place - 1):
        left.remove(max(left) if is_largest else min(left))
    return max(left) if is_largest else min(left)


def switch(row: Line) -> object:
    """Return a number for each of two texts, whatever their capitals."""
    return {"fig": 1, "kiwi": 2}.get(str(row["t"]).lower(), 0)


def ifs(row: Line) -> object:
    """Return a word for the size of n."""
    size = row["n"]
    if not isinstance(size, int):
        return "#N/A"
    return "high" if size > 2 else "low" if size < 0 else "#N/A"


DEFINITIONS: dict[str, Definition] = {
    '=SUMIFS([n],[t],[@t],[x],">0")': sum_ifs,
    '=COUNTIFS([t],[@t],[n],"<=0")': count_ifs,
    '=AVERAGEIFS([x],[n],[@n],[t],"f*")': average_ifs,
    "=ROUNDUP([@x],1)": lambda row, rows: round_away(row["x"], 1),
    "=ROUNDDOWN([@x],1)": lambda row, rows: round_to_zero(row["x"], 1),
    "=ROUNDUP([@x])": lambda row, rows: round_away(row["x"], 0),
    "=ROUNDDOWN([@x]*100,-1)": lambda row, rows: round_to_zero(None if row["x"] is None else row["x"] * 100, -1),  # type: ignore[operator]
    "=EDATE([@d],[@n]*7)": lambda row, rows: move_months(row["d"], row["n"] * 7) if row["d"] and row["n"] is not None else None,  # type: ignore[arg-type,operator] # noqa: E501
    "=EOMONTH([@d],[@n])": lambda row, rows: month_end(row["d"], row["n"]) if row["d"] and row["n"] is not None else None,  # type: ignore[arg-type] # noqa: E501
    **{f'=DATEDIF([@d],[@e],"{unit}")': lambda row, rows, unit=unit: date_difference(row, unit)  # type: ignore[misc]
       for unit in ("Y", "M", "D", "MD", "YM", "YD")},
    '=TEXTJOIN("-",TRUE,[@t],[@n],B1:B3)': next_texts,
    '=TEXTJOIN(", ",FALSE,[@t],[@n])': both_texts,
    '=IFS([@n]>2,"high",[@n]<0,"low")': lambda row, rows: ifs(row),
    '=SWITCH([@t],"FIG",1,"Kiwi",2,0)': lambda row, rows: switch(row),
    '=SWITCH([@t],"fig",[@n])': lambda row, rows: row["n"] if is_text(row["t"], "fig") else "#N/A",
    "=RANK([@x],[x])": lambda row, rows: rank(row, rows, is_ascending=False),
    "=RANK([@x],[x],1)": lambda row, rows: rank(row, rows, is_ascending=True),
    "=LARGE([x],[@n])": lambda row, rows: nth(rows, row["n"], is_largest=True),
    "=SMALL([x],[@n])": lambda row, rows: nth(rows, row["n"], is_largest=False),
    "=RANK(99,[x])": lambda row, rows: "#N/A",
    "=LARGE([d],1)": lambda row, rows: max((each["d"] for each in rows if each["d"]), default="#NUM!"),  # type: ignore[type-var]
}  # fmt: skip
"""By the formula as it is typed for the first row; the columns are t, n, x, d and e."""
