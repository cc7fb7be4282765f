"""Wraps a user's Python function over batches in a task, and observes which input row each output row came from.

The user's function gets the rows of a task as ever, and what it makes of them is the result. It is then called once
more for each row alone. If that gives the same rows, each came from the row that gave it. If not, the task fails with
a reason, and the query runs again without ids.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.serializers import CPickleSerializer
from pyspark.sql.types import StructType
from pyspark.worker_util import read_command

from whence.engine.worker.attribution import attribute_rows
from whence.engine.worker.comparable_rows import ComparableRow, comparable_rows
from whence.engine.worker.single_rows import single_rows
from whence.model.errors import NotRowByRow
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

MOST_OBSERVED = 2_000
"""How many rows of a task are given alone."""
MOST_SECONDS = 10.0
"""How long the rows of one task may take when they are given alone."""
MOST_RESULTS = 100_000
"""How many rows of a task are compared."""

_FUNCTION = "a Python function over batches that"
OTHER_ROWS = f"{_FUNCTION} makes other rows of single rows than of all together"
FAILED = f"{_FUNCTION} fails on single rows"
TOO_SLOW = f"{_FUNCTION} takes more than {MOST_SECONDS:.0f} seconds for single rows"
TOO_MANY = f"a Python function over batches of more than {MOST_OBSERVED:,} rows in a task"
NO_ITERATOR = f"{_FUNCTION} returns no iterator"
MANY_RESULTS = f"{_FUNCTION} makes more than {MOST_RESULTS:,} rows"

Batch = Any
"""A pandas frame or an Arrow batch."""

BatchFunction = Callable[[Iterator[Batch]], Any]


@dataclass(frozen=True)
class ObservingFunction:
    """A pickled user's function: a task unpickles it as one that takes more columns, and carries them on by row."""

    command: bytes
    types: tuple[str, ...]
    """Spark's types of the columns that the user's function is given."""
    names: tuple[str, ...]
    """The names under which the last columns of the input are added to the output."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return bound, (self.command, self.types, self.names)


def bound(command: bytes, types: tuple[str, ...], names: tuple[str, ...]) -> BatchFunction:
    """Return the function that Spark calls."""
    function, returned = read_command(CPickleSerializer(), command)

    def called(batches: Iterator[Batch]) -> object:
        given = _InputRows(types)
        made = function(given.remember(batches))
        if not isinstance(made, Iterator):
            raise NotRowByRow(NO_ITERATOR)
        return _observed(function, returned, given, made, names)

    return called


@dataclass
class _InputRows:
    """The rows that the function has taken, one by one, and what each carries."""

    types: tuple[str, ...]
    rows: list[Batch] = field(default_factory=list)
    carried: list[tuple[object, ...]] = field(default_factory=list)
    arrow_types: tuple[pa.DataType, ...] = ()
    """The types of what rows carry, where they come as Arrow."""

    def remember(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        for batch in batches:
            if len(self.rows) + _count(batch) > MOST_OBSERVED:
                raise NotRowByRow(TOO_MANY)
            shown, beside = _split(batch, len(self.types))
            self.rows.extend(single_rows(shown, self.types))
            self.carried.extend(zip(*beside, strict=True))
            if isinstance(batch, pa.RecordBatch):
                self.arrow_types = tuple(batch.schema.types[len(self.types) :])
            yield shown


def _split(batch: Batch, width: int) -> tuple[Batch, list[list[object]]]:
    """The columns that the function sees, and the values of those behind them."""
    if isinstance(batch, pd.DataFrame):
        beside = [batch.iloc[:, place] for place in range(width, batch.shape[1])]
        return batch.iloc[:, :width], [list(map(_as_id, column)) for column in beside]
    return batch.select(list(range(width))), [column.to_pylist() for column in batch.columns[width:]]


def _as_id(value: Any) -> object:  # noqa: ANN401 - a number, an array, or missing
    """Row ids of a column with NULLs come as floating-point numbers."""
    if isinstance(value, float):
        return None if value != value else int(value)
    return value


def _observed(
    function: BatchFunction, returned: StructType, given: _InputRows, made: Iterator[Batch], names: tuple[str, ...]
) -> Iterator[Batch]:
    results, count = [], 0
    for batch in made:
        results.append(_copy(batch))
        count += _count(batch)
        if count > MOST_RESULTS:
            raise NotRowByRow(MANY_RESULTS)
    places = iter(_find_places(function, returned, given, results, count))
    nothing = (None,) * len(names)
    for batch in results:
        own = islice(places, _count(batch))
        handed = [nothing if place is None else given.carried[place] for place in own]
        yield _with(batch, len(returned), names, handed, given.arrow_types)


def _find_places(
    function: BatchFunction, returned: StructType, given: _InputRows, results: list[Batch], count: int
) -> Sequence[int | None]:
    """For each row of the result, the place of the input row it came from; None where the task had no rows."""
    if len(given.rows) < 2:
        return [0 if given.rows else None] * count
    try:
        together = comparable_rows(results, returned)
        alone = _make_alone(function, returned, given.rows)
    except NotRowByRow:
        raise
    except Exception as error:
        raise NotRowByRow(FAILED) from error
    places = attribute_rows(together, alone)
    if places is None:
        raise NotRowByRow(OTHER_ROWS)
    return places


def _make_alone(function: BatchFunction, returned: StructType, rows: Iterable[Batch]) -> list[list[ComparableRow]]:
    """What the function makes of each row."""
    alone, until = [], monotonic() + MOST_SECONDS
    for row in rows:
        if monotonic() > until:
            raise NotRowByRow(TOO_SLOW)
        alone.append(comparable_rows(function(iter((row,))), returned))
    return alone


def _count(batch: Batch) -> int:
    """How many rows it has; none for what is no table, which Spark then reports."""
    return len(batch) if isinstance(batch, pd.DataFrame) else getattr(batch, "num_rows", 0)


def _copy(batch: Batch) -> Batch:
    """The batch as it is now: the function may change what it has handed over when it is called again."""
    return pickle.loads(pickle.dumps(batch)) if isinstance(batch, pd.DataFrame) else batch


def _with(
    made: Batch,
    width: int,
    names: tuple[str, ...],
    handed: Sequence[tuple[object, ...]],
    arrow_types: Sequence[pa.DataType],
) -> Batch:
    """The batch with what its rows carry; if no column name is a text, with numbers, as Spark matches by position."""
    columns = [list(each) for each in zip(*handed, strict=True)] or [[] for _ in names]
    if isinstance(made, pd.DataFrame):
        if not len(made.columns):  # an empty result, which needs no columns
            return made
        made, has_names = made.copy(deep=False), any(isinstance(label, str) for label in made.columns)
        for number, (name, values) in enumerate(zip(names, columns, strict=True)):
            made[name if has_names else -1 - number] = pd.Series(values, index=made.index, dtype=object)
    elif isinstance(made, pa.RecordBatch):
        made = made.select(list(range(min(width, made.num_columns))))  # Spark takes the first columns
        # A task without rows has seen no types, and what it makes carries nothing.
        for name, values, of in zip(names, columns, arrow_types or [pa.int64()] * len(names), strict=True):
            made = made.append_column(name, pa.array(values, of))
    return made
