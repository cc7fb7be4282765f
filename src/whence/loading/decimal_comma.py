"""When a column of texts is a column of numbers written with a decimal comma."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.numbers import GROUPED, NOUN
from whence.loading.words import ENOUGH, Fit, Words

_PLAIN = r"-?(0|[1-9][0-9]{0,14})"
_COMMA = r"-?([0-9]{1,3}(\.[0-9]{3}){0,3}|[0-9]{1,10}),[0-9]{1,5}"
"""Few enough digits for a double to keep them all."""


def decimal_comma(words: Words) -> Fit | None:
    """Read 12,5 as a number, if no other reading of the column's commas is possible."""
    comma = words.matches(_COMMA)
    fits = comma | words.matches(_PLAIN)
    if words.share(fits) < ENOUGH or not (comma & ~words.matches(GROUPED)).any():
        return None
    dotted = pc.replace_substring(pc.replace_substring(words.only(fits), ".", ""), ",", ".")
    note = ("decimal comma", "its numbers are read with a decimal comma")
    return Fit(dotted.cast(pa.float64()), NOUN, notes=(note,))
