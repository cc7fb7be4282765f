"""The functions a formula may call, on plain values: nothing (None), numbers, texts, logical values, dates and errors.

An empty argument gives an empty result, as NULL does in SQL: an empty cell does not count as zero.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Decimal

from whence.notebook.sheet.convert import as_number, as_text
from whence.notebook.sheet.formula.errors import DIV, NUM, VALUE, FormulaError, error

Value = object
Function = Callable[..., Value]

_SPACES = re.compile(r"[\s\ufeff\u200b]+")
"""Spaces of every kind: the byte order mark and the zero-width space are invisible, but no white space to Unicode."""
_DAY = re.compile(r"\s*(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})\s*")
"""A date that begins with its day or its month."""
_MOST = 2**63
"""Whole numbers from here on do not fit into a bigint column."""


@dataclass(frozen=True)
class SheetFunction:
    """A function: its code, how many arguments it takes, and the type it gives.

    With `takes_empty` it is called even if an argument is empty, with `takes_errors` even if one is an error.
    `gives` is a type; or "same", which is bigint if the first argument is whole and double otherwise; or "joined",
    which is the same over all arguments, but keeps dates.
    """

    run: Function
    least: int
    most: int
    gives: str
    takes_empty: bool = False
    takes_errors: bool = False


def number(value: Value) -> float | FormulaError:
    """Return a value as a number, or the error that says why it is none."""
    found = as_number(value)
    return error(VALUE, f"{as_text(value)!r} is not a number.") if found is None else found


def finite(value: float) -> Value:
    """Return the result, or #NUM! if it is not finite or does not fit into 64 bits."""
    if isinstance(value, int):
        return value if -_MOST <= value < _MOST else error(NUM)
    return value if math.isfinite(value) else error(NUM)


def arithmetic(op: str, left: Value, right: Value) -> Value:
    """Return the result of an arithmetic operator (`+ - * / ^`) on two values."""
    if isinstance(left, date) or isinstance(right, date):
        return _days(op, left, right)
    one, other = number(left), number(right)
    if isinstance(one, FormulaError):
        return one
    if isinstance(other, FormulaError):
        return other
    try:
        return finite(_computed(op, one, other))
    except ZeroDivisionError:
        return error(DIV)
    except (OverflowError, ValueError):  # too large, or a root of a negative number
        return error(DIV) if op == "^" and one == 0 else error(NUM)  # 0^-1 divides by zero


def _computed(op: str, one: float, other: float) -> float:
    match op:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case "/":
            return float(one) / float(other)
    return math.pow(one, other)


def _days(op: str, left: Value, right: Value) -> Value:
    """Return a date plus or minus a number of days, or the days between two dates."""
    if op == "-" and isinstance(left, date) and isinstance(right, date):
        if isinstance(left, datetime) != isinstance(right, datetime):
            return error(VALUE, "A date and a time cannot be subtracted.")
        gap = left - right
        return gap.total_seconds() / 86400 if isinstance(left, datetime) else gap.days
    moment, days = (left, right) if isinstance(left, date) else (right, left)
    count = as_number(days)
    if op not in "+-" or count is None or not isinstance(moment, date) or (op == "-" and moment is right):
        return error(VALUE, "Only whole days can be added to a date.")
    try:
        return moment + timedelta(days=count if op == "+" else -count)
    except OverflowError:
        return error(NUM)


def compared(op: str, left: Value, right: Value) -> Value:
    """Return whether a comparison holds. Texts ignore case, as in every spreadsheet. Different kinds are never equal.

    An order between different kinds is an error.
    """
    one, other = comparable(left), comparable(right)
    if type(one) is not type(other):
        if op in ("=", "<>"):
            return op == "<>"
        return error(VALUE, f"{as_text(left)} and {as_text(right)} cannot be compared.")
    match op:
        case "=":
            return one == other
        case "<>":
            return one != other
        case "<":
            return one < other  # type: ignore[operator]
        case "<=":
            return one <= other  # type: ignore[operator]
        case ">":
            return one > other  # type: ignore[operator]
    return one >= other  # type: ignore[operator]


