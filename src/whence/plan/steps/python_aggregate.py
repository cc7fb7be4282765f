"""Group rows and hand each group to a Python function, beside which Spark computes nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.catalyst import Build, Node
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.doubt import doubt
from whence.plan.expr import FALSE, TRUE, Column, Expr, alias, any_of, literal, ref
from whence.plan.expressions import raises_caveats
from whence.plan.flags import Flags
from whence.plan.grounds import Grounds
from whence.plan.influence import Influences
from whence.plan.step import FlaggedStep, GroupBy, Step, TracedStep
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.group_key import group_key
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows
from whence.plan.steps.remembered_groups import RememberedGroups
from whence.plan.traits import Traits

NAME = "pythonudaf"


@dataclass(frozen=True)
class PythonAggregate(Step):
    """GROUP BY with a pandas function of whole groups, such as `pandas_udf` from Series to a number."""

    lineage_rule = "every row of the group"
    caveat_rule = (
        "what the function gives is in doubt as soon as something it is given might be; so is every group if rows "
        "might come or go or a key is in doubt"
    )
    repeatable = "never"
    read_from = "Aggregate"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="group",
        is_one_way=True,
        is_conjunctive=False,
        groups_rows=True,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=True,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    child: Step
    keys: tuple[Expr, ...]
    outputs: tuple[Expr, ...]

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step | None:
        outputs = node.exprs["aggregateExpressions"]
        if not any(each.name == NAME for expr in outputs for each in expr.walk()):
            return None
        return cls(inputs[0], node.exprs["groupingExpressions"], outputs)

    def to_catalyst(self) -> Build:
        return self._as_aggregate.to_catalyst()

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self._as_aggregate.columns

    @property
    def most_rows(self) -> int:
        return self._as_aggregate.most_rows

    @property
    def group_by(self) -> GroupBy:
        return self._as_aggregate

    def influences(self) -> Influences:
        return self._as_aggregate.influences()

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        return self._as_aggregate.column_map(inputs)

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return self._as_aggregate.grounds(inputs)

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        # Spark refuses other aggregates beside the function, so ids cannot be collected: the rows are remembered
        # instead, by group, and each group carries its number, as one more key that splits no group.
        (child,) = inputs
        if not child.carried_ids:
            return TracedStep(replace(self, child=child.step), ())
        groups = RememberedGroups.of(child, self.keys, context.ids)
        of_group = context.ids.column("group", "bigint")
        if self.keys:
            keys, outputs = (*self.keys, ref(groups.number)), (*self.outputs, alias(ref(groups.number), of_group))
            grouped: Step = replace(self, child=groups.rows, keys=keys, outputs=outputs)
        else:
            alone = replace(self, child=groups.rows)
            grouped = Project(alone, (*map(ref, self.columns), alias(literal(0, "bigint"), of_group)))
        span, named = groups.span(of_group, context.ids)
        key, hidden = group_key(self.keys, self.outputs, None, context.ids)
        return TracedStep(Project(grouped, (*map(ref, self.columns), named)), (span,), None if hidden else key)

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        grouped = replace(self, child=real_rows(child))
        if child.is_certain and not raises_caveats(self):
            return FlaggedStep(grouped)
        moves = any_of(*(doubt(key, child.doubts) for key in self.keys)) != FALSE
        varies = child.rows_vary or child.is_loose or moves
        flags = Flags(ids)
        cells = flags.cells({expr.output.id: TRUE for expr in self.outputs if self._is_doubtful(expr, child, varies)})
        row = flags.flag(TRUE if varies and self.keys else FALSE, "row")
        data = tuple(map(ref, grouped.columns))
        return FlaggedStep(Project(grouped, (*data, *flags.exprs)), cells, row, is_loose=bool(varies and self.keys))

    @property
    def _as_aggregate(self) -> Aggregate:
        return Aggregate(self.child, self.keys, self.outputs)

    def _is_doubtful(self, expr: Expr, child: FlaggedStep, varies: bool) -> bool:
        if expr.output.is_internal or not any(node.kind == "aggregate" for node in expr.walk()):
            return False
        read = (doubt(arg, child.doubts) for node in expr.walk() if node.kind == "aggregate" for arg in node.args)
        return varies or any_of(*read) != FALSE
