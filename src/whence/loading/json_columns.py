"""The values of one key of JSON records as a column: the kind most values have wins, the others are named."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import pyarrow as pa

from whence.loading import moments
from whence.loading.infer import Typed, infer, look, read_as
from whence.loading.json_values import Real
from whence.loading.numbers import keeps
from whence.loading.problems import Problem, cell, misfit, of_column
from whence.loading.tally import ENOUGH, Reading
from whence.loading.wishes import wished
from whence.loading.words import Rows

_NO_ROWS: Rows = np.zeros(0, np.int64)
_NOUNS = {"number": "a number", "text": "text", "truth": "true or false", "nested": "a list or an object"}


def json_column(name: str, values: Sequence[object], lines: Rows, wish: str | None = None) -> Typed:
    """Give the values the type a user wants, else that most of them have; `None`: the key is missing or null."""
    if wish is not None:
        texts = pa.array([_as_text(value) for value in values], pa.string())
        return read_as(name, texts, lines, wished(wish, look(texts).tally))
    kinds = [_kind(value) for value in values]
    counts = Counter(kind for kind in kinds if kind)
    if not counts:
        return Typed(pa.chunked_array([pa.nulls(len(values), pa.string())]), [], _NO_ROWS)
    best, count = counts.most_common(1)[0]
    if count < ENOUGH * counts.total():
        return _as_json(name, values, f"its values are {', '.join(_NOUNS[kind] for kind in counts)}")
    kept = [value if kind == best else None for value, kind in zip(values, kinds, strict=True)]
    typed = _typed(name, best, kept, lines)
    misfits = [
        misfit(row, name, int(lines[row]), written(values[row]), _NOUNS[best])
        for row, kind in enumerate(kinds)
        if kind and kind != best
    ]
    return Typed(typed.values, [*typed.problems, *misfits], typed.doubtful)


def _as_text(value: object) -> str | None:
    if isinstance(value, str) and not isinstance(value, Real):
        return mended(value)
    return None if value is None else written(value)


def written(value: object) -> str:
    """A value as JSON text; numbers as they stand in the file."""
    if isinstance(value, Real):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(key)}: {written(v)}" for key, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(written(v) for v in value) + "]"
    return json.dumps(value, ensure_ascii=isinstance(value, str) and not is_whole(value))


def is_whole(text: str) -> bool:
    """Whether a text has no half letters; JSON can write those, UTF-8 cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def mended(text: str) -> str:
    """The text with half letters shown as such."""
    return "".join("�" if "\ud800" <= letter <= "\udfff" else letter for letter in text)


def _kind(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int | Real):
        return "number"
    return "text" if isinstance(value, str) else "nested"


def _typed(name: str, kind: str, values: Sequence[object], lines: Rows) -> Typed:
    if kind == "truth":
        return Typed(pa.chunked_array([pa.array(values, pa.bool_())]), [], _NO_ROWS)
    if kind == "nested":
        return _nested(name, values)
    texts = [None if value is None else str(value) for value in values]
    if kind == "number":
        return infer(name, pa.chunked_array([pa.array(texts, pa.string())]), lines)
    halves = [
        cell(row, name, int(lines[row]), written(text), "bad letters", "holds half a letter, shown as �")
        for row, text in enumerate(texts)
        if text is not None and not is_whole(text)
    ]
    typed = _text(pa.array([None if text is None else mended(text) for text in texts], pa.string()))
    return Typed(typed.values, halves, typed.doubtful)


def _text(texts: pa.Array) -> Typed:
    """Text stays text, unless all of it is one form of date or time: JSON has no other way to write these."""
    reading = moments.choose(look(texts).tally)
    if not isinstance(reading, Reading) or reading.notes:
        return Typed(pa.chunked_array([texts]), [], _NO_ROWS)
    typed = read_as("", texts, np.zeros(len(texts), np.int64), reading)
    return Typed(pa.chunked_array([texts if typed.problems else typed.values]), [], _NO_ROWS)


def _nested(name: str, values: Sequence[object]) -> Typed:
    try:
        array = pa.array([_plain(value) for value in values])
    except (pa.ArrowException, ValueError, OverflowError):
        return _as_json(name, values, "its lists and objects do not all have the same form")
    return Typed(pa.chunked_array([array]), [], _NO_ROWS)


def _plain(value: object) -> object:
    """Nested numbers as Python has them; a text is never a number here."""
    if isinstance(value, Real):
        if not keeps(float(value), Decimal(value)):
            raise ValueError("a double would lose digits")
        return float(value)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def _as_json(name: str, values: Sequence[object], why: str) -> Typed:
    texts = [None if value is None else written(value) for value in values]
    problems: list[Problem] = [of_column(name, "mixed types", f"Column {name} is kept as JSON text: {why}.")]
    return Typed(pa.chunked_array([pa.array(texts, pa.string())]), problems, _NO_ROWS)
