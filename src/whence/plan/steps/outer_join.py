"""Pair rows as an inner join does, and keep the rows of one or both sides that match nothing, padded with NULLs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from whence.plan.catalyst import FULL_OUTER, LEFT_OUTER, LEFT_SINGLE, NO_HINT, Build, Node, Option, SameField
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.doubt import choice_doubt
from whence.plan.expr import FALSE, TRUE, Column, Expr, alias, any_of, call, holds, literal, ref
from whence.plan.flags import Flags
from whence.plan.grounds import Grounds, join_grounds
from whence.plan.influence import Influences, influence_of_all_rows
from whence.plan.rowkey import PaddedKey, columns_of, combine_keys
from whence.plan.step import BoundedStep, CarriedIds, FlaggedStep, MostPairs, Step, TracedStep
from whence.plan.steps.groups_aside import put_groups_aside
from whence.plan.steps.inner_join import MOST_PAIRS
from whence.plan.steps.pair_bounds import bounds_of_pairs
from whence.plan.steps.possible_pairs import PossiblePairs
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows
from whence.plan.traits import Traits


@dataclass(frozen=True)
class OuterJoin(Step):
    """LEFT, RIGHT and FULL OUTER JOIN ... ON."""

    lineage_rule = "the row of each side; a NULL-padded side contributes nothing; the condition's columns influence"
    caveat_rule = (
        "pairs as in an inner join; a padded row is in doubt if a match might appear, and might belong where the "
        "last match might vanish"
    )
    repeatable = "always"
    read_from = "Join"
    drops = "no row of the other side matches"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="any rows",
        is_one_way=False,
        is_conjunctive=False,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=True,
        only_decides=False,
    )

    left: Step
    right: Step
    condition: Expr
    keeps_right: bool = False
    """The right side's rows are kept, too: FULL OUTER."""
    hint: Build | SameField = field(default=NO_HINT, compare=False, repr=False)
    is_checked: bool = False
    """A row of the left side that meets two rows is an error: a scalar subquery."""
    most_pairs: int | None = field(default=None, compare=False, repr=False)
    """No more pairs than this meet the condition; None if only the number of rows says how many."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        left, right = inputs
        condition = node.optional("condition") or TRUE
        match node.values["joinType"]:
            case "LeftOuter":
                return cls(left, right, condition, hint=SameField(node.handle, "hint"))
            case "FullOuter":
                return cls(left, right, condition, keeps_right=True, hint=SameField(node.handle, "hint"))
            case "RightOuter":
                return Project(cls(right, left, condition), tuple(map(ref, (*left.columns, *right.columns))))
        return None

    def to_catalyst(self) -> Build:
        kind = FULL_OUTER if self.keeps_right else LEFT_SINGLE if self.is_checked else LEFT_OUTER
        return Build("Join", (self.left, self.right, kind, Option(self.condition), self.hint))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.left, self.right)

    @property
    def columns(self) -> tuple[Column, ...]:
        left = _nullable(self.left.columns) if self.keeps_right else self.left.columns
        return (*left, *_nullable(self.right.columns))

    def needed_columns(self, shown: frozenset[int]) -> frozenset[int]:
        return shown | {column.id for column in self.condition.columns}

    @property
    def most_rows(self) -> int:
        left, right = self.left.most_rows, self.right.most_rows
        pairs = left * max(1, right) if self.most_pairs is None else left + self.most_pairs
        return pairs + (right if self.keeps_right else 0)

    def with_most_pairs(self, most_pairs: MostPairs) -> Step:
        return replace(self, most_pairs=most_pairs(self.left, self.right, self.condition))

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        left, right = (put_groups_aside(side, context) for side in inputs)
        left = _may_be_padded(left, context.ids) if self.keeps_right else left
        right = _may_be_padded(right, context.ids)
        joined = replace(self, left=left.step, right=right.step)
        return TracedStep(joined, left.carried_ids + right.carried_ids, combine_keys(left.key, right.key))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        left, right = inputs
        return self._with_possible_pairs(left, right, choice_doubt(self.condition, left.doubts | right.doubts), ids)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        """Pairs about which the ranges settle the condition do not come or go."""
        left, right = inputs
        bounds = bounds_of_pairs(left, right)
        varies = bounds.could_decide_otherwise(self.condition)
        bounded = BoundedStep.handing_on(inputs, self._with_possible_pairs(left.flagged, right.flagged, varies, ids))
        return replace(bounded, has_fewer_doubts=bounds.could_settle(self.condition))

    def _with_possible_pairs(
        self, left: FlaggedStep, right: FlaggedStep, varies: Expr, ids: ColumnIdAllocator
    ) -> FlaggedStep:
        if varies == FALSE and not right.rows_vary and not (self.keeps_right and left.rows_vary):
            return self._join_sides(left, right, FALSE, ids)
        if self.most_rows <= MOST_PAIRS and not self.runs_in_rounds:
            return PossiblePairs(left, right, self.condition, varies, ids).outer_join(keeps_right=self.keeps_right)
        # Pairs cannot be followed one by one, as there are too many, or they are made in rounds: padded rows are in
        # doubt, and absent rows are not told apart.
        left = _without_ghosts(left) if self.keeps_right else left
        return replace(self._join_sides(left, _without_ghosts(right), varies, ids, TRUE), is_loose=True)

    def influences(self) -> Influences:
        left, right = self.left.sources, self.right.sources
        found = super().influences() | influence_of_all_rows(right, contributors=left, unmatched=right)
        return found | influence_of_all_rows(left, contributors=right, unmatched=left) if self.keeps_right else found

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        left, right = inputs
        both = ColumnMap({**left.values, **right.values}, left.row | right.row)
        return replace(both, row=both.row | both.reads([self.condition], "joined"))

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return join_grounds(self.columns, inputs, pads=True)

    def _join_sides(
        self, left: FlaggedStep, right: FlaggedStep, varies: Expr, ids: ColumnIdAllocator, new_match: Expr = FALSE
    ) -> FlaggedStep:
        """The join itself; a padded side has no flags of its own, and is in doubt where a new match might come."""
        left, lacks_left = _with_label(left, ids)
        right, lacks_right = _with_label(right, ids)
        joined = replace(self, left=left.step, right=right.step)
        flags = Flags(ids)
        match_for_left = TRUE if right.is_loose else new_match
        match_for_right = TRUE if left.is_loose else new_match
        doubts = [holds(varies), holds(left.is_row_doubtful), holds(right.is_row_doubtful)]
        doubts.append(lacks_right if match_for_left == TRUE else FALSE)
        doubts.append(lacks_left if match_for_right == TRUE and self.keeps_right else FALSE)
        row = flags.flag(any_of(*(claim for claim in doubts if claim != holds(FALSE))), "row")
        present = flags.present(left.is_present)
        cells = flags.cells({column: holds(flag) for column, flag in (left.doubts | right.doubts).items()})
        step = Project(joined, (*left.data_columns, *right.data_columns, *flags.exprs))
        return FlaggedStep(step, cells, row, present, left.is_loose or right.is_loose)


def _with_label(side: FlaggedStep, ids: ColumnIdAllocator) -> tuple[FlaggedStep, Expr]:
    """The side with a label that is NULL on padded rows."""
    label = ids.flag("label")
    labelled = Project(side.step, (*map(ref, side.step.columns), alias(TRUE, label)))
    return replace(side, step=labelled), call("isnull", ref(label))


def _without_ghosts(flagged: FlaggedStep) -> FlaggedStep:
    return replace(flagged, step=real_rows(flagged), present=None)


def _nullable(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    return tuple(replace(column, nullable=True) for column in columns)


def _may_be_padded(side: TracedStep, ids: ColumnIdAllocator) -> TracedStep:
    padded = replace(side, carried_ids=tuple(_with_null(each) for each in side.carried_ids))
    if side.key is None or not any(True for _ in columns_of(side.key)):
        return padded  # where no row took part there is no rid
    label = ids.column("label", "int", nullable=True)
    labelled = Project(side.step, (*map(ref, side.step.columns), alias(literal(1, "int"), label)))
    return replace(padded, step=labelled, key=PaddedKey(side.key, label))


def _with_null(carried: CarriedIds) -> CarriedIds:
    return replace(carried, column=replace(carried.column, nullable=True))
