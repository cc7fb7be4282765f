"""What a text that does not fit the type of its column could mean: numbers with other separators, dates of other forms.

A text with separators in one plausible place has one meaning or two: `1,234` is 1234 or 1.234. Whoever reads the column
as numbers states both, so that a sum over the column can say how far off it may be.
"""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, InvalidOperation
from functools import lru_cache

import pyarrow as pa

from whence.loading.moments import DAYS, day_of
from whence.loading.tally import Reading

_BY_POINT = re.compile(
    r"[-+]?(?:[0-9]{1,15}|[0-9]{0,15}\.[0-9]{1,15}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,4}(?:\.[0-9]{1,15})?)"
)
_BY_COMMA = re.compile(r"[-+]?(?:[0-9]{0,15},[0-9]{1,15}|[1-9][0-9]{0,2}(?:\.[0-9]{3}){1,4}(?:,[0-9]{1,15})?)")
_LOOKS_LIKE = re.compile(r"[-+]?[0-9.,/-]+")
_DAY_FORMS = tuple(re.compile(pattern, re.ASCII) for pattern in DAYS.values())
_FEW = 10_000


@lru_cache(maxsize=_FEW)
def other_readings(text: str, reading: Reading) -> tuple[str, ...]:
    """Return what a misfit could mean, as texts of the column's type in ascending order; nothing if that is not known.

    >>> other_readings("1,234", Reading("double", pa.float64(), "a number"))
    ('1.234', '1234')
    >>> other_readings("03/04/2021", Reading("moment", pa.date32(), "a date"))
    ('2021-03-04', '2021-04-03')
    >>> other_readings("n/a", Reading("double", pa.float64(), "a number"))
    ()
    """
    text = text.strip()
    if not _LOOKS_LIKE.fullmatch(text):
        return ()
    if pa.types.is_date(reading.type):
        days = (day_of(form.fullmatch(text)) for form in _DAY_FORMS)
        return tuple(day.isoformat() for day in sorted({day for day in days if day is not None}))
    if reading.how in ("whole", "double", "decimal", "comma"):
        return tuple(format(number, "f") for number in sorted(_numbers(text)))
    return ()


def ends(readings: tuple[str, ...], kind: pa.DataType) -> tuple[str, str] | tuple[None, None]:
    """Return the least and the greatest reading as texts that the type holds, rounded away from each other.

    Return None for both if there is no reading, or the type does not hold one of them.
    """
    if not readings:
        return None, None
    if pa.types.is_date(kind):
        return readings[0], readings[-1]
    low, high = Decimal(readings[0]), Decimal(readings[-1])
    if pa.types.is_floating(kind):
        return str(float(low)), str(float(high))
    scale = kind.scale if pa.types.is_decimal(kind) else 0
    step = Decimal(1).scaleb(-scale)
    try:
        low, high = low.quantize(step, ROUND_FLOOR), high.quantize(step, ROUND_CEILING)
        for end in (low, high):
            pa.scalar(end if pa.types.is_decimal(kind) else int(end), kind)
    except (pa.ArrowException, OverflowError, InvalidOperation):
        return None, None
    return format(low, "f"), format(high, "f")


def _numbers(text: str) -> set[Decimal]:
    found = set()
    if _BY_POINT.fullmatch(text):
        found.add(Decimal(text.replace(",", "")))
    if _BY_COMMA.fullmatch(text):
        found.add(Decimal(text.replace(".", "").replace(",", ".")))
    return found
