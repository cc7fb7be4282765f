"""The quick path for pieces of a column without any misfit, by Arrow's own casts.

It only saves time: its answer is what examining every word would give, and when unsure it gives none. It also tells
which texts surely have no type.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.moments import FORMS
from whence.loading.numbers import SAFE_DIGITS, measure
from whence.loading.tally import Reading, Tally
from whence.loading.words import Mask

Bytes = npt.NDArray[np.uint8]

_SPACES = np.frombuffer(b" \t", np.uint8)
_DIGITS = np.frombuffer(b"+-.0123456789", np.uint8)
"""First bytes of every number, date and time."""
_LETTERS = np.frombuffer(b"tTfFnNyYmMuUiI#\\(?", np.uint8)
"""First bytes of every word that has a type or stands for a missing value."""
_TRUTHS = pa.array(["true", "false"])
_LONGEST_WORD = len("+infinity")
_FEW = 100
_SHORTEST_TIME = len("2024-01-31 10:20")


@dataclass(frozen=True)
class Quick:
    """A piece in its type, with the tally that examining every word would give."""

    how: str
    values: pa.Array
    tally: Tally

    def is_read_as(self, reading: Reading) -> bool:
        """Whether these values are what the reading makes of the texts."""
        same = self.how == reading.how and self.values.type == reading.type and not reading.is_in_doubt
        return same or (self.how == "whole" and reading.how == "double" and not reading.is_wish)


def _ends(texts: pa.Array) -> tuple[Mask, Bytes, Bytes, npt.NDArray[np.int32]]:
    """Return which texts are not empty, and the first byte, the last byte and the length of each of those."""
    size = np.dtype(np.int32)
    offsets = np.frombuffer(texts.buffers()[1], size, len(texts) + 1, texts.offset * size.itemsize)
    starts, stops = offsets[:-1], offsets[1:]
    filled = stops > starts
    # Arrow may keep the bytes of what became NULL. They must not count: the type would depend on where a file is cut.
    if texts.null_count:
        filled &= texts.is_valid().to_numpy(zero_copy_only=False)
    if not filled.any():
        return filled, np.zeros(0, np.uint8), np.zeros(0, np.uint8), np.zeros(0, np.int32)
    data = np.frombuffer(texts.buffers()[2], np.uint8)
    starts, stops = starts[filled], stops[filled]
    return filled, data[starts], data[stops - 1], stops - starts


def trimmed(texts: pa.Array) -> pa.Array:
    """Return the texts without leading and trailing blanks."""
    _, first, last, _ = _ends(texts)
    if np.isin(first, _SPACES).any() or np.isin(last, _SPACES).any():
        return pc.ascii_trim(texts, " \t")
    return texts


def may_have_a_type(texts: pa.Array) -> Mask:
    """Return which trimmed texts begin like a typed or a missing value. All others are certainly text."""
    filled, first, _, lengths = _ends(texts)
    may = np.zeros(len(texts), dtype=bool)
    may[filled] = np.isin(first, _DIGITS) | (np.isin(first, _LETTERS) & (lengths <= _LONGEST_WORD))
    return may


def quick(texts: pa.Array) -> Quick | None:
    """Return the piece in its type if all trimmed texts have that type and nothing needs a closer look, else None."""
    texts = pc.if_else(pc.equal(texts, ""), pa.scalar(None, pa.string()), texts)
    if texts.null_count == len(texts):
        return None
    return _integers(texts) or _fractional(texts) or _date(texts) or _time(texts) or _truth(texts)


def _cast(texts: pa.Array, kind: pa.DataType) -> pa.Array | None:
    try:
        # Arrow builds an error for every misfit before it raises one, which is slow, so a few values are tried first.
        texts.slice(0, _FEW).cast(kind)
        return texts.cast(kind)
    except pa.ArrowInvalid:
        return None


def _integers(texts: pa.Array) -> Quick | None:
    values = _cast(texts, pa.int64())
    # A leading zero would be lost in a number, so the exact path decides about it. The same goes for -0 below.
    if values is None or _any(pc.and_(pc.starts_with(texts, "0"), pc.greater(pc.binary_length(texts), 1))):
        return None
    if _any(pc.starts_with(texts, "-0")):
        return None
    count, tally = len(texts) - texts.null_count, Tally()
    edges = pc.min_max(values).as_py()
    digits = max(len(str(abs(edge))) for edge in edges.values())
    for name in ("evidence", "number", "plain number", "plain or grouped"):
        tally.counts[name] = count
    tally.counts["more than digits"] = pc.sum(pc.less(values, 0)).as_py()
    tally.raise_to("digits", digits)
    tally.raise_to("whole digits", digits if edges["min"] or edges["max"] else 0)
    tally.raise_to("scale", 0)
    plain = count if digits <= SAFE_DIGITS else int(pc.sum(pc.less_equal(_lengths(values), SAFE_DIGITS)).as_py())
    tally.counts["comma or plain"] = plain
    if digits > SAFE_DIGITS:
        there_and_back = values.cast(pa.float64(), safe=False)
        exact = pc.equal(pc.cast(there_and_back, pa.decimal128(38, 0)), pc.cast(values, pa.decimal128(38, 0)))
        tally.counts["lossy"] = int(_any(pc.invert(exact)))
    return Quick("whole", values, tally)


def _lengths(values: pa.Array) -> pa.Array:
    return pc.binary_length(pc.utf8_ltrim(values.cast(pa.string()), "-"))


def _fractional(texts: pa.Array) -> Quick | None:
    values = _cast(texts, pa.float64())
    if values is None or not pc.all(pc.is_finite(values)).as_py():
        return None
    # A plus, a leading zero or an exponent is left to the exact path.
    if _any(pc.match_substring_regex(texts, r"^[+]|^-?0[0-9]|[eE]")):
        return None
    # A short text cannot lose digits. A long one has lost none if its double is written the same way again.
    long = pc.greater(pc.binary_length(texts), SAFE_DIGITS)
    if _any(long) and _any(pc.not_equal(values.filter(long).cast(pa.string()), texts.filter(long))):
        return None
    zeros = texts.filter(pc.equal(values, 0.0))
    # Not zero, but too small for a double: the exact path calls it out of range.
    if len(zeros) and _any(pc.match_substring_regex(zeros, "[1-9]")):
        return None
    count, tally = len(texts) - texts.null_count, Tally()
    for name in ("evidence", "number", "plain number", "plain or grouped"):
        tally.counts[name] = count
    has_point = pc.greater_equal(pc.find_substring(texts, "."), 0)
    wholes = texts.filter(pc.invert(pc.or_(has_point, pc.starts_with(texts, "-0"))))
    tally.counts["fraction"] = count - len(wholes)
    if len(wholes):
        digits = pc.binary_length(pc.utf8_ltrim(wholes, "-"))
        tally.raise_to("digits", int(pc.max(digits).as_py()))
        tally.counts["comma or plain"] = int(pc.sum(pc.less_equal(digits, SAFE_DIGITS)).as_py())
        tally.counts["beyond 64 bits"] = sum(
            not -(2**63) <= int(text) < 2**63 for text in wholes.filter(pc.greater(digits, 18)).to_pylist()
        )
    tally.counts["more than digits"] = int(pc.sum(pc.or_(has_point, pc.starts_with(texts, "-"))).as_py() or 0)
    measure(texts.drop_null(), tally)
    return Quick("double", values, tally)


def _date(texts: pa.Array) -> Quick | None:
    values = _cast(texts, pa.date32())
    # The exact path has no year 0: Python's dates begin with year 1.
    if values is None or _any(pc.starts_with(texts, "0000")):
        return None
    return _moment(values)


def _time(texts: pa.Array) -> Quick | None:
    if pc.min(pc.binary_length(texts)).as_py() < _SHORTEST_TIME or _any(pc.starts_with(texts, "0000")):
        return None
    for kind in (pa.timestamp("us"), pa.timestamp("us", "UTC")):
        values = _cast(texts, kind)
        if values is not None:
            return _moment(values)
    return None


def _truth(texts: pa.Array) -> Quick | None:
    for some in (texts.slice(0, _FEW), texts):
        lower = pc.ascii_lower(some)
        if not pc.all(pc.is_in(lower.drop_null(), _TRUTHS)).as_py():
            return None
    tally = Tally()
    tally.counts.update(dict.fromkeys(("evidence", "truth"), len(texts) - texts.null_count))
    return Quick("boolean", pc.equal(lower, "true"), tally)


def _moment(values: pa.Array) -> Quick:
    number = next(n for n, form in enumerate(FORMS) if form.type == values.type)
    names = ("evidence", "roughly a date", "a date", f"shape {number}", f"valid {number}")
    tally = Tally()
    tally.counts.update(dict.fromkeys(names, len(values) - values.null_count))
    return Quick("moment", values, tally)


def _any(mask: pa.Array) -> bool:
    return bool(pc.any(mask).as_py())
