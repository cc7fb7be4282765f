"""When a column of texts is a column of numbers, and of which kind: whole, exact decimal or double."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.words import ENOUGH, Fit, Mask, Refusal, Words, as_mask

NOUN = "a number"
_WHOLE = r"-?[1-9][0-9]*|0"
REAL = r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
_PADDED = r"-?0[0-9]+(\.[0-9]*)?"
GROUPED = r"-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?"
SAFE_DIGITS = 15
"""Every decimal of this many digits survives the way through a double."""
_MOST_DIGITS = 38


def numbers(words: Words) -> Fit | Refusal | None:
    """Read the words as numbers, if enough of them are and none speaks for text."""
    whole, real, padded = words.matches(_WHOLE), words.matches(REAL), words.matches(_PADDED)
    form = real & ~padded
    if words.share(form | padded) < ENOUGH:
        return _grouped(words, form) or _mixed(words, form)
    if padded.any():
        return _padded(words, padded)
    return _whole(words, whole) if (whole == form).all() else _fractional(words, form)


def _padded(words: Words, padded: Mask) -> Refusal:
    """Codes such as 00123 are a usual thing and no doubt; fractions and signs beside them are."""
    if not (words.matches(REAL) & words.matches(".*[.eE-].*")).any():
        return Refusal("", "")
    example = words.texts.filter(pa.array(padded))[0].as_py()
    return Refusal("leading zero", f"'{example}' begins with a zero, which a number would lose")


def _grouped(words: Words, form: Mask) -> Refusal | None:
    grouped = words.matches(GROUPED)
    if grouped.any() and words.share(form | grouped) >= ENOUGH:
        example = words.texts.filter(pa.array(grouped))[0].as_py()
        return Refusal("thousands", f"'{example}' may be a number with a mark between thousands")
    return None


def _mixed(words: Words, form: Mask) -> Refusal | None:
    """A column that is half numbers stays text, but not in silence."""
    if words.share(form) < 0.5:
        return None
    count = int(words.counts[form].sum())
    return Refusal("mixed types", f"only {count} of its {words.evidence} values are numbers")


def _whole(words: Words, whole: Mask) -> Fit | Refusal:
    digits = _digits(words, whole)
    if digits <= 18:
        return Fit(words.only(whole).cast(pa.int64()), NOUN)
    if digits > _MOST_DIGITS:
        return Refusal("too many digits", f"a number of {digits} digits is more than {_MOST_DIGITS}")
    try:
        return Fit(words.only(whole).cast(pa.int64()), NOUN)
    except pa.ArrowInvalid:
        note = ("large numbers", f"it has whole numbers beyond 64 bits and is stored as decimal({digits},0)")
        return Fit(words.only(whole).cast(pa.decimal128(digits, 0)), NOUN, notes=(note,))


def _fractional(words: Words, form: Mask) -> Fit | Refusal:
    texts = words.only(form)
    doubles = texts.cast(pa.float64())
    beyond = form & (as_mask(pc.is_inf(doubles)) | (as_mask(pc.equal(doubles, 0.0)) & words.matches(r"[^eE]*[1-9].*")))
    doubles = pc.if_else(pa.array(beyond), pa.scalar(None, pa.float64()), doubles)
    lossy = _lossy(words, texts, doubles)
    if not lossy:
        return Fit(doubles, NOUN, out_of_range=beyond)
    return _exact(words, form & ~beyond, beyond)


def _lossy(words: Words, texts: pa.Array, doubles: pa.Array) -> bool:
    """Whether some text has more digits than its double keeps."""
    long = words.matches(f".*([0-9]\\.?){{{SAFE_DIGITS + 1}}}.*")
    differs = pa.array(long & as_mask(pc.not_equal(doubles.cast(pa.string()), texts)))
    pairs = zip(texts.filter(differs).to_pylist(), doubles.filter(differs).to_pylist(), strict=True)
    return any(double is not None and not _keeps(double, Decimal(text)) for text, double in pairs)


def _keeps(double: float, exact: Decimal) -> bool:
    """Whether the double, written with as many digits, is the same number: so are doubles that a program wrote."""
    return Decimal(f"{double:.{max(len(exact.as_tuple().digits) - 1, 0)}e}") == exact


def _exact(words: Words, fits: Mask, beyond: Mask) -> Fit | Refusal:
    values = [Decimal(text) if text is not None else None for text in words.only(fits).to_pylist()]
    shapes = [value.as_tuple() for value in values if value is not None]
    exponents = [shape.exponent for shape in shapes if isinstance(shape.exponent, int)]
    scale = max(0, -min(exponents))
    whole = max(len(shape.digits) + exponent for shape, exponent in zip(shapes, exponents, strict=True))
    if max(whole, 0) + scale > _MOST_DIGITS:
        return Refusal("too many digits", f"its numbers need {max(whole, 0) + scale} digits, more than {_MOST_DIGITS}")
    precision = max(max(whole, 0) + scale, 1)
    note = ("many digits", f"it has more digits than a double keeps and is stored as decimal({precision},{scale})")
    return Fit(pa.array(values, pa.decimal128(precision, scale)), NOUN, out_of_range=beyond, notes=(note,))


def _digits(words: Words, whole: Mask) -> int:
    lengths = pc.binary_length(pc.utf8_ltrim(words.only(whole), "-"))
    return int(pc.max(lengths).as_py() or 0)
