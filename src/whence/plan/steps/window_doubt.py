"""The caveat rule of window functions: whose value another possible world might change.

Ghosts are kept in partitions of their own, so that they count for no function; what they could do to the values of
others is worked out beside it, over partitions in which both stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.doubt import choice_doubt, doubt
from whence.plan.expr import (
    FALSE,
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
    holds,
    literal,
    ref,
    window,
)
from whence.plan.step import FlaggedStep, Step
from whence.plan.steps.project import Project
from whence.plan.steps.window_readings import WindowReading


@dataclass
class WindowDoubt:
    """Claims about the values of window functions over a flagged input."""

    child: FlaggedStep
    partition: tuple[Expr, ...]
    order: tuple[SortKey, ...]
    readings: tuple[WindowReading, ...]
    ids: ColumnIdAllocator
    _inner: dict[Expr, Column] = field(default_factory=dict)
    _folds: dict[Expr, Column] = field(default_factory=dict)
    _claims: dict[int, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for reading in self.readings:
            self._claims[reading.expr.output.id] = self._claim(reading)

    def claims(self) -> dict[int, Expr]:
        """For each function's column, when it is in doubt."""
        return self._claims

    def split_ghosts(self, partition: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """The partition, of rows that are there and of ghosts apart."""
        return partition if self.child.present is None else (*partition, self.child.is_present)

    def with_claim_inputs(self) -> Step:
        """The input with all that the claims read beside its rows."""
        step = self.child.step
        for made in (self._inner, self._folds):
            if made:
                step = Project(step, (*map(ref, step.columns), *(alias(expr, column) for expr, column in made.items())))
        return step

    def _claim(self, reading: WindowReading) -> Expr:
        if self.child.is_loose:
            return TRUE
        own = any_of(*(doubt(arg, self.child.doubts) for arg in reading.own_args))
        return any_of(
            self.child.is_ghost, own, self._might_move(), self._values(reading), self._might_change_partition(reading)
        )

    def _might_move(self) -> Expr:
        """A row with a doubtful key might enter or leave the partition, or stand elsewhere in it."""
        doubts = [doubt(key, self.child.doubts) for key in self.partition]
        certain = tuple(key for key, claim in zip(self.partition, doubts, strict=True) if claim == FALSE)
        displaced = any_of(*(doubt(key.expr, self.child.doubts) for key in self.order))
        return any_of(self._holds_somewhere(any_of(*doubts), certain), self._holds_somewhere(displaced, self.partition))

    def _values(self, reading: WindowReading) -> Expr:
        """A value that the function reads could be another."""
        varies = any_of(*(doubt(arg, self.child.doubts) for arg in reading.read_args))
        condition = reading.function.condition
        if condition is not None:
            varies = any_of(choice_doubt(condition, self.child.doubts), all_of(holds(condition), varies))
        if reading.skips_nulls or reading.reads_all:
            return self._holds_somewhere(varies, self.split_ghosts(self.partition))
        return self._holds_somewhere(varies, self.split_ghosts(self.partition), self.order, reading.spec.frame)

    def _might_change_partition(self, reading: WindowReading) -> Expr:
        """Other rows of the partition might come or go; the row itself takes its value along."""
        varies = any_of(self.child.is_row_doubtful, self.child.is_ghost)
        if varies == FALSE:
            return FALSE
        count = aggregate("sum", self._one_if(varies))
        if reading.reads_backward_only and self.order:
            found = self._fold(window(count, self.partition, self.order, UP_TO_PEERS), "bigint")
        else:
            found = self._fold(window(count, self.partition, (), WHOLE_PARTITION), "bigint")
        return call(">", found, self._one_if(varies))

    def _holds_somewhere(
        self, claim: Expr, partition: tuple[Expr, ...], order: tuple[SortKey, ...] = (), frame: Frame = WHOLE_PARTITION
    ) -> Expr:
        if claim in (TRUE, FALSE):
            return claim
        return holds(
            self._fold(window(aggregate("max", self._inner_column(claim)), partition, order, frame), "boolean")
        )

    def _one_if(self, claim: Expr) -> Expr:
        one_each = Expr("if", (claim, literal(1, "bigint"), literal(0, "bigint")), name="if")
        return self._inner_column(one_each, "bigint")

    def _inner_column(self, expr: Expr, type_name: str = "boolean") -> Expr:
        return ref(self._inner.setdefault(expr, self.ids.column("claim", type_name, nullable=True)))

    def _fold(self, expr: Expr, type_name: str) -> Expr:
        return ref(self._folds.setdefault(expr, self.ids.column("fold", type_name, nullable=True)))
