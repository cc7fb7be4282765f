"""Readings for columns whose type the user chose."""

from __future__ import annotations

import re

import pyarrow as pa

from whence.loading import moments
from whence.loading.booleans import NOUN as TRUTH
from whence.loading.decimal_comma import choose as choose_comma
from whence.loading.numbers import NOUN as NUMBER
from whence.loading.tally import TEXT, Reading, Tally

_MOMENTS = {"date": pa.date32(), "timestamp_ntz": pa.timestamp("us"), "timestamp": pa.timestamp("us", "UTC")}
_PLAIN = {
    "string": TEXT,
    "bigint": Reading("whole", pa.int64(), NUMBER, is_wish=True),
    "int": Reading("whole", pa.int32(), NUMBER, is_wish=True),
    "double": Reading("double", pa.float64(), NUMBER, is_wish=True),
    "boolean": Reading("boolean", pa.bool_(), TRUTH, is_wish=True),
}


def wished(name: str, tally: Tally) -> Reading:
    """Return the reading for a type by its Spark name. The form of dates and the comma are still detected."""
    if name in _MOMENTS:
        numbers = [n for n, form in enumerate(moments.FORMS) if form.type == _MOMENTS[name]]
        return moments.reading_of(tally, moments.best_form(tally, numbers), is_wish=True)
    if name == "double" and (comma := choose_comma(tally)) is not None:
        return comma
    if name in _PLAIN:
        return _PLAIN[name]
    precision, scale = (int(digits) for digits in re.findall(r"\d+", name))
    return Reading("decimal", pa.decimal128(precision, scale), NUMBER, is_wish=True)
