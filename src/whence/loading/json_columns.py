"""Converts the values of one key of JSON records to a column. The kind that most values have wins.

A column is examined in pieces, then one plan is made for all of them, then it is read in pieces. So only one piece has
to be in memory.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal

import numpy as np
import pyarrow as pa

from whence.loading import moments
from whence.loading.infer import TypedValues, choose, decided, look, read_as
from whence.loading.json_values import Real
from whence.loading.numbers import keeps
from whence.loading.problems import Problem, cell, misfit, of_column
from whence.loading.tally import ENOUGH, TEXT, Reading, Tally
from whence.loading.wishes import wished
from whence.loading.words import Rows

_NO_ROWS: Rows = np.zeros(0, np.int64)
_NOUNS = {"number": "a number", "text": "text", "truth": "true or false", "nested": "a list or an object"}
ColumnForm = Literal["text", "number", "truth", "nested", "json", "bytes", "wish", "nothing"]


def json_column(name: str, values: Sequence[object], lines: Rows, wish: str | None = None) -> TypedValues:
    """Convert the values to the user's type, else to the type of most of them. `None` is a missing key or null."""
    seen = JsonColumnTally(wish)
    seen.add(values)
    plan = seen.plan(name)
    typed = (plan if plan.holds(values) else seen.without_doubt(plan)).read(values, lines)
    return TypedValues(
        pa.chunked_array([typed.values]), [*typed.notes, *typed.problems, *typed.misfits], typed.doubtful
    )


@dataclass(frozen=True)
class Piece:
    """Some values in the type of their column, and the problems: of form (`problems`) and of kind (`misfits`)."""

    values: pa.Array
    notes: Sequence[Problem]
    problems: Sequence[Problem]
    misfits: Sequence[Problem]
    doubtful: Rows


class JsonColumnTally:
    """What the values of one column look like, over all pieces."""

    def __init__(self, wish: str | None = None) -> None:
        self.wish = wish
        self._counts: Counter[str] = Counter()
        self._numbers, self._texts, self._all = Tally(), Tally(), Tally()
        self._nested: pa.DataType | None = pa.null()
        self._has_bytes = False

    def add(self, values: Sequence[object]) -> None:
        """Tally one more piece."""
        if self.wish is not None:
            self._all.add(look(pa.array([_as_text(value) for value in values], pa.string())).tally)
            return
        self._has_bytes |= any(isinstance(value, bytes) for value in values)
        kinds = [_kind(value) for value in values]
        self._counts.update(kind for kind in kinds if kind)
        for tally, kind in ((self._numbers, "number"), (self._texts, "text")):
            texts = [mended(str(value)) for value, own in zip(values, kinds, strict=True) if own == kind]
            if texts:
                tally.add(look(pa.array(texts, pa.string())).tally)
        if self._nested is not None:
            self._nested = _united(self._nested, [v for v, kind in zip(values, kinds, strict=True) if kind == "nested"])

    def plan(self, name: str) -> Plan:
        """Return the plan by which all pieces are read."""
        if self.wish is not None:
            return Plan(name, "wish", wished(self.wish, self._all))
        if not self._counts:
            return Plan(name, "nothing")
        best, count = self._counts.most_common(1)[0]
        if self._has_bytes and set(self._counts) == {"bytes"}:
            return Plan(name, "bytes")
        if count < ENOUGH * self._counts.total() or self._has_bytes:
            return self._as_json(name, f"its values are {', '.join(_NOUNS.get(kind, kind) for kind in self._counts)}")
        if best == "number":
            reading, notes = decided(name, choose(self._numbers))
            return Plan(name, "number", reading, notes=tuple(notes))
        if best == "text":
            moment = moments.choose(self._texts)
            is_sure = isinstance(moment, Reading) and not moment.notes
            return Plan(name, "text", moment if is_sure and isinstance(moment, Reading) else TEXT)
        if best == "nested":
            plan = Plan(name, "nested", nested=self._nested)
            return plan if _can_be_stored(self._nested) else self.without_doubt(plan)
        return Plan(name, "truth")

    def without_doubt(self, plan: Plan) -> Plan:
        """Return the plan for a column that does not hold what the first plan promised."""
        if plan.how == "nested":
            return self._as_json(plan.name, "its lists and objects do not all have the same form")
        return replace(plan, reading=TEXT)

    def _as_json(self, name: str, why: str) -> Plan:
        note = of_column(name, "mixed types", f"Column {name} is kept as JSON text: {why}.")
        return Plan(name, "json", notes=(note,))


