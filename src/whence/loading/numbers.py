"""Detects columns of numbers and their type: integer, exact decimal or double."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.tally import ENOUGH, Reading, Refusal, Tally
from whence.loading.words import ConvertedWords, Mask, Words, as_mask

NOUN = "a number"
_WHOLE = r"-?[1-9][0-9]*|0"
REAL = r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_PADDED = r"-?0[0-9]+(\.[0-9]*)?"
GROUPED = r"-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?"
SAFE_DIGITS = 15
"""Every decimal with this many digits survives the conversion to a double and back."""
# The limit of Spark's and Arrow's 128-bit decimals.
_MOST_DIGITS = 38


def look(words: Words, tally: Tally) -> None:
    """Count what looks like a number."""
    whole, real, padded = words.matches(_WHOLE), words.matches(REAL), words.matches(_PADDED)
    grouped = words.matches(GROUPED)
    form = real & ~padded
    tally.counts["number"] += words.weight(real)
    tally.counts["plain number"] += words.weight(form)
    tally.counts["fraction"] += words.weight(form & ~whole)
    tally.counts["plain or grouped"] += words.weight(form | grouped)
    for name, mask in (("padded", padded), ("grouped", grouped)):
        if mask.any():
            tally.counts[name] += words.weight(mask)
            tally.firsts.setdefault(name, words.first(mask))
    if padded.any() or form.any():
        tally.counts["more than digits"] += words.weight(real & words.matches(".*[.eE-].*"))
    if form.any():
        _measure(words, whole, form, tally)


def _measure(words: Words, whole: Mask, form: Mask, tally: Tally) -> None:
    """Record how many digits the numbers have, and whether a type of fixed size would lose some."""
    digits = pc.binary_length(pc.utf8_ltrim(words.only(whole), "-"))
    tally.raise_to("digits", int(pc.max(digits).as_py() or 0))
    long = words.texts.filter(pc.greater(digits, 18)).to_pylist()
    tally.counts["beyond 64 bits"] += sum(not -(2**63) <= int(text) < 2**63 for text in long)
    doubles, beyond = _doubles(words, form)
    inside = form & ~beyond
    tally.counts["lossy"] += _lossy(words, words.only(inside), doubles)
    with_exponent = inside & words.matches(".*[eE].*")
    measure(words.texts.filter(pa.array(inside & ~with_exponent)), tally)
    for text in words.texts.filter(pa.array(with_exponent)).to_pylist():
        _, written, exponent = Decimal(text).as_tuple()
        assert isinstance(exponent, int)
        tally.raise_to("whole digits", len(written) + exponent)
        tally.raise_to("scale", -exponent)


def measure(texts: pa.Array, tally: Tally) -> None:
    """Record how many digits numbers without an exponent have before and after the point."""
    if not len(texts):
        return
    lengths = pc.binary_length(texts).to_numpy(zero_copy_only=False)
    points = pc.find_substring(texts, ".").to_numpy(zero_copy_only=False)
    sign = as_mask(pc.starts_with(texts, "-"))
    whole = np.where(points < 0, lengths, points) - sign
    small = as_mask(pc.starts_with(texts, "0")) | (sign & as_mask(pc.starts_with(texts, "-0")))
    tally.raise_to("whole digits", int(np.nanmax(np.where(small, 0, whole))))
    tally.raise_to("scale", int(np.nanmax(np.where(points < 0, 0, lengths - points - 1))))


def choose(tally: Tally) -> Reading | Refusal | None:
    """Return a number type if enough values are numbers and none speaks for text."""
    if tally.share("number") < ENOUGH:
        return _grouped(tally) or _mixed(tally)
    if tally.counts["padded"]:
        return _padded(tally)
    return _fractional(tally) if tally.counts["fraction"] else _integer_reading(tally)


def _padded(tally: Tally) -> Refusal:
    """Keep codes such as 00123 as text without a note. Beside fractions or signs they need one."""
    if not tally.counts["more than digits"]:
        return Refusal("", "")
    return Refusal("leading zero", f"'{tally.firsts['padded']}' begins with a zero, which a number would lose")


def _grouped(tally: Tally) -> Refusal | None:
    if not tally.counts["grouped"] or tally.share("plain or grouped") < ENOUGH:
        return None
    return Refusal("thousands", f"'{tally.firsts['grouped']}' may be a number with a mark between thousands")


def _mixed(tally: Tally) -> Refusal | None:
    """Keep a column as text if only half of it is numbers, but with a note."""
    if tally.share("plain number") < 0.5:
        return None
    count, evidence = tally.counts["plain number"], tally.evidence
    return Refusal("mixed types", f"only {count} of its {evidence} values are numbers")


def _integer_reading(tally: Tally) -> Reading | Refusal:
    digits = tally.most["digits"]
    if digits > _MOST_DIGITS:
        return Refusal("too many digits", f"a number of {digits} digits is more than {_MOST_DIGITS}")
    if not tally.counts["beyond 64 bits"]:
        return Reading("whole", pa.int64(), NOUN)
    note = ("large numbers", f"it has whole numbers beyond 64 bits and is stored as decimal({digits},0)")
    return Reading("decimal", pa.decimal128(digits, 0), NOUN, (note,))


def _fractional(tally: Tally) -> Reading | Refusal:
    if not tally.counts["lossy"]:
        return Reading("double", pa.float64(), NOUN)
    scale = tally.most["scale"]
    precision = max(tally.most["whole digits"] + scale, 1)
    if precision > _MOST_DIGITS:
        return Refusal("too many digits", f"its numbers need {precision} digits, more than {_MOST_DIGITS}")
    note = ("many digits", f"it has more digits than a double keeps and is stored as decimal({precision},{scale})")
    return Reading("decimal", pa.decimal128(precision, scale), NOUN, (note,))


def as_whole(words: Words, reading: Reading) -> ConvertedWords:
    """Convert integers. If the user chose the type, also those with leading zeros and thousands separators."""
    words, form = _wished(words, reading, _WHOLE)
    try:
        return ConvertedWords(words.only(form).cast(reading.type))
    except pa.ArrowInvalid:
        pass  # Arrow stops at the first number beyond the type, so they are read one by one
    size = 2 ** (reading.type.bit_width - 1)
    values = [None if text is None else int(text) for text in words.only(form).to_pylist()]
    beyond = np.array([value is not None and not -size <= value < size for value in values], dtype=bool)
    return ConvertedWords(
        pa.array([None if out else v for v, out in zip(values, beyond, strict=True)], reading.type), beyond
    )


def as_double(words: Words, reading: Reading) -> ConvertedWords:
    """Convert to doubles. Numbers that are too large or too small for a double are out of range."""
    words, form = _wished(words, reading, REAL)
    doubles, beyond = _doubles(words, form if reading.is_wish else form & ~words.matches(_PADDED))
    return ConvertedWords(doubles.cast(reading.type), beyond)


def as_decimal(words: Words, reading: Reading) -> ConvertedWords:
    """Convert to decimals with every digit."""
    words, form = _wished(words, reading, REAL)
    _, beyond = _doubles(words, form)
    values = [None if text is None else Decimal(text) for text in words.only(form & ~beyond).to_pylist()]
    fits = [value is not None and _has_room(value, reading.type) for value in values]
    too_large = np.array([v is not None and not fit for v, fit in zip(values, fits, strict=True)], dtype=bool)
    kept = [value if fit else None for value, fit in zip(values, fits, strict=True)]
    return ConvertedWords(pa.array(kept, reading.type), beyond | too_large)


def _has_room(value: Decimal, kind: pa.DataType) -> bool:
    _, digits, exponent = value.normalize().as_tuple()
    assert isinstance(exponent, int)
    return bool(-exponent <= kind.scale and len(digits) + exponent <= kind.precision - kind.scale)


def _wished(words: Words, reading: Reading, pattern: str) -> tuple[Words, Mask]:
    """Return the words without what only a chosen type allows (+ and thousands separators), and which of them match."""
    if not reading.is_wish:
        return words, words.matches(pattern)
    plain = pc.replace_substring_regex(words.texts, r"^\+", "")
    ungrouped = pc.replace_substring(plain, ",", "")
    texts = pc.if_else(pa.array(Words(plain, words.counts).matches(GROUPED)), ungrouped, plain)
    wished = Words(texts, words.counts)
    return wished, wished.matches(r"-?[0-9]+" if pattern == _WHOLE else pattern)


def _doubles(words: Words, form: Mask) -> tuple[pa.Array, Mask]:
    """Return the words as doubles, and which of them no double can hold."""
    doubles = words.only(form).cast(pa.float64())
    # A text with a digit from 1 to 9 that becomes 0.0 is too small for a double.
    vanished = as_mask(pc.equal(doubles, 0.0)) & words.matches(r"[^eE]*[1-9].*")
    beyond = form & (as_mask(pc.is_inf(doubles)) | vanished)
    return pc.if_else(pa.array(beyond), pa.scalar(None, pa.float64()), doubles), beyond


def _lossy(words: Words, texts: pa.Array, doubles: pa.Array) -> int:
    """Return 1 if some text has more digits than its double keeps, else 0."""
    long = words.matches(f".*([0-9]\\.?){{{SAFE_DIGITS + 1}}}.*")
    differs = pa.array(long & as_mask(pc.not_equal(doubles.cast(pa.string()), texts)))
    pairs = zip(texts.filter(differs).to_pylist(), doubles.filter(differs).to_pylist(), strict=True)
    return int(any(double is not None and not keeps(double, Decimal(text)) for text, double in pairs))


def keeps(double: float, exact: Decimal) -> bool:
    """Whether the double, written with as many digits, is the same number. This holds for doubles a program wrote."""
    return Decimal(f"{double:.{max(len(exact.as_tuple().digits) - 1, 0)}e}") == exact