def comparable(value: Value) -> Value:
    """Return a value in the form in which two values are compared: texts in lower case, numbers as floats."""
    if isinstance(value, str):
        return value.lower()
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float | Decimal):
        return float(value)
    return value


def is_true(value: Value) -> Value:
    """Return a value as a condition: True, False, None for unknown, or an error."""
    if value is None or isinstance(value, bool | FormulaError):
        return value
    found = as_number(value)
    return error(VALUE, f"{as_text(value)!r} is neither true nor false.") if found is None else found != 0


def negative(value: Value) -> Value:
    """Return the number with the other sign."""
    found = number(value)
    return found if isinstance(found, FormulaError) else finite(-found)


def percent(value: Value) -> Value:
    """Return a hundredth of the number."""
    found = number(value)
    return found if isinstance(found, FormulaError) else found / 100


def joined_text(left: Value, right: Value) -> str:
    """Return two values as one text; an empty cell counts as an empty text."""
    return ("" if left is None else as_text(left)) + ("" if right is None else as_text(right))


def rounded(value: Value, digits: Value = 0, mode: str = ROUND_HALF_UP) -> Value:
    """Return the number rounded to so many digits after the point; the mode says which way, halves away from zero."""
    one, places = number(value), number(digits)
    if isinstance(one, FormulaError) or isinstance(places, FormulaError):
        return one if isinstance(one, FormulaError) else places
    if abs(places) > 300:
        return one
    exact = Decimal(repr(one))  # the digits that are shown: 2.675 becomes 2.68, though it is stored as 2.67499...
    try:
        shown = exact.quantize(Decimal(1).scaleb(-int(places)), mode)
    except ArithmeticError:  # more than the 28 digits that Decimal computes with
        return one
    return finite(float(shown) if type(one) is float else int(shown))


def _absolute(value: Value) -> Value:
    found = number(value)
    return found if isinstance(found, FormulaError) else finite(abs(found))


def _integer(value: Value) -> Value:
    found = number(value)
    return found if isinstance(found, FormulaError) else finite(math.floor(found))


def _modulo(value: Value, divisor: Value) -> Value:
    one, other = number(value), number(divisor)
    if isinstance(one, FormulaError) or isinstance(other, FormulaError):
        return one if isinstance(one, FormulaError) else other
    # The result has the sign of the divisor, as in every spreadsheet.
    return error(DIV) if other == 0 else finite(one - other * math.floor(one / other))


def _root(value: Value) -> Value:
    found = number(value)
    if isinstance(found, FormulaError):
        return found
    return error(NUM, "A negative number has no square root.") if found < 0 else math.sqrt(found)


def _and(*args: Value) -> Value:
    return _logic(args, decisive=False)


def _or(*args: Value) -> Value:
    return _logic(args, decisive=True)


def _logic(args: Sequence[Value], *, decisive: bool) -> Value:
    """Return the decisive value if an argument has it, else None if one is unknown, else the other value."""
    claims = [is_true(arg) for arg in args]
    failed = next((claim for claim in claims if isinstance(claim, FormulaError)), None)
    if failed is not None:
        return failed
    if decisive in claims:
        return decisive
    return None if None in claims else not decisive


def _not(value: Value) -> Value:
    claim = is_true(value)
    return claim if isinstance(claim, FormulaError) else not claim


def _count_of(value: Value) -> int | FormulaError:
    found = number(value)
    if isinstance(found, FormulaError):
        return found
    return int(found) if found >= 0 else error(VALUE, "A number of characters cannot be negative.")


def _left(value: Value, count: Value = 1) -> Value:
    size = _count_of(count)
    return size if isinstance(size, FormulaError) else as_text(value)[:size]


def _right(value: Value, count: Value = 1) -> Value:
    size = _count_of(count)
    if isinstance(size, FormulaError):
        return size
    text = as_text(value)
    return text[max(0, len(text) - size) :]


