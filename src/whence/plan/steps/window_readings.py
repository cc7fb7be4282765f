"""What each window function reads: a stretch of places in the order of its partition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from whence.model.cellref import Role
from whence.plan.catalyst import Unreadable
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import (
    PEERS,
    Column,
    Expr,
    Frame,
    WindowSpec,
    aggregate,
    alias,
    call,
    literal,
    null,
    ref,
    window,
)
from whence.plan.steps.row_places import LAST

_RANKS = frozenset({"rownumber", "rank", "denserank"})
_PARTITION = frozenset({"percentrank", "cumedist", "ntile"})
"""These divide by the number of rows, so they read the whole partition."""

_ONE_ROW = frozenset({"lag", "lead", "nthvalue", "first", "last"})


@dataclass(frozen=True)
class WindowReading:
    """One window function of a step: which rows it reads, by a name that the column map and the spans share."""

    window: int
    expr: Expr
    """The alias over the window expression."""

    @property
    def spec(self) -> WindowSpec:
        """Order and frame."""
        return cast(WindowSpec, self.expr.args[0].value)

    @property
    def function(self) -> Expr:
        """The function, with its own arguments."""
        return self.expr.args[0].args[0]

    @property
    def partition(self) -> tuple[Expr, ...]:
        """The keys of its partition."""
        return self.expr.args[0].args[1:]

    @property
    def name(self) -> Expr:
        """Functions that read the same rows share a name."""
        kind = self.function.name
        if kind in _ONE_ROW:
            return Expr("window", self.function.args, kind, value=(self.window, self.spec.frame, self.function.value))
        if kind in _RANKS:
            return Expr("window", name="before" if kind == "rownumber" else "lower", value=self.window)
        return Expr("window", name="partition" if self.reads_all else "frame", value=(self.window, self.frame))

    @property
    def frame(self) -> Frame | None:
        """The frame, None for the whole partition."""
        return None if self.reads_all else self.spec.frame

    @property
    def reads_all(self) -> bool:
        """Every row of the partition is read."""
        frame = self.spec.frame
        return self.function.name in _PARTITION or (frame.low is None and frame.high is None and not frame.text)

    @property
    def reads_backward_only(self) -> bool:
        """Rows that come after the current one and its peers change nothing."""
        frame = self.spec.frame
        is_prefix = frame.low is None and frame.high == 0 and not frame.text
        return self.function.name in _RANKS or (is_prefix and self.function.name not in _PARTITION)

    @property
    def reads_one_row(self) -> bool:
        """The value is that of one row of the frame."""
        return self.function.name in _ONE_ROW

    @property
    def skips_nulls(self) -> bool:
        """IGNORE NULLS: which row is read hangs on values."""
        return '"ignoreNulls": true' in str(self.function.value)

    @property
    def role(self) -> Role:
        """What the cells that are read become."""
        if self.function.name not in _ONE_ROW:
            return "aggregated"
        plain = self.function.args[0].kind == "column"
        return "copied" if plain and all(arg.kind == "literal" for arg in self.function.args[1:]) else "computed"

    @property
    def choosing_args(self) -> tuple[Expr, ...]:
        """A FILTER clause, and values by which the function chooses one row of several."""
        condition = self.function.condition
        clause = () if condition is None else (condition,)
        frame = self.spec.frame
        is_one_row = frame.kind == "rows" and frame.low is not None and frame.low == frame.high
        chooses = self.skips_nulls or (self.reads_one_row and not is_one_row)
        return (*clause, *self.read_args) if chooses else clause

    @property
    def read_args(self) -> tuple[Expr, ...]:
        """The arguments that are taken from the rows read; offset and default come from the row itself."""
        if self.function.name in _RANKS | _PARTITION:
            return ()
        return self.function.args[:1] if self.function.name in _ONE_ROW else self.function.args

    @property
    def own_args(self) -> tuple[Expr, ...]:
        """The arguments that are taken from the row itself."""
        return self.function.args[1:] if self.function.name in _ONE_ROW else ()


def check(reading: WindowReading) -> None:
    """Stop at a function whose reading is not known."""
    function = reading.function
    if function.kind != "aggregate" and function.name not in _RANKS | _PARTITION | _ONE_ROW:
        raise Unreadable(f"the window function {function.name}")


def first_and_last(
    reading: WindowReading, place: Column, ids: ColumnIdAllocator
) -> tuple[Expr, Expr, tuple[Expr, ...]]:
    """The first and last place read (NULL for none, beyond the end for all), and window expressions they need."""
    one, last = _number(1), _number(LAST)
    if reading.function.name == "rownumber":
        return one, _plus(place, -1), ()
    if reading.function.name in _RANKS:
        lowest, expr = _over_frame(reading, "min", place, PEERS, ids)
        return one, _plus(lowest, -1), (expr,)
    if reading.function.name in _ONE_ROW:
        column = ids.column("read", "bigint", nullable=True)
        return ref(column), ref(column), (alias(_place_read(reading, place), column),)
    if reading.reads_all:
        return one, last, ()
    return _frame_ends(reading, place, ids)


def _frame_ends(reading: WindowReading, place: Column, ids: ColumnIdAllocator) -> tuple[Expr, Expr, tuple[Expr, ...]]:
    frame = reading.spec.frame
    if frame.kind == "rows" and not frame.text:
        low = _number(1) if frame.low is None else _plus(place, frame.low)
        high = _number(LAST) if frame.high is None else _plus(place, frame.high)
        return low, high, ()
    # Spark itself says which places are within a range of the sort key.
    (low_column, low_expr), (high_column, high_expr) = (
        _over_frame(reading, name, place, frame, ids) for name in ("min", "max")
    )
    return ref(low_column), ref(high_column), (low_expr, high_expr)


def _over_frame(
    reading: WindowReading, name: str, place: Column, frame: Frame, ids: ColumnIdAllocator
) -> tuple[Column, Expr]:
    column = ids.column("read", "bigint", nullable=True)
    expr = window(aggregate(name, ref(place)), reading.partition, reading.spec.order, frame)
    return column, alias(expr, column)


def _place_read(reading: WindowReading, place: Column) -> Expr:
    """The function itself, asked for the place instead of the value."""
    argument, *rest = reading.function.args
    place_of: Expr = ref(place)
    if reading.skips_nulls:
        place_of = Expr("if", (call("isnotnull", argument), place_of, null("bigint")), name="if")
    if reading.function.name in ("lag", "lead"):
        rest = [rest[0], null("bigint")]
    function = replace(reading.function, args=(place_of, *rest), is_rebuilt=True)
    return replace(reading.expr.args[0], args=(function, *reading.partition), is_rebuilt=True)


def _plus(place: Column, number: int) -> Expr:
    return ref(place) if number == 0 else call("+", ref(place), _number(number))


def _number(value: int) -> Expr:
    return literal(value, "bigint")
