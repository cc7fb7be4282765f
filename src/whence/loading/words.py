"""The distinct texts of a piece of a column, with their counts: everything that type detection examines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Mask = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]

MISSING = (
    r"na|n/a|n\.a\.|#n/a|null|\(null\)|#null!|none|nil|\\n|[+-]?nan|[+-]?inf|[+-]?infinity|-+|\?+|\.+|missing|unknown"
    r"|#value!|#ref!|#div/0!|#name\?|#num!"
)
_FEW = 256
"""Up to this many texts Python's compiled patterns are faster than Arrow's, which are compiled on every call."""
_SAMPLE = 10_000


@dataclass(frozen=True)
class Words:
    """Trimmed texts with their counts: distinct ones, or all of them if hardly any repeats."""

    texts: pa.Array
    counts: Rows

    @cached_property
    def is_evidence(self) -> Mask:
        """Texts that say something about the type: not empty, and no word for a missing value."""
        return ~(self.matches(MISSING, ignore_case=True) | self.is_empty)

    @cached_property
    def is_empty(self) -> Mask:
        """NULL and empty texts."""
        return as_mask(pc.fill_null(pc.equal(self.texts, ""), True))

    def matches(self, pattern: str, ignore_case: bool = False) -> Mask:
        """Return which texts match the pattern as a whole."""
        if len(self.texts) <= _FEW:
            compiled = _compiled(pattern, ignore_case)
            return np.array([text is not None and bool(compiled.fullmatch(text)) for text in self._list], dtype=bool)
        return as_mask(pc.match_substring_regex(self.texts, f"^(?:{pattern})$", ignore_case=ignore_case))

    @cached_property
    def _list(self) -> list[str | None]:
        texts: list[str | None] = self.texts.to_pylist()
        return texts

    def weight(self, mask: Mask) -> int:
        """Return the number of values for which the words of the mask stand."""
        return int(self.counts[mask].sum())

    def only(self, fits: Mask) -> pa.Array:
        """Return the texts that fit, and NULL for the others."""
        return pc.if_else(pa.array(fits), self.texts, pa.scalar(None, pa.string()))

    def first(self, mask: Mask) -> str:
        """Return the first text of the mask."""
        text: str = self.texts[int(np.flatnonzero(mask)[0])].as_py()
        return text

    def part(self, mask: Mask) -> Words:
        """Return only the words of the mask."""
        return Words(self.texts.filter(pa.array(mask)), self.counts[mask])


def words_of(texts: pa.Array) -> tuple[Words, Rows]:
    """Return the words of a column, and for each row the position of its word. NULL comes after the last word."""
    # Where hardly any text repeats, a dictionary costs more than it saves.
    if len(texts) > _SAMPLE and len(pc.unique(texts.slice(0, _SAMPLE))) > 0.5 * _SAMPLE:
        return Words(texts, np.ones(len(texts), np.int64)), np.arange(len(texts))
    encoded = texts.dictionary_encode()
    count = len(encoded.dictionary)
    places = encoded.indices.fill_null(count).to_numpy().astype(np.int64, copy=False)
    return Words(encoded.dictionary, np.bincount(places, minlength=count + 1)[:-1]), places


@dataclass(frozen=True)
class ConvertedWords:
    """Words converted to a type. `values` is aligned with the words, and NULL for misfits."""

    values: pa.Array
    out_of_range: Mask | None = None
    doubtful: Mask | None = None
    """Texts whose value was chosen among several readings."""


@lru_cache
def _compiled(pattern: str, ignore_case: bool) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII | re.DOTALL | (re.IGNORECASE if ignore_case else 0))


def as_mask(array: pa.Array | pa.ChunkedArray) -> Mask:
    """Return a boolean Arrow array as a NumPy mask, with NULL as false."""
    mask: Mask = pc.fill_null(array, False).to_numpy(zero_copy_only=False)
    return mask
