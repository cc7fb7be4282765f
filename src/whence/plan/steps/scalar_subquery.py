"""Put the one value of a subquery beside every row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from whence.plan.catalyst import LEFT_OUTER, LEFT_SINGLE, NO_HINT, Build, Option
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap, Uses, as_deciding
from whence.plan.columnmap import reading as reading_of
from whence.plan.context import RewriteContext
from whence.plan.decides_for import row_uses
from whence.plan.doubt import choice_doubt
from whence.plan.expr import FALSE, TRUE, Column, Expr, alias, literal, ref
from whence.plan.grounds import Grounds, join_grounds
from whence.plan.influence import Influences, influence_of_all_rows
from whence.plan.rewrite import column_map
from whence.plan.step import BoundedStep, CarriedIds, FlaggedStep, Step, TracedStep
from whence.plan.steps.groups_aside import put_groups_aside
from whence.plan.steps.outer_join import OuterJoin
from whence.plan.steps.project import Project
from whence.plan.steps.range_free import without_ranges
from whence.plan.steps.real_rows import real_rows
from whence.plan.steps.scalar_doubt import join_scalar_value
from whence.plan.traits import Traits

SUBQUERY = "subquery"
"""The name of what it reads, among the readings of a plan."""


@dataclass(frozen=True)
class ScalarSubquery(Step):
    """`(select max(x) from t where ...)` inside an expression, as a left join with the row that it has for each row."""

    repeatable = "always"

    traits = Traits(
        keeps_rows=True,
        passes_through=False,
        row_depends_on="as below",
        is_one_way=False,
        is_conjunctive=False,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=False,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    child: Step
    scalar: Step
    number: int
    condition: Expr = TRUE
    """How the rows of the subquery belong to those of the outer query."""
    is_checked: bool = False
    """Spark makes sure that no row gets two."""
    always_contributes: bool = False
    """Also where the value is not shown."""
    only_decides: bool = False
    """It stands in a filter."""

    @classmethod
    def put_beside(
        cls,
        child: Step,
        scalars: Iterable[object],
        ids: ColumnIdAllocator,
        *,
        only_decides: bool = False,
        always_contributes: bool = False,
    ) -> Step:
        """The child with the value of each subquery beside its rows."""
        for scalar in cast(Iterable[Step], scalars):
            child = cls(
                child,
                scalar,
                ids.number(),
                is_checked=scalar.most_rows > 1,
                always_contributes=always_contributes,
                only_decides=only_decides,
            )
        return child

    def to_catalyst(self) -> Build:
        kind = LEFT_SINGLE if self.is_checked else LEFT_OUTER
        return Build("Join", (self.child, self.scalar, kind, Option(self.condition), NO_HINT))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child, self.scalar)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.child.columns, *self.scalar.columns)

    @property
    def most_rows(self) -> int:
        return self.child.most_rows

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        child, scalar = (put_groups_aside(side, context) for side in inputs)
        if not self.always_contributes and self.reading not in context.shown_readings:
            return replace(child, step=replace(self, child=child.step))
        joined = self._as_join.with_lineage((child, scalar), context).carried_ids
        own, read = joined[: len(child.carried_ids)], joined[len(child.carried_ids) :]
        carried = (*own, *(read if self.always_contributes else map(self._as_read, read)))
        return TracedStep(replace(self, child=child.step, scalar=scalar.step), carried, child.key)

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        child, scalar = inputs
        if self._has_the_same_row(child, scalar):
            return self._as_join.with_flags(inputs, ids)
        if self.condition == TRUE:
            child = replace(child, step=_refuse_several_rows(child.step, scalar, ids))
        return join_scalar_value(self._as_join, child, scalar, ids)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        child, scalar = inputs
        if self._has_the_same_row(child.flagged, scalar.flagged):
            return self._as_join.with_bounds(inputs, ids)
        flagged = self.with_flags((child.flagged, without_ranges(scalar)), ids)
        why = dict.fromkeys(
            (column.id for column in self.scalar.columns), "No rule bounds a subquery with varying rows."
        )
        return replace(BoundedStep.handing_on((child,), flagged), reasons={**child.reasons, **why})

    def _has_the_same_row(self, child: FlaggedStep, scalar: FlaggedStep) -> bool:
        """In every world the subquery gives each row of the outer query the same row."""
        if self.condition == TRUE and not self.is_checked:
            return True
        varies = choice_doubt(self.condition, child.doubts | scalar.doubts)
        return varies == FALSE and not scalar.rows_vary and not scalar.is_loose

    def influences(self) -> Influences:
        found = super().influences()
        if self.condition == TRUE and not self.only_decides:
            return found
        return found | influence_of_all_rows(self.scalar.sources, contributors=self.child.sources)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        child, scalar = inputs
        shown = {
            column.id: self._with_reading(scalar.values.get(column.id, frozenset())) for column in self.scalar.columns
        }
        both = ColumnMap({**child.values, **shown}, child.row)
        keys = as_deciding(both.of(self.condition.columns, "joined"))
        return replace(both, values={**child.values, **{column: uses | keys for column, uses in shown.items()}})

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        # A subquery that a filter asks gives nothing to the row.
        return join_grounds(self.columns, inputs[:1] if self.only_decides else inputs)

    def decisions(self) -> Iterator[tuple[Expr, Uses]]:
        child, scalar = column_map(self.child), column_map(self.scalar)
        both = ColumnMap({**child.values, **scalar.values})
        inside = [column_map(each.inputs[0]) for each in self.scalar.walk() if each.traits.only_decides]
        outer = (uses for each in inside for uses in (each.row, *each.values.values()))
        yield self.reading, scalar.row.union(both.reads([self.condition], "joined"), row_uses(self.scalar), *outer)

    def _with_reading(self, uses: Uses) -> Uses:
        return uses | {reading_of(self.reading)}

    def _as_read(self, carried: CarriedIds) -> CarriedIds:
        """A window above takes it along only with the value that was read from it."""
        return carried if carried.reading is not None else replace(carried, reading=self.reading)

    @property
    def reading(self) -> Expr:
        """The name of what it reads, which contributes where the value is shown; in a filter it only influences."""
        return Expr("window", name=SUBQUERY, value=self.number)

    @property
    def _as_join(self) -> OuterJoin:
        return OuterJoin(self.child, self.scalar, self.condition, is_checked=self.is_checked)


def _refuse_several_rows(child: Step, scalar: FlaggedStep, ids: ColumnIdAllocator) -> Step:
    """The child's rows, if the subquery has one row at most: what only might be there must not count."""
    row = alias(literal(1, "int"), ids.column("row", "int"))
    checked = OuterJoin(child, Project(real_rows(scalar), (row,)), TRUE, is_checked=True)
    return Project(checked, tuple(map(ref, child.columns)))