@dataclass(frozen=True)
class Plan:
    """How a column is read."""

    name: str
    how: ColumnForm
    reading: Reading = TEXT
    nested: pa.DataType | None = None
    notes: tuple[Problem, ...] = field(default=())

    @property
    def is_uncertain(self) -> bool:
        """Whether the plan depends on all values: that all are dates, or all of one nested form."""
        return self.how == "nested" or (self.how == "text" and self.reading.how != "text")

    @property
    def type(self) -> pa.DataType:
        """The type of the column."""
        plain = {"truth": pa.bool_(), "bytes": pa.binary(), "nested": self.nested}
        return plain.get(self.how, self.reading.type)

    def holds(self, values: Sequence[object]) -> bool:
        """Whether these values are as the plan promises."""
        if not self.is_uncertain:
            return True
        kept = [value if _kind(value) == self.how else None for value in values]
        if self.how == "text":
            texts = pa.array([None if value is None else mended(str(value)) for value in kept], pa.string())
            return not read_as("", texts, np.zeros(len(texts), np.int64), self.reading).problems
        try:
            pa.array([_plain(value) for value in kept], self.nested)
        except (pa.ArrowException, ValueError, OverflowError):
            return False
        return True

    def read(self, values: Sequence[object], lines: Rows) -> Piece:
        """Convert some of the values. Rows are counted from the first of them."""
        if self.how == "wish":
            texts = pa.array([_as_text(value) for value in values], pa.string())
            typed = read_as(self.name, texts, lines, self.reading)
            return Piece(typed.values, self.notes, typed.problems, (), typed.doubtful)
        if self.how in ("nothing", "json", "bytes"):
            written_out = values if self.how == "bytes" else [_as_json(value) for value in values]
            return Piece(pa.array(written_out, self.type), self.notes, (), (), _NO_ROWS)
        kinds = [_kind(value) for value in values]
        kept = [value if kind == self.how else None for value, kind in zip(values, kinds, strict=True)]
        misfits = [
            misfit(row, self.name, int(lines[row]), to_json_text(values[row]), _NOUNS[self.how])
            for row, kind in enumerate(kinds)
            if kind and kind != self.how
        ]
        typed = self._convert_values(kept, lines)
        return Piece(typed.values, self.notes, typed.problems, misfits, typed.doubtful)

    def _convert_values(self, values: Sequence[object], lines: Rows) -> TypedValues:
        if self.how == "truth":
            return TypedValues(pa.array(values, pa.bool_()), [], _NO_ROWS)
        if self.how == "nested":
            return TypedValues(pa.array([_plain(value) for value in values], self.nested), [], _NO_ROWS)
        texts = [None if value is None else str(value) for value in values]
        if self.how == "number":
            return read_as(self.name, pa.array(texts, pa.string()), lines, self.reading)
        halves = [
            cell(
                row,
                self.name,
                int(lines[row]),
                text=to_json_text(text),
                kind="bad letters",
                what="holds half a letter, shown as �",
            )
            for row, text in enumerate(texts)
            if text is not None and not is_whole(text)
        ]
        whole = pa.array([None if text is None else mended(text) for text in texts], pa.string())
        read = whole if self.reading.how == "text" else read_as(self.name, whole, lines, self.reading).values
        return TypedValues(read, halves, _NO_ROWS)


def _can_be_stored(nested: pa.DataType | None) -> bool:
    """Whether a nested type can be stored. Parquet has no place for objects without any key."""
    if nested is None or (pa.types.is_struct(nested) and nested.num_fields == 0):
        return False
    return all(_can_be_stored(nested.field(number).type) for number in range(nested.num_fields))


def _united(known: pa.DataType, values: Sequence[object]) -> pa.DataType | None:
    """Return the nested type that holds both the known form and these values, or None if there is none."""
    try:
        found = pa.array([_plain(value) for value in values]).type
        schemas = [pa.schema([("v", kind)]) for kind in (known, found)]
        return pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except (pa.ArrowException, ValueError, OverflowError):
        return None


def _as_json(value: object) -> str | None:
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return None if value is None else to_json_text(value)


def _as_text(value: object) -> str | None:
    if isinstance(value, str) and not isinstance(value, Real):
        return mended(value)
    return None if value is None else to_json_text(value)


def to_json_text(value: object) -> str:
    """Return a value as JSON text, with numbers as they are in the file."""
    if isinstance(value, Real):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{to_json_text(key)}: {to_json_text(v)}" for key, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(to_json_text(v) for v in value) + "]"
    return json.dumps(value, ensure_ascii=isinstance(value, str) and not is_whole(value))


def is_whole(text: str) -> bool:
    """Whether a text has no lone surrogates ("half letters"), which JSON can write and UTF-8 cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def mended(text: str) -> str:
    """Return the text with every lone surrogate replaced by a replacement character."""
    return "".join("�" if "\ud800" <= letter <= "\udfff" else letter for letter in text)


def _kind(value: object) -> str:
    if value is None:
        return ""
    # Before int: Python's True is an int.
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int | Real):
        return "number"
    if isinstance(value, bytes):
        return "bytes"
    return "text" if isinstance(value, str) else "nested"


def _plain(value: object) -> object:
    """Return nested values with numbers as Python floats. Raise ValueError if a double would lose digits."""
    if isinstance(value, Real):
        if not keeps(float(value), Decimal(value)):
            raise ValueError("a double would lose digits")
        return float(value)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
