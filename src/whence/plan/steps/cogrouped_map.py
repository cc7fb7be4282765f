"""Hand the rows of two inputs that agree on their keys to a Python function, which makes rows of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

from whence.plan.catalyst import Attributes, Build, CarryColumns, ConcatenatedSeqs, Node, SameField
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.expr import Column, Expr, ref
from whence.plan.influence import Influences, through_groups
from whence.plan.step import CarriedIds, FlaggedStep, Operator, Step, TracedStep
from whence.plan.steps.grouped_map import MOST_ROWS, doubt_everything
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows
from whence.plan.steps.remembered_groups import RememberedGroups
from whence.plan.traits import Traits

CarriedColumns = tuple[Column, Column]
"""What is the same in all rows of a group, as it is given to the function and as it is put out."""


@dataclass(frozen=True)
class CogroupedMap(Step):
    """`a.groupBy(...).cogroup(b.groupBy(...)).applyInPandas(f)`: a Python function makes the rows."""

    lineage_rule = "every row of both groups that the function was given"
    caveat_rule = "everything is in doubt as soon as something in the inputs is"
    repeatable = "never"
    read_from = "FlatMapCoGroupsInPandas"

    traits = Traits(
        keeps_rows=False,
        passes_through=False,
        row_depends_on="unknown",
        is_one_way=False,
        is_conjunctive=False,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=True,
        defers_below=False,
        lets_keys_through=False,
        passes_formulas=False,
        only_decides=False,
    )

    left: Step
    right: Step
    key_counts: tuple[int, int]
    """How many of the first columns of each input are its keys."""
    new_columns: tuple[Column, ...]
    handle: object = field(default=None, compare=False, repr=False)
    carried_columns: tuple[tuple[CarriedColumns, ...], tuple[CarriedColumns, ...]] = ((), ())
    operator: str = "FlatMapCoGroupsInPandas"
    """Its name in Spark's plan."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> CogroupedMap:
        left, right = inputs
        counts = cast("int", node.values["leftGroupingLen"]), cast("int", node.values["rightGroupingLen"])
        return cls(left, right, counts, tuple(expr.output for expr in node.exprs["output"]), node.handle)

    def to_catalyst(self) -> Build:
        given, made = (tuple(tuple(pair[end] for pair in side) for side in self.carried_columns) for end in (0, 1))
        output = ConcatenatedSeqs((SameField(self.handle, "output"), Attributes((*made[0], *made[1]))))
        function = CarryColumns(self.handle, given, made)
        return Build(self.operator, (*self.key_counts, function, output, self.left, self.right))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.left, self.right)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.new_columns, *(made for side in self.carried_columns for _, made in side))

    @property
    def most_rows(self) -> int:
        return (self.left.most_rows + self.right.most_rows) * MOST_ROWS

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        rows: list[Step] = []
        more: list[tuple[CarriedColumns, ...]] = []
        carried: list[CarriedIds] = []
        named: list[Expr] = []
        for child, keys in zip(inputs, self._keys, strict=True):
            if not child.carried_ids:
                rows.append(child.step)
                more.append(())
                continue
            groups = RememberedGroups.of(child, keys, context.ids)
            group = context.ids.column("group", "bigint", nullable=True)
            span, name = groups.span(group, context.ids)
            rows.append(groups.rows)
            more.append(((groups.number, group),))
            carried.append(span)
            named.append(name)
        step = self._over_rows((rows[0], rows[1]), (more[0], more[1]))
        return TracedStep(Project(step, (*map(ref, self.columns), *named)), tuple(carried))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        left, right = map(real_rows, inputs)
        step = self._over_rows((left, right))
        # Where one side has no row of a key, rows that might belong there could still meet the other side's.
        return FlaggedStep(step) if all(child.is_certain for child in inputs) else doubt_everything(step, ids)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        sides = tuple(zip(inputs, self.inputs, self._keys, strict=True))
        uses = frozenset().union(*(each.of(dict.fromkeys(step.columns), "aggregated") for each, step, _ in sides))
        row = frozenset().union(*(each.row | each.reads(keys, "grouped") for each, _, keys in sides))
        return ColumnMap({column.id: uses for column in self.new_columns}, row)

    def influences(self) -> Influences:
        return through_groups(self.left.influences() | self.right.influences())

    @property
    def _keys(self) -> tuple[tuple[Expr, ...], ...]:
        return tuple(
            tuple(map(ref, step.columns[:count])) for step, count in zip(self.inputs, self.key_counts, strict=True)
        )

    def _over_rows(
        self, rows: tuple[Step, Step], more: tuple[tuple[CarriedColumns, ...], tuple[CarriedColumns, ...]] = ((), ())
    ) -> CogroupedMap:
        """The function over rows that have more columns than it is to see."""
        left, right = (
            Project(side, (*map(ref, step.columns), *(ref(given) for given, _ in added)))
            for side, step, added in zip(rows, self.inputs, more, strict=True)
        )
        handed = ((*self.carried_columns[0], *more[0]), (*self.carried_columns[1], *more[1]))
        return replace(self, left=left, right=right, carried_columns=handed)


class CogroupedMapInArrow(Operator):
    """`a.groupBy(...).cogroup(b.groupBy(...)).applyInArrow(f)`: the same with Arrow tables."""

    lineage_rule = "every row of both groups that the function was given"
    caveat_rule = "everything is in doubt as soon as something in the inputs is"
    repeatable = "never"
    read_from = "FlatMapCoGroupsInArrow"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return replace(CogroupedMap.read(node, inputs), operator=cls.read_from)
