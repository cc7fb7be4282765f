"""The caveat rule of joins whose matches are in doubt: every row the join has in some possible world.

Each row meets, besides the rows it matches or might match, one *stand-in* of NULLs on the other side. The pair with the
stand-in is the padded row of an outer join and the kept row of an anti join: really there if nothing matches, and
possible as long as no match is certain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import (
    FALSE,
    TRUE,
    Column,
    Expr,
    aggregate,
    alias,
    all_of,
    any_of,
    call,
    choose,
    holds,
    negate,
    null_like,
    ref,
    window,
)
from whence.plan.flags import Flags
from whence.plan.step import FlaggedStep, Step
from whence.plan.steps.filter import Filter
from whence.plan.steps.inner_join import InnerJoin
from whence.plan.steps.one_row import OneRow
from whence.plan.steps.project import Project
from whence.plan.steps.union_all import UnionAll


@dataclass(frozen=True)
class _Side:
    """One side of the join: its rows numbered, and among them, if the other side is padded, the stand-in."""

    marked_step: FlaggedStep
    number: Column
    stand_in: Column | None

    @property
    def is_stand_in(self) -> Expr:
        return FALSE if self.stand_in is None else ref(self.stand_in)

    @property
    def is_sure(self) -> Expr:
        """The row is there in every world."""
        return all_of(self.marked_step.is_present, negate(self.marked_step.is_row_doubtful))

    @property
    def data(self) -> tuple[Expr, ...]:
        own = {self.number, self.stand_in}
        return tuple(expr for expr in self.marked_step.data_columns if expr.column not in own)


@dataclass(frozen=True)
class PossiblePairs:
    """`left JOIN right ON condition`, where `varies` says for which pairs the condition could decide otherwise."""

    left: FlaggedStep
    right: FlaggedStep
    condition: Expr
    varies: Expr
    ids: ColumnIdAllocator

    def outer_join(self, *, keeps_right: bool) -> FlaggedStep:
        """The outer join that keeps the left side's rows, and the right side's if asked."""
        left = _side(self.left, self.ids, has_stand_in=keeps_right)
        right = _side(self.right, self.ids, has_stand_in=True)
        return self._possible(left, right, keeps_pairs=True)

    def anti_join(self) -> FlaggedStep:
        """The anti join: the left rows that match nothing."""
        left = _side(self.left, self.ids, has_stand_in=False)
        right = _side(self.right, self.ids, has_stand_in=True)
        return self._possible(left, right, keeps_pairs=False)

    def _possible(self, left: _Side, right: _Side, *, keeps_pairs: bool) -> FlaggedStep:
        ids, stand_ins = self.ids, (left.is_stand_in, right.is_stand_in)
        is_pair = negate(any_of(*stand_ins))
        hit, hesitant = ids.flag("hit"), ids.flag("hesitant")
        tested = self._candidate_pairs(left, right, is_pair, hit, hesitant)
        of_left = _Matches(own=left, other=right, is_pair=is_pair, hit=hit, hesitant=hesitant, ids=ids)
        of_right = _Matches(own=right, other=left, is_pair=is_pair, hit=hit, hesitant=hesitant, ids=ids)
        padded = [(right, of_left)] + ([(left, of_right)] if left.stand_in is not None else [])
        weighed = Project(tested, (*map(ref, tested.columns), *(expr for _, m in padded for expr in m.exprs)))
        kept = [is_pair if keeps_pairs else FALSE]
        kept += [all_of(side.is_stand_in, negate(ref(matches.has_sure))) for side, matches in padded]
        possible = Filter(weighed, any_of(*kept))

        own, other = left.marked_step, right.marked_step
        row_claim = any_of(own.is_row_doubtful, other.is_row_doubtful, ref(hesitant))
        present_claim = all_of(own.is_present, other.is_present, ref(hit))
        for side, matches in padded:
            row_claim = choose(side.is_stand_in, matches.padded_doubt, row_claim)
            present_claim = choose(side.is_stand_in, matches.padded_present, present_claim)
        flags = Flags(ids)
        row, present = flags.flag(row_claim, "row"), flags.present(present_claim)
        cells = flags.cells(own.doubts | other.doubts if keeps_pairs else own.doubts)
        data = (*left.data, *right.data) if keeps_pairs else left.data
        return FlaggedStep(
            Project(possible, (*data, *flags.exprs)), cells, row, present, own.is_loose or other.is_loose
        )

    def _candidate_pairs(self, left: _Side, right: _Side, is_pair: Expr, hit: Column, hesitant: Column) -> Step:
        """All pairs that match or might, and each row with the stand-in of the other side."""
        matches, might = holds(self.condition), holds(self.varies)
        alone = (
            all_of(right.is_stand_in, negate(left.is_stand_in)),
            all_of(left.is_stand_in, negate(right.is_stand_in)),
        )
        joined = InnerJoin(
            left.marked_step.step, right.marked_step.step, any_of(*alone, all_of(is_pair, any_of(matches, might)))
        )
        tests = (alias(all_of(is_pair, matches), hit), alias(all_of(is_pair, might), hesitant))
        return Project(joined, (*map(ref, joined.columns), *tests))


class _Matches:
    """What the pairs of one row say about its padded row."""

    def __init__(
        self, own: _Side, other: _Side, is_pair: Expr, hit: Column, hesitant: Column, ids: ColumnIdAllocator
    ) -> None:
        self._own, self._other, self._is_pair, self._hit, self._hesitant = own, other, is_pair, hit, hesitant
        self.has_match, self.has_sure = ids.flag("has_match"), ids.flag("has_sure")
        self.has_pair = ids.flag("has_pair")

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """Folds over all pairs of the row."""
        is_match = all_of(ref(self._hit), self._other.marked_step.is_present)
        is_sure = all_of(ref(self._hit), negate(ref(self._hesitant)), self._other.is_sure)
        return (
            self._fold(is_match, self.has_match),
            self._fold(is_sure, self.has_sure),
            self._fold(self._is_pair, self.has_pair),
        )

    @property
    def padded_doubt(self) -> Expr:
        """The padded row could be absent: the row itself could, or a match might appear."""
        new_match = TRUE if self._other.marked_step.is_loose else ref(self.has_pair)
        return any_of(self._own.marked_step.is_row_doubtful, new_match)

    @property
    def padded_present(self) -> Expr:
        """The padded row is there: the row is, and nothing matches."""
        return all_of(self._own.marked_step.is_present, negate(ref(self.has_match)))

    def _fold(self, claim: Expr, name: Column) -> Expr:
        return alias(window(aggregate("max", claim), (ref(self._own.number),)), name)


def _side(flagged: FlaggedStep, ids: ColumnIdAllocator, *, has_stand_in: bool) -> _Side:
    number = ids.column("number", "bigint")
    step = Project(flagged.step, (*map(ref, flagged.step.columns), alias(call("monotonically_increasing_id"), number)))
    numbered = replace(flagged, step=step)
    if not has_stand_in:
        return _Side(numbered, number, None)
    stand_in = ids.flag("stand_in")
    real = Project(step, (*map(ref, step.columns), alias(FALSE, stand_in)))
    blanks = (
        alias(_blank(column, flagged), ids.column("blank", column.type, nullable=True)) for column in step.columns
    )
    nothing = Project(OneRow(), (*blanks, alias(TRUE, ids.flag("blank"))))
    return _Side(replace(numbered, step=UnionAll((real, nothing))), number, stand_in)


def _blank(column: Column, flagged: FlaggedStep) -> Expr:
    """A flag is never NULL: the stand-in is certain and present."""
    if column == flagged.present:
        return TRUE
    return FALSE if column in flagged.flags else null_like(column)
