"""The type of a column, chosen from all its values, and the column in that type with every misfit named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.booleans import booleans
from whence.loading.decimal_comma import decimal_comma
from whence.loading.moments import moments
from whence.loading.numbers import numbers
from whence.loading.problems import Problem, misfit, of_column, out_of_range
from whence.loading.quick import has_spaces, is_surely_text, quick
from whence.loading.words import Fit, Mask, Refusal, Words, as_mask, words_of

Rows = npt.NDArray[np.int64]

TYPES: tuple[Callable[[Words], Fit | Refusal | None], ...] = (numbers, decimal_comma, booleans, moments)
"""Every type a column of text can take, asked in this order."""

_NO_ROWS: Rows = np.zeros(0, np.int64)


@dataclass(frozen=True)
class Typed:
    """A column in its type, what did not fit, and the rows whose value is only one of several readings."""

    values: pa.ChunkedArray
    problems: list[Problem]
    doubtful: Rows


def infer(name: str, column: pa.ChunkedArray, lines: Rows) -> Typed:
    """Give a column of texts the type most of its values have; what does not fit becomes NULL and a problem."""
    texts = column.combine_chunks()
    if is_surely_text(texts):
        return Typed(column, [], _NO_ROWS)
    trimmed = pc.ascii_trim(texts, " \t") if has_spaces(texts) else texts
    found, places = quick(trimmed), np.arange(len(texts))
    if found is None:
        words, places = words_of(trimmed)
        choice = _choose(words)
        if not isinstance(choice, Fit):
            return Typed(column, list(_kept_as_text(name, choice)), _NO_ROWS)
        found = choice
    values = found.values.take(pa.array(places, mask=places == len(found.values)))
    problems = [of_column(name, kind, f"Column {name}: {sentence}.") for kind, sentence in found.notes]
    problems += _misfits(name, texts, lines, values, found, places)
    return Typed(pa.chunked_array([values]), problems, _where(found.doubtful, places))


def _choose(words: Words) -> Fit | Refusal | None:
    if not words.evidence:
        return None
    refusal = None
    for read_as in TYPES:
        answer = read_as(words)
        if isinstance(answer, Fit):
            return answer
        refusal = refusal or answer
    return refusal


def _kept_as_text(name: str, found: Refusal | None) -> Iterator[Problem]:
    if found is not None and found.kind:
        yield of_column(name, found.kind, f"Column {name} is kept as text: {found.reason}.")


def _misfits(name: str, texts: pa.Array, lines: Rows, values: pa.Array, found: Fit, places: Rows) -> Iterator[Problem]:
    """Rows that had some text, blanks included, but have no value."""
    rows = np.flatnonzero(as_mask(pc.and_(values.is_null(), pc.greater(pc.binary_length(texts), 0))))
    beyond = set(_where(found.out_of_range, places).tolist())
    for row, line, text in zip(rows.tolist(), lines[rows].tolist(), texts.take(rows).to_pylist(), strict=True):
        describe = out_of_range if row in beyond else misfit
        yield describe(row, name, line, text, found.noun)


def _where(mask: Mask | None, places: Rows) -> Rows:
    """The rows whose word is in the mask; NULL is after the last word and in no mask."""
    return _NO_ROWS if mask is None else np.flatnonzero(np.append(mask, False)[places])
