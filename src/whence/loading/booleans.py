"""When a column of texts is a column of true and false."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.words import ENOUGH, Fit, Words


def booleans(words: Words) -> Fit | None:
    """Read the words as true or false, in any case; yes, no, 1 and 0 are not taken for granted."""
    fits = words.matches("true|false", ignore_case=True)
    if words.share(fits) < ENOUGH:
        return None
    return Fit(pc.equal(pc.utf8_lower(words.only(fits)), pa.scalar("true")), "true or false")
