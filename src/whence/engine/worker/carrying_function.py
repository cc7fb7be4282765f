"""Wraps a user's grouped Python function in a task, so that its output rows carry extra values of their group.

The user's function stays pickled until a task runs it. It may have been pickled by a cell, and unpickling it runs
what the cell wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from inspect import getfullargspec
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa
from pyspark.serializers import CPickleSerializer
from pyspark.worker_util import read_command

from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

Form = Literal["pandas", "pandas batches", "arrow", "arrow batches"]
"""How the function takes and returns the rows of a group: as pandas or Arrow, at once or batch by batch."""

Rows = Any
"""A pandas frame, an Arrow table or an Arrow batch."""

CarriedValues = dict[str, Any]
"""By column name, the value that all output rows of a group get."""


@dataclass(frozen=True)
class CarryingFunction:
    """A pickled user's function with extra columns: a task unpickles it as a function that hides them from the user's.

    The function removes the last columns of its input, calls the user's, and adds their values to the output.
    """

    command: bytes
    form: Form
    names: tuple[tuple[str, ...], ...]
    """For each input, the names under which its last columns are added to the output."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return bound, (self.command, self.form, self.names)


def bound(command: bytes, form: Form, names: tuple[tuple[str, ...], ...]) -> Callable[..., object]:
    """Return the function that Spark calls.

    It always takes the key of the group: Spark decides by the number of arguments whether to pass the key.
    """
    function, _ = read_command(CPickleSerializer(), command)
    if len(getfullargspec(function).args) == len(names):
        keyless = function

        def function(_key: object, *inputs: object) -> object:
            return keyless(*inputs)

    if form.endswith("batches"):
        return _of_batches(function, names[0])
    return _of_all(function, names[0]) if len(names) == 1 else _of_pairs(function, names)


def _of_all(function: Callable[..., Rows], names: tuple[str, ...]) -> Callable[..., object]:
    def called(key: object, rows: Rows) -> object:
        return _with(function(key, _without(rows, len(names))), _first(rows, names))

    return called


def _of_pairs(function: Callable[..., Rows], names: tuple[tuple[str, ...], ...]) -> Callable[..., object]:
    def called(key: object, left: Rows, right: Rows) -> object:
        sides = tuple(zip((left, right), names, strict=True))
        made = function(key, *(_without(rows, len(each)) for rows, each in sides))
        return reduce(_with, (_first(rows, each) for rows, each in sides), made)

    return called


def _of_batches(function: Callable[..., Iterable[Rows]], names: tuple[str, ...]) -> Callable[..., object]:
    def called(key: object, batches: Iterator[Rows]) -> Iterator[object]:
        first = next(batches)
        handed = _first(first, names)
        for made in function(key, (_without(batch, len(names)) for batch in chain((first,), batches))):
            yield _with(made, handed)

    return called


def _without(rows: Rows, count: int) -> Rows:
    """Return the rows without their last columns. They are selected by position, because names may repeat."""
    if isinstance(rows, pd.DataFrame):
        return rows.iloc[:, : rows.shape[1] - count]
    return rows.select(list(range(rows.num_columns - count)))


def _first(rows: Rows, names: tuple[str, ...]) -> CarriedValues:
    """Return the values to carry, from the first row; NULLs if this side of a pair has no rows for the key."""
    if isinstance(rows, pd.DataFrame):
        start = rows.shape[1] - len(names)
        return {name: rows.iloc[0, start + n] if len(rows) else None for n, name in enumerate(names)}
    start = rows.num_columns - len(names)
    return {
        name: rows.column(start + n)[0] if rows.num_rows else pa.scalar(None, rows.schema.types[start + n])
        for n, name in enumerate(names)
    }


def _with(made: Rows, handed: CarriedValues) -> Rows:
    """Return the function's output with the carried values added. Spark itself reports output that is no table."""
    if isinstance(made, pd.DataFrame):
        return _append_values(made.copy(deep=False), handed)
    if isinstance(made, pa.Table | pa.RecordBatch):
        for name, value in handed.items():
            made = made.append_column(name, pa.repeat(value, made.num_rows))
    return made


def _append_values(made: pd.DataFrame, handed: CarriedValues) -> pd.DataFrame:
    """Add the values as columns; if no column name is a text, with numbers, as Spark then matches by position."""
    if not len(made.columns):  # an empty result, which needs no columns
        return made
    has_names = any(isinstance(label, str) for label in made.columns)
    for number, (name, value) in enumerate(handed.items()):
        made[name if has_names else -1 - number] = value
    return made
