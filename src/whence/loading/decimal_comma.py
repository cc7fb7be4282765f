"""Detects columns of numbers that are written with a decimal comma."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.numbers import GROUPED, NOUN
from whence.loading.tally import ENOUGH, Reading, Tally
from whence.loading.words import ConvertedWords, Mask, Words

_PLAIN = r"-?(0|[1-9][0-9]{0,14})"
_COMMA = r"-?([0-9]{1,3}(\.[0-9]{3}){0,3}|[0-9]{1,10}),[0-9]{1,5}"
"""A number with a decimal comma, with few enough digits for a double to keep them all."""


def look(words: Words, tally: Tally) -> None:
    """Count numbers with a decimal comma, and those whose comma can mean nothing else."""
    comma = words.matches(_COMMA)
    if comma.any():
        tally.counts["comma"] += words.weight(comma)
        tally.counts["sure comma"] += words.weight(comma & ~words.matches(GROUPED))
    tally.counts["comma or plain"] += words.weight(_fits(words, comma))


def _fits(words: Words, comma: Mask) -> Mask:
    return comma | words.matches(_PLAIN)


def choose(tally: Tally) -> Reading | None:
    """Read 12,5 as a number if the column's commas have no other possible meaning."""
    if not tally.counts["sure comma"] or tally.share("comma or plain") < ENOUGH:
        return None
    return Reading("comma", pa.float64(), NOUN, (("decimal comma", "its numbers are read with a decimal comma"),))


def as_comma(words: Words, reading: Reading) -> ConvertedWords:
    """Convert numbers with a decimal comma to doubles."""
    fits = _fits(words, words.matches(_COMMA))
    dotted = pc.replace_substring(pc.replace_substring(words.only(fits), ".", ""), ",", ".")
    return ConvertedWords(dotted.cast(reading.type))
