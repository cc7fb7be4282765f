"""The bounds of window functions: the rules for groups, over the frame of each row or all that its partition may hold.

Where no row of a partition may come or go and its order is certain, each row has the same frame in every world. Where
rows may come or go, a frame that ends at the row, at its peers or nowhere still has the same candidates; of any other
frame, every row of the partition may be in it or not. Ghosts stand in the partitions in which they might be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from whence.plan.bounds.aggregates import bound_aggregate
from whence.plan.bounds.bound import Bounds
from whence.plan.bounds.interval import Interval, NoBounds, pick, when
from whence.plan.bounds.terms import GroupRows
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.doubt import doubt
from whence.plan.expr import (
    FALSE,
    PEERS,
    TRUE,
    UP_TO_PEERS,
    WHOLE_PARTITION,
    Column,
    Expr,
    Frame,
    SortKey,
    aggregate,
    alias,
    all_of,
    any_of,
    call,
    choose,
    holds,
    literal,
    negate,
    ref,
    window,
)
from whence.plan.step import BoundedStep, FlaggedStep, Range
from whence.plan.steps.project import Project
from whence.plan.steps.window_readings import WindowReading

FlagRows = Callable[[FlaggedStep], FlaggedStep]

_ONE = literal(1, "bigint")
_RANKS = ("rownumber", "rank", "denserank")
_SHARES = {"percentrank": ("double", 0, 1), "cumedist": ("double", 0, 1)}


def add_window_ranges(
    child: BoundedStep, readings: tuple[WindowReading, ...], flag: FlagRows, ids: ColumnIdAllocator
) -> BoundedStep:
    """The windows over a bounded input: `flag` makes them over an input that has more columns."""
    intervals, reasons = _find_intervals(child, readings, ids)
    folds: dict[Expr, Column] = {}

    def hoisted(node: Expr) -> Expr | None:
        return ref(folds.setdefault(node, ids.column("fold", "", nullable=True))) if node.kind == "window" else None

    ends = {
        number: tuple(end.replace(hoisted) for end in (found.low, found.high, holds(found.missing)))
        for number, found in intervals.items()
    }
    wide = child.flagged.step
    if folds:
        wide = Project(wide, (*map(ref, wide.columns), *(alias(fold, column) for fold, column in folds.items())))
    flagged = flag(replace(child.flagged, step=wide))
    ranges = dict(child.ranges)
    shown: list[Expr] = []
    for reading in readings:
        column = reading.expr.output
        if column.id not in flagged.cells:
            continue
        if column.id in reasons:
            continue
        in_doubt, value = flagged.doubts[column.id], ref(column)
        made = Range(*(ids.column(name, "", nullable=True) for name in ("low", "high", "missing")))
        certain = (value, value, call("isnull", value))
        for end, known, name in zip(ends[column.id], certain, made.columns, strict=True):
            shown.append(alias(choose(in_doubt, end, known), name))
        ranges[column.id] = made
    step = Project(flagged.step, (*map(ref, flagged.step.columns), *shown)) if shown else flagged.step
    return BoundedStep(replace(flagged, step=step), ranges, {**child.reasons, **reasons})


def _find_intervals(
    child: BoundedStep, readings: tuple[WindowReading, ...], ids: ColumnIdAllocator
) -> tuple[dict[int, Interval], dict[int, str]]:
    """The interval of each function by the id of its column, or why it has none."""
    intervals: dict[int, Interval] = {}
    reasons: dict[int, str] = {}
    for reading in readings:
        bounds = WindowBounds(child, reading.partition, reading.spec.order, ids)
        try:
            intervals[reading.expr.output.id] = bounds.of(reading)
        except NoBounds as why:
            reasons[reading.expr.output.id] = str(why)
    return intervals, reasons


@dataclass(frozen=True)
class WindowBounds:
    """The ranges of window functions over a bounded input."""

    child: BoundedStep
    partition: tuple[Expr, ...]
    order: tuple[SortKey, ...]
    ids: ColumnIdAllocator

    def of(self, reading: WindowReading) -> Interval:
        """The interval of a function, with windows inside; raises NoBounds if it has none."""
        if self.child.flagged.is_loose:
            raise NoBounds("Rows may be missing, and no one knows which.")
        if any(doubt(key, self._doubts) != FALSE for key in self.partition):
            raise NoBounds("No rule bounds a window whose partitions are in doubt.")
        name = reading.function.name
        if name in _RANKS:
            return self._rank(name)
        if name in _SHARES:
            kind, low, high = _SHARES[name]
            return Interval(literal(low, kind), literal(high, kind), FALSE, TRUE, kind)
        if name == "ntile":
            return Interval(literal(1, "int"), reading.function.args[0], FALSE, TRUE, "int")
        if name in ("lag", "lead", "nthvalue", "first", "last"):
            return self._one_row(reading)
        return self._frame(reading)

    def _frame(self, reading: WindowReading) -> Interval:
        """An aggregate of the frame."""
        frame, function = reading.spec.frame, reading.function
        free = self._windowed(function, is_sure=FALSE, frame=WHOLE_PARTITION, order=())
        if reading.reads_all:
            return self._windowed(function, is_sure=self._is_sure, frame=WHOLE_PARTITION, order=())
        kept = self._windowed(function, is_sure=self._is_sure, frame=frame, order=self.order)
        moves = self._displaced if _is_set_of_rows(frame) else any_of(self._displaced, self._varies)
        return free if moves == TRUE else pick(negate(moves), moves, kept, free, TRUE) if moves != FALSE else kept

    def _windowed(self, function: Expr, *, is_sure: Expr, frame: Frame, order: tuple[SortKey, ...]) -> Interval:
        rows = GroupRows(self._inside, is_sure, exists=False)
        found = bound_aggregate(function, rows, TRUE)

        def over(node: Expr) -> Expr | None:
            return window(node, self.partition, order, frame) if node.kind == "aggregate" else None

        low, high, missing = (each.replace(over) for each in (found.low, found.high, found.missing))
        return replace(found, low=low, high=high, missing=missing)

    def _one_row(self, reading: WindowReading) -> Interval:
        """The value of one row of the frame, or of the partition: which one is certain if nothing moves."""
        function = reading.function
        if any(doubt(arg, self._doubts) != FALSE for arg in function.args[1:]):
            raise NoBounds(f"The function {function.name} has bounds only with certain arguments beside its first.")
        any_value = aggregate("anyvalue", function.args[0])
        free = self._windowed(any_value, is_sure=FALSE, frame=WHOLE_PARTITION, order=())
        value = self._inside.of(function.args[0])
        default = function.args[2] if function.name in ("lag", "lead") and len(function.args) > 2 else None
        if default is not None and not (default.kind == "literal" and default.value is None):
            free = _with_default(free, default)
        free = replace(free, missing=TRUE)
        moves = TRUE if reading.skips_nulls else any_of(self._displaced, self._varies)
        if moves == TRUE:
            return free
        ends = (when(negate(value.has_no_low), value.low), when(negate(value.has_no_high), value.high))
        low, high = (self._same_row(reading, end) for end in ends)
        kept = Interval(low, high, TRUE, TRUE, value.type)
        return kept if moves == FALSE else pick(negate(moves), moves, kept, free, TRUE)

    def _same_row(self, reading: WindowReading, end: Expr) -> Expr:
        """What the function gives for an end of the range of its argument."""
        function = replace(reading.function, args=(end, *reading.function.args[1:]), is_rebuilt=True)
        over = reading.expr.args[0]
        return replace(over, args=(function, *self.partition), is_rebuilt=True)

    def _rank(self, name: str) -> Interval:
        """As many rows as surely come before, and as may come before; with the order in doubt, any place."""
        sure = self._count(self._is_sure, UP_TO_PEERS, PEERS)
        may_tie = name == "rownumber"
        possible = self._count(TRUE, UP_TO_PEERS) if may_tie else call("+", self._count(TRUE, UP_TO_PEERS, PEERS), _ONE)
        low = _ONE if name == "denserank" else call("+", sure, _ONE)
        last = window(aggregate("count", literal(1, "int")), self.partition, (), WHOLE_PARTITION)
        low = choose(self._displaced, _ONE, low)
        high = choose(self._displaced, last, possible)
        return Interval(call("int", low), call("int", high), FALSE, TRUE, "int")

    def _count(self, claim: Expr, frame: Frame, without: Frame | None = None) -> Expr:
        counted = aggregate("count", when(claim, literal(1, "int")))
        found = window(counted, self.partition, self.order, frame)
        return found if without is None else call("-", found, window(counted, self.partition, self.order, without))

    @property
    def _doubts(self) -> dict[int, Expr]:
        return self.child.flagged.doubts

    @cached_property
    def _inside(self) -> Bounds:
        return Bounds(self._doubts, self.child.intervals(), self.child.reasons)

    @property
    def _is_sure(self) -> Expr:
        flagged = self.child.flagged
        return all_of(flagged.is_present, negate(flagged.is_row_doubtful))

    @property
    def _displaced(self) -> Expr:
        """A sort key of some row of the partition is in doubt."""
        return self._somewhere(any_of(*(doubt(key.expr, self._doubts) for key in self.order)))

    @property
    def _varies(self) -> Expr:
        """Some row of the partition may come or go."""
        return self._somewhere(negate(self._is_sure))

    def _somewhere(self, claim: Expr) -> Expr:
        if claim in (TRUE, FALSE):
            return claim
        return holds(window(aggregate("max", claim), self.partition, (), WHOLE_PARTITION))


def _is_set_of_rows(frame: Frame) -> bool:
    """Whether each row has its candidates by its sort key alone, however many rows there are."""
    if frame.kind == "range":
        return True
    return not frame.text and frame.low in (None, 0) and frame.high in (None, 0)


def _with_default(found: Interval, default: Expr) -> Interval:
    """What `lag` and `lead` give where there is no row, too."""
    low = choose(call("isnull", found.low), when(FALSE, found.low), call("least", found.low, default))
    high = choose(call("isnull", found.high), when(FALSE, found.high), call("greatest", found.high, default))
    return replace(found, low=low, high=high)
