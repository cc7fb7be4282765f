"""How the columns of typed files are stored: which types stay, which become others, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.loading.decoding import decoded_type, decoding_notes
from whence.loading.infer import read_as
from whence.loading.json_text import as_json_text
from whence.loading.problems import Problem
from whence.loading.tally import Reading
from whence.loading.typed_file import NOTE
from whence.loading.words import as_mask
from whence.model.errors import BadInput, NotSupported
from whence.store.rowkeys import as_text
from whence.store.types import storable_type

_MOST_DIGITS = 38
_UTC = ("UTC", "Etc/UTC", "Z", "+00:00", "GMT")
_UNITS = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}


@dataclass(frozen=True)
class Storage:
    """The type in which values of another type are stored, how they become that, and what is said about it."""

    type: pa.DataType
    convert: Callable[[pa.Array], pa.Array]
    note: str | None = None


def storage_of(kind: pa.DataType) -> Storage:
    """Return how values of a type are stored. Nothing is lost: what has no type of its own is text."""
    if pa.types.is_time(kind):
        return Storage(pa.string(), _cast_to(pa.string()), "its times of day are text.")
    if pa.types.is_duration(kind):
        note = f"its durations are whole numbers of {_UNITS[kind.unit]}."
        return Storage(pa.int64(), _cast_to(pa.int64()), note)
    if pa.types.is_decimal(kind) and (kind.precision > _MOST_DIGITS or kind.scale < 0):
        return _storage_of_decimal(kind)
    if pa.types.is_timestamp(kind):
        return Storage(kind, _same, _zone_note(kind.tz))
    if _is_storable(kind):
        return Storage(kind, _same)
    return Storage(pa.string(), _as_json, f"its values of type {kind} are JSON text.")


def _is_storable(kind: pa.DataType) -> bool:
    try:
        storable_type(kind)
        return not _has_empty_struct(kind)
    except NotSupported:
        return False


def _has_empty_struct(kind: pa.DataType) -> bool:
    """Whether there is a struct without fields in a type. Parquet has no place for one."""
    is_empty = pa.types.is_struct(kind) and kind.num_fields == 0
    inner = range(kind.num_fields) if pa.types.is_nested(kind) else ()
    return is_empty or any(_has_empty_struct(kind.field(number).type) for number in inner)


def _storage_of_decimal(kind: pa.DataType) -> Storage:
    digits = kind.precision - min(kind.scale, 0)
    if digits <= _MOST_DIGITS:
        wide = pa.decimal128(digits, max(kind.scale, 0))
        return Storage(wide, _cast_to(wide))
    return Storage(pa.string(), _cast_to(pa.string()), f"its numbers have up to {digits} digits and are text.")


def _zone_note(zone: str | None) -> str | None:
    if zone is None or zone in _UTC:
        return None
    return f"its times are the same instants; that they were shown in the zone {zone} is not kept."


def _same(values: pa.Array) -> pa.Array:
    return values


def _cast_to(kind: pa.DataType) -> Callable[[pa.Array], pa.Array]:
    return lambda values: values.cast(kind)


def _as_json(values: pa.Array) -> pa.Array:
    return pa.array([None if value is None else as_json_text(value) for value in values.to_pylist()], pa.string())


class TextIsNotUtf8(Exception):
    """A column of text holds other bytes, and has no flags for the cells in doubt."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


