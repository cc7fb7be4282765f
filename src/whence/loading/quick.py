"""Columns without a single misfit, recognised by Arrow's own casts; and columns that can only be text.

This only saves time: what it says is what looking at every word would say, and when unsure it says nothing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.moments import DATE, TIME
from whence.loading.numbers import NOUN, SAFE_DIGITS
from whence.loading.words import Fit

Bytes = npt.NDArray[np.uint8]

_SPACES = np.frombuffer(b" \t", np.uint8)
_TYPED = np.frombuffer(b"-.0123456789tTfF", np.uint8)
"""First letters of every text that has a type."""
_MISSING = np.frombuffer(b"nN#\\(-?.mMuUiI+ \t", np.uint8)
"""First letters of every word for a missing value, and of blanks."""
_FEW = 100
_SHORTEST_TIME = len("2024-01-31 10:20")


def ends(texts: pa.Array) -> tuple[Bytes, Bytes]:
    """The first and the last byte of every text that has any."""
    size = np.dtype(np.int32)
    offsets = np.frombuffer(texts.buffers()[1], size, len(texts) + 1, texts.offset * size.itemsize)
    starts, stops = offsets[:-1], offsets[1:]
    filled = stops > starts
    if not filled.any():
        return np.zeros(0, np.uint8), np.zeros(0, np.uint8)
    data = np.frombuffer(texts.buffers()[2], np.uint8)
    return data[starts[filled]], data[stops[filled] - 1]


def has_spaces(texts: pa.Array) -> bool:
    """Whether some text begins or ends with a blank."""
    first, last = ends(texts)
    return bool(np.isin(first, _SPACES).any() or np.isin(last, _SPACES).any())


def is_surely_text(texts: pa.Array) -> bool:
    """Whether more than half of the texts begin like nothing that has a type."""
    first, _ = ends(texts)
    neither = ~(np.isin(first, _TYPED) | np.isin(first, _MISSING))
    return bool(neither.sum() > 0.5 * len(first))


def quick(texts: pa.Array) -> Fit | None:
    """The column in its type, if all its trimmed texts have it and nothing needs a second look."""
    texts = pc.if_else(pc.equal(texts, ""), pa.scalar(None, pa.string()), texts)
    if texts.null_count == len(texts):
        return None
    return _whole(texts) or _fractional(texts) or _date(texts) or _time(texts)


def _cast(texts: pa.Array, kind: pa.DataType) -> pa.Array | None:
    try:
        # Arrow makes an error for every value that does not fit before it raises one, which is slow: try a few first.
        texts.slice(0, _FEW).cast(kind)
        return texts.cast(kind)
    except pa.ArrowInvalid:
        return None


def _whole(texts: pa.Array) -> Fit | None:
    values = _cast(texts, pa.int64())
    if values is None or _any(pc.and_(pc.starts_with(texts, "0"), pc.greater(pc.binary_length(texts), 1))):
        return None
    return None if _any(pc.starts_with(texts, "-0")) else Fit(values, NOUN)


def _fractional(texts: pa.Array) -> Fit | None:
    values = _cast(texts, pa.float64())
    if values is None or not pc.all(pc.is_finite(values)).as_py():
        return None
    if _any(pc.match_substring_regex(texts, r"^[+]|^-?0[0-9]")):
        return None
    # A short text cannot lose digits; a long one has not if its double is written the same way again.
    long = pc.greater(pc.binary_length(texts), SAFE_DIGITS)
    if _any(pc.not_equal(values.filter(long).cast(pa.string()), texts.filter(long))):
        return None
    zeros = texts.filter(pc.equal(values, 0.0))
    return None if _any(pc.match_substring_regex(zeros, "^[^eE]*[1-9]")) else Fit(values, NOUN)


def _date(texts: pa.Array) -> Fit | None:
    values = _cast(texts, pa.date32())
    return Fit(values, DATE) if values is not None and not _any(pc.starts_with(texts, "0000")) else None


def _time(texts: pa.Array) -> Fit | None:
    if pc.min(pc.binary_length(texts)).as_py() < _SHORTEST_TIME or _any(pc.starts_with(texts, "0000")):
        return None
    for kind in (pa.timestamp("us"), pa.timestamp("us", "UTC")):
        values = _cast(texts, kind)
        if values is not None:
            return Fit(values, TIME)
    return None


def _any(mask: pa.Array) -> bool:
    return bool(pc.any(mask).as_py())
