"""Wraps a user's Python table function in a task, and observes which rows of its TABLE argument made each output row.

The user's class gets the rows of a task as ever, and what it makes of them is the result. Each row is then given once
more to an object of its own. If that makes the same rows, they came from this row alone. If not, they came from the
rows that the object had been given so far. What `terminate` makes came from all rows of the partition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from inspect import getfullargspec
from time import monotonic
from typing import Any

from pyspark.serializers import CPickleSerializer
from pyspark.sql import Row
from pyspark.sql.types import _create_row
from pyspark.sql.udtf import SkipRestOfInputTableException
from pyspark.worker_util import read_command

from whence.engine.worker.comparable_rows import exact_value
from whence.model.errors import NotRowByRow

MOST_ROWS = 100_000
"""How many rows of a task are remembered, and how many rows it may make."""
MOST_IDS = 1_000_000
"""How many rows may stand behind all rows that a task makes, together."""
MOST_SECONDS = 10.0
"""How long the rows of one task are given alone; those that are left then count as made by all before them, too."""

_UNCHANGING = (int, float, str, bytes, Decimal, date, timedelta, type(None))

_FUNCTION = "a Python table function"
MANY_ROWS = f"{_FUNCTION} of more than {MOST_ROWS:,} rows in a task"
MANY_RESULTS = f"{_FUNCTION} that makes more than {MOST_ROWS:,} rows in a task"
MANY_IDS = f"{_FUNCTION} whose rows stand for more than {MOST_IDS:,} rows in a task"
NO_ORDER = f"{_FUNCTION} that makes rows of no fixed order, such as dictionaries"
OTHER_WIDTH = f"{_FUNCTION} that makes rows of another width than it says"
SKIPPED = f"{_FUNCTION} that skips the rest of a table without PARTITION BY"

OutputRow = tuple[object, ...]


@dataclass(frozen=True)
class ObservingTableFunction:
    """A pickled user's class: a task unpickles it as one that takes an id, too, and adds a list of ids to each row."""

    command: bytes
    width: int
    """How many columns the user's class puts out."""
    partition_fields: tuple[int, ...]
    """The fields of a row by which Spark tells partitions apart. The user's class does not see them."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return bound, (self.command, self.width, self.partition_fields)


def bound(command: bytes, width: int, partition_fields: tuple[int, ...]) -> type:
    """Return the class of which Spark makes one object in each task."""
    made = read_command(CPickleSerializer(), command)
    # Spark hands what `analyze` returned to a constructor that takes it, and looks for one by its arguments.
    return (
        _class_with_result(made, width, partition_fields)
        if len(getfullargspec(made).args) > 1
        else (_class_without_result(made, width, partition_fields))
    )


def _class_without_result(made: Callable[[], Any], width: int, partition_fields: tuple[int, ...]) -> type:
    class Observed(_ObservedTask):
        def __init__(self) -> None:
            super().__init__(made, width, partition_fields)

    return Observed


def _class_with_result(made: Callable[[Any], Any], width: int, partition_fields: tuple[int, ...]) -> type:
    class Observed(_ObservedTask):
        def __init__(self, analysed: Any) -> None:  # noqa: ANN401 - an AnalyzeResult, or a subclass with more fields
            super().__init__(lambda: made(replace(analysed)), width, partition_fields)

    return Observed


@dataclass(frozen=True)
class _Call:
    """The arguments of one call of `eval`, and the id of its row."""

    call: Callable[[Any], Iterable[object] | None]
    row_id: object
    partition: tuple[object, ...]


@dataclass
class _CallResult:
    """The rows that one call made, and the rows that the object had been given by then."""

    rows: list[OutputRow]
    partition: Sequence[_Call]
    behind: slice
    """Which rows of the partition the object had been given by then."""
    call: _Call | None = None
    """The call of `eval`; None for `terminate`."""


class _ObservedTask:
    """Stands for the user's class: keeps all rows of a task, and does everything at its end.

    If calls with single rows came in between, they could disturb what objects of the class share.
    """

    def __init__(self, made: Callable[[], Any], width: int, partition_fields: tuple[int, ...]) -> None:
        self._make_object = made
        self._width = width
        self._partition_fields = partition_fields
        self._calls: list[_Call] = []
        self._has_more = False
        self._last: Any = made()

    def eval(self, *args: Any, **named: Any) -> None:  # noqa: ANN401 - values of any type
        if len(self._calls) == MOST_ROWS:
            self._has_more = True
            return
        *shown, row_id = args
        given = [self._as_shown(each) for each in shown]
        given_by_name = {name: self._as_shown(each) for name, each in named.items()}
        table = next((each for each in (*shown, *named.values()) if type(each) is Row), ())
        partition = tuple(table[place] for place in self._partition_fields)
        self._calls.append(_Call(partial(_evaluate, given, given_by_name), row_id, partition))

    def terminate(self) -> Iterator[OutputRow]:
        if self._has_more:
            raise NotRowByRow(MANY_ROWS)
        results = list(self._results())
        alone_until = monotonic() + MOST_SECONDS
        count = 0
        for made in results:
            behind = self._rows_behind(made, alone_until)
            count += len(behind) * len(made.rows)
            if count > MOST_IDS:
                raise NotRowByRow(MANY_IDS)
            yield from ((*row, behind) for row in made.rows)

    def cleanup(self) -> None:
        _clean_up(self._last)

    def _results(self) -> Iterator[_CallResult]:
        """What the user's class makes of the rows of the task, as Spark calls it."""
        count = 0
        for number, partition in enumerate(self._partitions()):
            if number:
                self._last = self._make_object()
            for made in self._of_partition(self._last, partition):
                count += len(made.rows)
                if count > MOST_ROWS:
                    raise NotRowByRow(MANY_RESULTS)
                yield made

    def _partitions(self) -> list[list[_Call]]:
        """The rows of each partition; one without rows if the task has none."""
        partitions: list[list[_Call]] = [[]]
        for call in self._calls:
            before = partitions[-1]
            # As in Spark, NULL is equal to NULL here, and NaN to nothing.
            if before and any(old != new for old, new in zip(before[-1].partition, call.partition, strict=True)):
                partitions.append([])
            partitions[-1].append(call)
        return partitions

    def _of_partition(self, user: Any, partition: list[_Call]) -> Iterator[_CallResult]:  # noqa: ANN401
        seen = 0
        for call in partition:
            rows: list[OutputRow] = []
            seen += 1
            try:
                for row in call.call(user) or ():
                    rows.append(self._checked(row))  # noqa: PERF401 - what came before an error counts
            except SkipRestOfInputTableException as skip:
                if not self._partition_fields:
                    raise NotRowByRow(SKIPPED) from skip
                yield _CallResult(_as_sent(rows), partition, slice(seen), call)
                break
            yield _CallResult(_as_sent(rows), partition, slice(seen), call)
        if hasattr(user, "terminate"):
            rows = [self._checked(row) for row in user.terminate() or ()]
            yield _CallResult(_as_sent(rows), partition, slice(seen))

    def _rows_behind(self, made: _CallResult, alone_until: float) -> list[object]:
        if made.call is not None and (not made.rows or self._makes_alone(made.call, made.rows, alone_until)):
            return [made.call.row_id]
        return [call.row_id for call in made.partition[made.behind]]

    def _makes_alone(self, call: _Call, rows: list[OutputRow], until: float) -> bool:
        """Whether the row, given to an object of its own, makes the same rows."""
        if monotonic() > until:
            return False
        try:
            user = self._make_object()
            alone = [self._checked(row) for row in call.call(user) or ()]
            _clean_up(user)
        except Exception:  # whatever the user's code raises where a row stands alone
            return False
        return exact_value(alone) == exact_value(rows)

    def _checked(self, row: object) -> OutputRow:
        if not isinstance(row, tuple | list):
            if self._width > 1 or isinstance(row, dict) or hasattr(row, "__dict__"):
                raise NotRowByRow(NO_ORDER)
            row = (row,)  # a function with one column may leave the tuple out
        if len(row) != self._width:
            raise NotRowByRow(OTHER_WIDTH)
        return tuple(row)

    def _as_shown(self, value: object) -> object:
        """A row without the fields that Spark added to tell partitions apart."""
        if type(value) is not Row or not self._partition_fields:
            return value
        places = [place for place in range(len(value)) if place not in self._partition_fields]
        return _create_row([value.__fields__[place] for place in places], [value[place] for place in places])


def _evaluate(args: list[Any], named: dict[str, Any], user: Any) -> Iterable[object] | None:  # noqa: ANN401
    """Call `eval` with values of its own: it may change lists that it is given."""
    own_named = {name: _own_copy(each) for name, each in named.items()}
    made: Iterable[object] | None = user.eval(*map(_own_copy, args), **own_named)
    return made


def _as_sent(rows: list[OutputRow]) -> list[OutputRow]:
    """Return the rows of one call as they are now, when Spark would send them.

    In later calls the function may go on to fill a list that it has handed over.
    """
    return [tuple(map(_own_copy, row)) for row in rows]


def _own_copy(value: Any) -> Any:  # noqa: ANN401 - a value, or a row of values
    """Return a value that nothing else changes; most values cannot be changed, and are the same."""
    parts = value if isinstance(value, tuple) else (value,)
    return value if all(isinstance(each, _UNCHANGING) for each in parts) else deepcopy(value)


def _clean_up(user: Any) -> None:  # noqa: ANN401
    if hasattr(user, "cleanup"):
        user.cleanup()
