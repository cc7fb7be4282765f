"""Python functions of groups that hand on what they are given besides: values that are the same in all of a group.

The user's function stays pickled until a task runs it. It may have been pickled by a cell, and whoever unpickles it
runs what the cell wrote.
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
"""How the rows of a group come, and how what is made of them goes: all at once or batch by batch."""

Rows = Any
"""A pandas frame, an Arrow table or an Arrow batch."""

CarriedValues = dict[str, Any]
"""By name, a value for all rows that are made of a group."""


@dataclass(frozen=True)
class CarryingFunction:
    """Unpickled by a task, the user's function between taking off what it is not to see and putting it on again."""

    command: bytes
    form: Form
    names: tuple[tuple[str, ...], ...]
    """For each input, what is handed on: its last columns, under these names."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return bound, (self.command, self.form, self.names)


def bound(command: bytes, form: Form, names: tuple[tuple[str, ...], ...]) -> Callable[..., object]:
    """The function that Spark calls; whether it takes the key of the group, too, Spark reads off its arguments."""
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
    """The rows as the function expects them; by place, because names may repeat."""
    if isinstance(rows, pd.DataFrame):
        return rows.iloc[:, : rows.shape[1] - count]
    return rows.select(list(range(rows.num_columns - count)))


def _first(rows: Rows, names: tuple[str, ...]) -> CarriedValues:
    """What the rows hand on; nothing where the other side of a pair alone has the key."""
    if isinstance(rows, pd.DataFrame):
        start = rows.shape[1] - len(names)
        return {name: rows.iloc[0, start + n] if len(rows) else None for n, name in enumerate(names)}
    start = rows.num_columns - len(names)
    return {
        name: rows.column(start + n)[0] if rows.num_rows else pa.scalar(None, rows.schema.types[start + n])
        for n, name in enumerate(names)
    }


def _with(made: Rows, handed: CarriedValues) -> Rows:
    """What the function made, with the values put on; of what is no table at all Spark complains itself."""
    if isinstance(made, pd.DataFrame):
        return _append_values(made.copy(deep=False), handed)
    if isinstance(made, pa.Table | pa.RecordBatch):
        for name, value in handed.items():
            made = made.append_column(name, pa.repeat(value, made.num_rows))
    return made


def _append_values(made: pd.DataFrame, handed: CarriedValues) -> pd.DataFrame:
    """Spark goes by place in a frame whose columns have no names, and so it must stay."""
    if not len(made.columns):  # nothing at all, which needs no columns
        return made
    has_names = any(isinstance(label, str) for label in made.columns)
    for number, (name, value) in enumerate(handed.items()):
        made[name if has_names else -1 - number] = value
    return made
