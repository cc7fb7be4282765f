"""Chooses the type of a column from all its values, and converts pieces of the column, with a problem per misfit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading import booleans, decimal_comma, missing_words, moments, numbers
from whence.loading.problems import Problem, as_text, as_type, misfit, of_column, out_of_range
from whence.loading.quick import Quick, may_have_a_type, quick, trimmed
from whence.loading.tally import TEXT, Reading, Refusal, Tally
from whence.loading.words import ConvertedWords, Mask, Rows, Words, as_mask, words_of
from whence.model.caveat import EXCHANGED_DAY

LOOKS: tuple[Callable[[Words, Tally], None], ...] = (
    numbers.look,
    decimal_comma.look,
    booleans.look,
    moments.look,
    missing_words.look,
)
CHOICES: tuple[Callable[[Tally], Reading | Refusal | None], ...] = (
    numbers.choose,
    decimal_comma.choose,
    booleans.choose,
    moments.choose,
)
"""The types that a column of text can have, tried in this order."""
READERS: dict[str, Callable[[Words, Reading], ConvertedWords]] = {
    "whole": numbers.as_whole,
    "double": numbers.as_double,
    "decimal": numbers.as_decimal,
    "comma": decimal_comma.as_comma,
    "boolean": booleans.as_boolean,
    "moment": moments.as_moment,
}
_NO_ROWS: Rows = np.zeros(0, np.int64)


@dataclass(frozen=True)
class TalliedPiece:
    """The tally of a piece of a column, and the converted piece if the quick path already found it."""

    tally: Tally
    quick: Quick | None = None


@dataclass(frozen=True)
class TypedValues:
    """A column in its type, the problems, and the rows whose value has several possible readings."""

    values: pa.ChunkedArray | pa.Array
    problems: list[Problem]
    doubtful: Rows


def look(texts: pa.Array) -> TalliedPiece:
    """Tally what the texts of a piece look like."""
    texts = trimmed(texts)
    found = quick(texts)
    if found is not None:
        return TalliedPiece(found.tally, found)
    tally = Tally()
    may = may_have_a_type(texts)
    filled = len(texts) - texts.null_count - int(pc.sum(pc.equal(texts, "")).as_py() or 0)
    others = filled - int(may.sum())
    words, _ = words_of(texts.filter(pa.array(may)))
    tally.counts["evidence"] = others + words.weight(words.is_evidence)
    if len(words.texts):
        for each in LOOKS:
            each(words, tally)
    return TalliedPiece(tally)


def choose(tally: Tally) -> Reading | Refusal | None:
    """Return the type that most values have. A refusal says why the column stays text although many have one."""
    if not tally.evidence:
        return None
    refusal = None
    for asked in CHOICES:
        answer = asked(tally)
        if isinstance(answer, Reading):
            return answer
        refusal = refusal or answer
    return refusal


def decide_reading(name: str, tally: Tally) -> tuple[Reading, list[Problem]]:
    """Return how a column is read, judging by its tally, and the notes about that choice."""
    reading, notes = decided(name, choose(tally))
    return reading, [*notes, *(missing_words.notes(name, tally) if reading.how == "text" else ())]


def decided(name: str, answer: Reading | Refusal | None) -> tuple[Reading, list[Problem]]:
    """Return how a column is read, given the choice, and the notes about it."""
    if isinstance(answer, Reading):
        notes = [of_column(name, kind, f"Column {name}: {note}{as_text(name)}.") for kind, note in answer.notes]
        return answer, [_with_other_days(note, answer) for note in notes]
    if answer is None or not answer.kind:
        return TEXT, []
    message = f"Column {name} is kept as text: {answer.reason}{as_type(name, answer.kind)}."
    return TEXT, [of_column(name, answer.kind, message)]


def _with_other_days(note: Problem, reading: Reading) -> Problem:
    """Return the note, with what its dates can be instead; in a time zone, day and month are not those of the text."""
    is_either = note.kind == moments.EITHER_ORDER and getattr(reading.type, "tz", None) is None
    return replace(note, low=EXCHANGED_DAY, high=EXCHANGED_DAY) if is_either else note


def read_as(name: str, texts: pa.Array, lines: Rows, reading: Reading, found: Quick | None = None) -> TypedValues:
    """Return a piece of a column in a type. Rows are counted from the first of the piece."""
    if reading.how == "text":
        return TypedValues(texts, [], _NO_ROWS)
    if found is None and not reading.is_wish:
        found = quick(trimmed(texts))
    if found is not None and found.is_read_as(reading):
        values = found.values.cast(reading.type)
        return TypedValues(
            values, list(_misfits(name, texts, lines, values=values, reading=reading, beyond=_NO_ROWS)), _NO_ROWS
        )
    words, places = words_of(trimmed(texts))
    fit = READERS[reading.how](words, reading)
    values = fit.values.take(pa.array(places, mask=places == len(fit.values)))
    beyond = _where(fit.out_of_range, places)
    problems = list(_misfits(name, texts, lines, values=values, reading=reading, beyond=beyond))
    return TypedValues(values, problems, _where(fit.doubtful, places))


def infer(name: str, column: pa.ChunkedArray, lines: Rows) -> TypedValues:
    """Convert a column of texts to the type that most values have. A misfit becomes NULL and a problem."""
    tally = Tally()
    for chunk in column.chunks:
        tally.add(look(chunk).tally)
    reading, problems = decide_reading(name, tally)
    pieces, doubtful, start = [], [_NO_ROWS], 0
    for chunk in column.chunks:
        piece = read_as(name, chunk, lines[start : start + len(chunk)], reading)
        pieces.append(piece.values)
        problems += [problem.moved(start) for problem in piece.problems]
        doubtful.append(piece.doubtful + start)
        start += len(chunk)
    return TypedValues(pa.chunked_array(pieces, reading.type), problems, np.concatenate(doubtful))


def _misfits(
    name: str, texts: pa.Array, lines: Rows, values: pa.Array, reading: Reading, beyond: Rows
) -> Iterator[Problem]:
    """Yield a problem for each row that has text, even only blanks, but no value."""
    if values.null_count == texts.null_count:
        return
    rows = np.flatnonzero(as_mask(pc.and_(values.is_null(), pc.greater(pc.binary_length(texts), 0))))
    outside = set(beyond.tolist())
    for row, line, text in zip(rows.tolist(), lines[rows].tolist(), texts.take(rows).to_pylist(), strict=True):
        if row in outside:
            yield out_of_range(row, name, line, text, reading.noun)
        else:
            yield misfit(row, name, line, text, reading.noun, reading=reading)


def _where(mask: Mask | None, places: Rows) -> Rows:
    """Return the rows whose word is in the mask. The place after the last word stands for NULL, which is in no mask."""
    return _NO_ROWS if mask is None else np.flatnonzero(np.append(mask, False)[places])