def _middle(value: Value, start: Value, count: Value) -> Value:
    first, size = number(start), _count_of(count)
    if isinstance(first, FormulaError) or isinstance(size, FormulaError):
        return first if isinstance(first, FormulaError) else size
    if first < 1:
        return error(VALUE, "Characters are counted from 1.")
    return as_text(value)[int(first) - 1 : int(first) - 1 + size]


def _find(wanted: Value, within: Value, start: Value = 1) -> Value:
    first = number(start)
    if isinstance(first, FormulaError):
        return first
    place = as_text(within).find(as_text(wanted), max(0, int(first) - 1))
    return error(VALUE, f"{as_text(wanted)!r} is not in the text.") if place < 0 else place + 1


def _substitute(value: Value, old: Value, new: Value) -> Value:
    return as_text(value).replace(as_text(old), as_text(new)) if as_text(old) else as_text(value)


def _repeat(value: Value, count: Value) -> Value:
    size = _count_of(count)
    if isinstance(size, FormulaError):
        return size
    # 32,767 characters is the longest text that a cell of Excel holds.
    return as_text(value) * size if len(as_text(value)) * size <= 32767 else error(VALUE, "The text is too long.")


def _value(value: Value) -> Value:
    found = number(value)
    return found if isinstance(found, FormulaError) else float(found)


def _trim(value: Value) -> Value:
    """Return the text without spaces around it, and with one space between words, as the transformation trim does."""
    return _SPACES.sub(" ", as_text(value)).strip(" ")


def _proper(value: Value) -> Value:
    """Return the text with a capital at the start of each word, as the transformation change_case does."""
    return " ".join(word[:1].upper() + word[1:].lower() for word in as_text(value).split(" "))


def _split_part(value: Value, separator: Value, place: Value, parts: Value = 0) -> Value:
    """Return one part of a text, from 1; with `parts`, the last one takes what is left over."""
    wanted, most = number(place), number(parts)
    if isinstance(wanted, FormulaError) or isinstance(most, FormulaError):
        return wanted if isinstance(wanted, FormulaError) else most
    if wanted < 1 or not as_text(separator):
        return error(VALUE, "Parts are counted from 1, and the separator is not empty.")
    found = as_text(value).split(as_text(separator), int(most) - 1 if most >= 1 else -1)
    return found[int(wanted) - 1].strip(" ") if wanted <= len(found) else None


def _moment(part: str) -> Function:
    def read(value: Value) -> Value:
        moment = as_date(value)
        return moment if isinstance(moment, FormulaError) else getattr(moment, part, 0)

    return read


def as_date(value: Value) -> date | FormulaError:
    """Return a date or a time, also from its text in ISO form, or the error that says why it is none."""
    if isinstance(value, date):
        return value
    try:
        text = as_text(value).strip()
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError:
        return error(VALUE, f"{as_text(value)!r} is not a date.")


