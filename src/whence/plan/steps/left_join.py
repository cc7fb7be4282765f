"""Pair rows as an inner join does, and keep the left rows that match nothing, padded with NULLs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from whence.plan.catalyst import LEFT_OUTER, NO_HINT, Build, Kept, Node, Option
from whence.plan.columnmap import ColumnMap
from whence.plan.doubt import choice_doubt
from whence.plan.expr import FALSE, TRUE, Column, Expr, alias, any_of, call, holds, ref
from whence.plan.flags import Flags
from whence.plan.fresh import Fresh
from whence.plan.step import Carried, Marked, Rid, Step, Traced
from whence.plan.steps.filter import Filter
from whence.plan.steps.inner_join import MOST_PAIRS
from whence.plan.steps.possible_pairs import possible_pairs
from whence.plan.steps.project import Project


@dataclass(frozen=True)
class LeftJoin(Step):
    """LEFT OUTER JOIN ... ON."""

    lineage_rule = "the row of each side; a NULL-padded side contributes nothing; the condition's columns influence"
    caveat_rule = (
        "pairs as in an inner join; a padded row is in doubt if a match might appear, and might belong where the "
        "last match might vanish"
    )

    read_from = "Join"

    left: Step
    right: Step
    condition: Expr
    hint: Build | Kept = field(default=NO_HINT, compare=False, repr=False)

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        if node.values["joinType"] != "LeftOuter":
            return None
        left, right = inputs
        return cls(left, right, node.optional("condition") or TRUE, Kept(node.handle, "hint"))

    def written(self) -> Build:
        return Build("Join", (self.left, self.right, LEFT_OUTER, Option(self.condition), self.hint))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.left, self.right)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.left.columns, *(replace(column, nullable=True) for column in self.right.columns))

    @property
    def most_rows(self) -> int:
        return self.left.most_rows * max(1, self.right.most_rows)

    def with_lineage(self, inputs: tuple[Traced, ...], fresh: Fresh) -> Traced:
        left, right = inputs
        padded = tuple(_nullable(carried) for carried in right.carried)
        return Traced(replace(self, left=left.step, right=right.step), left.carried + padded)

    def with_marks(self, inputs: tuple[Marked, ...], fresh: Fresh) -> Marked:
        left, right = inputs
        varies = choice_doubt(self.condition, left.doubts | right.doubts)
        if varies == FALSE and not right.rows_vary:
            return self._with_certain_matches(left, right, fresh)
        if self.most_rows <= MOST_PAIRS:
            return possible_pairs(left, right, self.condition, varies, fresh)
        return self._with_unfollowed_pairs(left, right, varies, fresh)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        left, right = inputs
        both = ColumnMap({**left.values, **right.values}, left.row | right.row)
        return replace(both, row=both.row | both.of(self.condition.columns, "joined"))

    def _with_certain_matches(self, left: Marked, right: Marked, fresh: Fresh) -> Marked:
        """Which rows match is settled: only what the two sides say already is carried on."""
        joined, is_padded, right = self._joined(left, right, fresh)
        flags = Flags(fresh)
        new_match = is_padded if right.is_loose else FALSE
        row = flags.flag(any_of(left.is_row_doubtful, new_match), "row")
        present = flags.present(left.is_present)
        cells = flags.cells(left.doubts | {column: holds(mark) for column, mark in right.doubts.items()})
        step = Project(joined, (*left.unflagged, *right.unflagged, *flags.exprs))
        return Marked(step, cells, row, present, left.is_loose or right.is_loose)

    def _with_unfollowed_pairs(self, left: Marked, right: Marked, varies: Expr, fresh: Fresh) -> Marked:
        """Too many pairs to follow one by one: padded rows are in doubt, and absent rows are not told apart."""
        joined, is_padded, right = self._joined(left, _without_ghosts(right), fresh)
        flags = Flags(fresh)
        pair_doubt = any_of(left.is_row_doubtful, holds(right.is_row_doubtful), holds(varies))
        row = flags.flag(any_of(pair_doubt, is_padded), "row")
        present = flags.present(left.is_present)
        cells = flags.cells(left.doubts | {column: holds(mark) for column, mark in right.doubts.items()})
        step = Project(joined, (*left.unflagged, *right.unflagged, *flags.exprs))
        return Marked(step, cells, row, present, is_loose=True)

    def _joined(self, left: Marked, right: Marked, fresh: Fresh) -> tuple[Step, Expr, Marked]:
        matched = fresh.flag("matched")
        labelled = replace(right, step=Project(right.step, (*map(ref, right.step.columns), alias(TRUE, matched))))
        joined = replace(self, left=left.step, right=labelled.step)
        return joined, call("isnull", ref(matched)), labelled


def _without_ghosts(marked: Marked) -> Marked:
    if marked.present is None:
        return marked
    return replace(marked, step=Filter(marked.step, marked.is_present), present=None)


def _nullable(carried: Carried) -> Carried:
    column = replace(carried.column, nullable=True)
    return Rid(carried.source, column) if isinstance(carried, Rid) else replace(carried, column=column)