@dataclass(frozen=True)
class TypedColumn:
    """One column: its name in the file and in the dataset, its type there, and the reading that the user chose."""

    field: pa.Field
    name: str
    wish: Reading | None
    position: int
    may_be_bad: bool = False
    """Whether there are cells whose bytes are not UTF-8."""

    @property
    def original(self) -> str:
        """The name in the file."""
        return str(self.field.name)

    @property
    def storage(self) -> Storage:
        """How the values are stored, if the user chose no type."""
        return storage_of(decoded_type(self.field.type))

    @property
    def is_too_fine(self) -> bool:
        """Whether the times are in nanoseconds. Spark has no times finer than a microsecond."""
        kind = self.storage.type
        return bool(pa.types.is_timestamp(kind) and kind.unit == "ns")

    @property
    def may_be_flagged(self) -> bool:
        """Whether a cell may turn out not to fit."""
        return self.wish is not None or self.is_too_fine or self.may_be_bad

    @property
    def stored(self) -> pa.DataType:
        """The type in which the column is stored."""
        if self.wish is not None:
            return self.wish.type
        kind = self.storage.type
        return pa.timestamp("us", kind.tz) if self.is_too_fine else kind

    def notes(self) -> Iterator[str]:
        """Yield a sentence for everything that the stored type does not say."""
        for note in decoding_notes(self.field.type):
            yield f"Column {self.name} {note}"
        if NOTE in (self.field.metadata or {}):
            yield f"Column {self.name} {self.field.metadata[NOTE].decode()}"
        if self.wish is None and self.storage.note is not None:
            yield f"Column {self.name}: {self.storage.note}"

    def plain(self, values: pa.Array) -> pa.Array:
        """Return some of the values in a type that can be stored, whatever type the user chose."""
        return self.storage.convert(_mended(self.name, values, 0)[0])

    def fitted(self, values: pa.Array, row: int) -> tuple[pa.Array, list[Problem]]:
        """Convert some of the values to the stored type. A value that does not fit becomes NULL and a problem."""
        values, problems = _mended(self.name, values, row)
        if problems and not self.may_be_bad:
            raise TextIsNotUtf8(self.position)
        values = self.storage.convert(values)
        if self.wish is not None:
            lines = np.arange(row + 1, row + 1 + len(values))
            typed = read_as(self.name, as_text(values), lines, self.wish)
            return typed.values, [*problems, *(each.moved(row) for each in typed.problems)]
        if self.is_too_fine:
            return _coarser(self.name, values, row)
        return values, problems


def _mended(name: str, values: pa.Array, row: int) -> tuple[pa.Array, list[Problem]]:
    """Replace bytes of text that are not UTF-8 by replacement characters. The problems have the bytes."""
    try:
        values.validate(full=True)
        return values, []
    except pa.ArrowInvalid as error:
        if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
            raise BadInput(f"Column {name} holds a value that is damaged: {error}.", "Get the file again.") from error
    raw = values.cast(pa.binary() if pa.types.is_string(values.type) else pa.large_binary())
    try:
        raw.validate(full=True)
    except pa.ArrowInvalid as error:
        raise BadInput(f"Column {name} holds a value that is damaged: {error}.", "Get the file again.") from error
    texts, problems = [], []
    for place, data in enumerate(raw.to_pylist()):
        text = None if data is None else data.decode("utf-8", "replace")
        texts.append(text)
        spelled = None if data is None else data.decode("utf-8", "backslashreplace")
        if data is not None and text is not None and text.encode() != data:
            what = f"{spelled} in column {name}, row {row + place}, holds bytes that are not UTF-8."
            problems.append(
                Problem(row=row + place, column=name, line=None, text=spelled, kind="bad bytes", message=what)
            )
    return pa.array(texts, values.type), problems


def _coarser(name: str, values: pa.Array, row: int) -> tuple[pa.Array, list[Problem]]:
    """Convert times to microseconds. A finer one becomes NULL and a problem."""
    kind = values.type
    coarse = values.cast(pa.timestamp("us", kind.tz), safe=False)
    finer = as_mask(pc.not_equal(coarse.cast(kind), values))
    texts = values.filter(pa.array(finer)).cast(pa.string()).to_pylist()
    problems = []
    for place, text in zip(np.flatnonzero(finer).tolist(), texts, strict=True):
        what = f"{text} in column {name}, row {row + place}, is finer than a microsecond."
        problems.append(Problem(row=row + place, column=name, line=None, text=text, kind="too fine", message=what))
    return pc.if_else(pa.array(finer), pa.scalar(None, coarse.type), coarse), problems