def _date(year: Value, month: Value, day: Value) -> Value:
    parts = [number(each) for each in (year, month, day)]
    failed = next((each for each in parts if isinstance(each, FormulaError)), None)
    if failed is not None:
        return failed
    years, months, days = (int(each) for each in parts if not isinstance(each, FormulaError))
    try:
        start = date(years + (months - 1) // 12, (months - 1) % 12 + 1, 1)
        return start + timedelta(days=days - 1)
    except (ValueError, OverflowError):
        return error(NUM, "There is no such date.")


def _weekday(value: Value) -> Value:
    moment = as_date(value)
    return moment if isinstance(moment, FormulaError) else moment.isoweekday() % 7 + 1  # 1 is Sunday, 7 is Saturday


def _datevalue(value: Value, order: Value = None) -> Value:
    """Return the date that a text shows: year first, or with an order also day or month first, like parse_dates."""
    numbers = _DAY.fullmatch(as_text(value)) if isinstance(value, str) and order is not None else None
    if numbers is not None:
        first, second, year = map(int, numbers.groups())
        is_day_first = first > 12 or (as_text(order).lower() == "day first" and second <= 12)
        day, month = (first, second) if is_day_first else (second, first)
        return _date(year, month, day) if month <= 12 and day <= 31 else error(VALUE, f"{value!r} is not a date.")
    moment = as_date(value)
    return moment.date() if isinstance(moment, datetime) else moment


BASIC_FUNCTIONS: dict[str, SheetFunction] = {
    "ABS": SheetFunction(_absolute, 1, 1, "same"),
    "ROUND": SheetFunction(rounded, 1, 2, "same"),
    "ROUNDUP": SheetFunction(lambda value, digits=0: rounded(value, digits, ROUND_UP), 1, 2, "same"),
    "ROUNDDOWN": SheetFunction(lambda value, digits=0: rounded(value, digits, ROUND_DOWN), 1, 2, "same"),
    "INT": SheetFunction(_integer, 1, 1, "bigint"),
    "MOD": SheetFunction(_modulo, 2, 2, "joined"),
    "SQRT": SheetFunction(_root, 1, 1, "double"),
    "POWER": SheetFunction(lambda one, other: arithmetic("^", one, other), 2, 2, "double"),
    "AND": SheetFunction(_and, 1, 255, "boolean", takes_empty=True),
    "OR": SheetFunction(_or, 1, 255, "boolean", takes_empty=True),
    "NOT": SheetFunction(_not, 1, 1, "boolean"),
    "CONCAT": SheetFunction(
        lambda *args: "".join("" if arg is None else as_text(arg) for arg in args), 1, 255, "string", takes_empty=True
    ),
    "LEFT": SheetFunction(_left, 1, 2, "string"),
    "RIGHT": SheetFunction(_right, 1, 2, "string"),
    "MID": SheetFunction(_middle, 3, 3, "string"),
    "LEN": SheetFunction(lambda value: len(as_text(value)), 1, 1, "int"),
    "UPPER": SheetFunction(lambda value: as_text(value).upper(), 1, 1, "string"),
    "LOWER": SheetFunction(lambda value: as_text(value).lower(), 1, 1, "string"),
    "TRIM": SheetFunction(_trim, 1, 1, "string"),
    "PROPER": SheetFunction(_proper, 1, 1, "string"),
    "SPLITPART": SheetFunction(_split_part, 3, 4, "string"),
    "FIND": SheetFunction(_find, 2, 3, "int"),
    "SUBSTITUTE": SheetFunction(_substitute, 3, 3, "string"),
    "REPT": SheetFunction(_repeat, 2, 2, "string"),
    "EXACT": SheetFunction(lambda one, other: as_text(one) == as_text(other), 2, 2, "boolean"),
    "VALUE": SheetFunction(_value, 1, 1, "double"),
    "TEXT": SheetFunction(as_text, 1, 1, "string"),
    "DATE": SheetFunction(_date, 3, 3, "date"),
    "DATEVALUE": SheetFunction(_datevalue, 1, 2, "date"),
    "YEAR": SheetFunction(_moment("year"), 1, 1, "int"),
    "MONTH": SheetFunction(_moment("month"), 1, 1, "int"),
    "DAY": SheetFunction(_moment("day"), 1, 1, "int"),
    "HOUR": SheetFunction(_moment("hour"), 1, 1, "int"),
    "MINUTE": SheetFunction(_moment("minute"), 1, 1, "int"),
    "SECOND": SheetFunction(_moment("second"), 1, 1, "int"),
    "WEEKDAY": SheetFunction(_weekday, 1, 1, "int"),
    "ISBLANK": SheetFunction(lambda value: value is None or value == "", 1, 1, "boolean", takes_empty=True),
    "ISNUMBER": SheetFunction(lambda value: isinstance(value, int | float | Decimal) and not isinstance(value, bool),
                              1, 1, "boolean", takes_empty=True, takes_errors=True),
    "ISTEXT": SheetFunction(lambda value: isinstance(value, str), 1, 1, "boolean", takes_empty=True, takes_errors=True),
    "ISERROR": SheetFunction(lambda value: isinstance(value, FormulaError), 1, 1,
                             "boolean", takes_empty=True, takes_errors=True),
}  # fmt: skip
"""Functions of single values; `registry.py` adds those of other modules."""
