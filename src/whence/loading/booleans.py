"""Detects columns of true and false."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.tally import ENOUGH, Reading, Refusal, Tally
from whence.loading.words import ConvertedWords, Words

NOUN = "true or false"
_YES = "yes|y|true|t|1"
_NO = "no|n|false|f|0"


def look(words: Words, tally: Tally) -> None:
    """Count true and false in any case, and yes and no, which are not taken as booleans unless the user asks."""
    tally.counts["truth"] += words.weight(words.matches("true|false", ignore_case=True))
    for word, pattern in (("yes", "yes|y"), ("no", "no|n")):
        tally.counts[word] += words.weight(words.matches(pattern, ignore_case=True))


def choose(tally: Tally) -> Reading | Refusal | None:
    """Return booleans if enough values are true or false."""
    if tally.share("truth") >= ENOUGH:
        return Reading("boolean", pa.bool_(), NOUN)
    yes, no = tally.counts["yes"], tally.counts["no"]
    if yes and no and yes + no == tally.evidence:
        return Refusal("yes or no", "its values are yes and no")
    return None


def as_boolean(words: Words, reading: Reading) -> ConvertedWords:
    """Convert true and false. If the user asked for booleans, also yes, no, y, n, t, f, 1 and 0."""
    true, false = (_YES, _NO) if reading.is_wish else ("true", "false")
    fits = words.matches(f"{true}|{false}", ignore_case=True)
    is_true = words.matches(true, ignore_case=True)
    return ConvertedWords(pc.if_else(pa.array(fits), pa.array(is_true), pa.scalar(None, pa.bool_())))
