"""Hand each group of rows to a Python function, which makes rows of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from whence.plan.catalyst import Attributes, Build, CarryColumns, ConcatenatedSeqs, Node, SameField
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.doubt import doubt
from whence.plan.expr import FALSE, TRUE, Column, Expr, aggregate, alias, any_of, ref, window
from whence.plan.flags import Flags
from whence.plan.influence import Influences, through_groups
from whence.plan.step import FlaggedStep, Operator, Step, TracedStep
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project
from whence.plan.steps.real_rows import real_rows
from whence.plan.steps.remembered_groups import RememberedGroups
from whence.plan.traits import Traits

MOST_ROWS = 1_000
"""How many rows one row is taken to make when sizes are estimated; nothing is ever cut at this."""


@dataclass(frozen=True)
class GroupedMap(Step):
    """`df.groupBy(...).applyInPandas(f)`: a Python function makes the rows."""

    lineage_rule = "every row of the group that the function was given"
    caveat_rule = (
        "all that the function made of a group is in doubt as soon as something in the group might be; of every group "
        "if a key is in doubt"
    )
    repeatable = "never"
    read_from = "FlatMapGroupsInPandas"

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

    child: Step
    """Puts out the keys, then what the function is given, then what it hands on."""
    keys: tuple[Expr, ...]
    new_columns: tuple[Column, ...]
    handle: object = field(default=None, compare=False, repr=False)
    carried_columns: tuple[tuple[Column, Column], ...] = ()
    """What is the same in all rows of a group, as it is given to the function and as it is put out."""
    operator: str = "FlatMapGroupsInPandas"
    """Its name in Spark's plan."""

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> GroupedMap:
        made = tuple(expr.output for expr in node.exprs["output"])
        return cls(inputs[0], node.exprs.get("groupingAttributes", ()), made, node.handle)

    def to_catalyst(self) -> Build:
        given, made = (
            (tuple(each) for each in zip(*self.carried_columns, strict=True)) if self.carried_columns else ((), ())
        )
        function = CarryColumns(self.handle, (given,), (made,))
        output = ConcatenatedSeqs((SameField(self.handle, "output"), Attributes(made)))
        return Build(self.operator, (self.keys, function, output, self.child))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.new_columns, *(made for _, made in self.carried_columns))

    @property
    def most_rows(self) -> int:
        return self.child.most_rows * MOST_ROWS

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        if not child.carried_ids:
            return TracedStep(self._over_rows(child.step), ())
        groups = RememberedGroups.of(child, self.keys, context.ids)
        group = context.ids.column("group", "bigint", nullable=True)
        span, named = groups.span(group, context.ids)
        step = self._over_rows(groups.rows, (groups.number, group))
        return TracedStep(Project(step, (*map(ref, self.columns), named)), (span,))

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        if child.is_certain:
            return FlaggedStep(self._over_rows(child.step))
        if child.is_loose or any_of(*(doubt(key, child.doubts) for key in self.keys)) != FALSE:
            return doubt_everything(self._over_rows(real_rows(child)), ids)
        varies = any_of(*child.doubts.values(), child.is_row_doubtful, child.is_ghost)
        of_rows, of_group = ids.flag("varies"), ids.flag("varies")
        each_once = tuple(map(ref, dict.fromkeys(child.step.columns)))
        weighed = Project(
            Project(child.step, each_once), (*each_once, alias(_holds_in_group(varies, self.keys), of_rows))
        )
        step = self._over_rows(_without_ghosts(child, weighed), (of_rows, of_group))
        return FlaggedStep(step, {column.id: of_group for column in self.new_columns}, of_group, is_loose=True)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        uses = child.of(dict.fromkeys(self.child.columns), "aggregated")
        return ColumnMap(
            {column.id: uses for column in self.new_columns}, child.row | child.reads(self.keys, "grouped")
        )

    def influences(self) -> Influences:
        return through_groups(self.child.influences())

    def _over_rows(self, rows: Step, *more: tuple[Column, Column]) -> GroupedMap:
        """The function over rows that have more columns than it is to see."""
        laid_out = (*map(ref, self.child.columns), *(ref(given) for given, _ in more))
        return replace(self, child=Project(rows, laid_out), carried_columns=(*self.carried_columns, *more))


class GroupedMapInArrow(Operator):
    """`df.groupBy(...).applyInArrow(f)`: the same with Arrow tables."""

    lineage_rule = "every row of the group that the function was given"
    caveat_rule = (
        "all that the function made of a group is in doubt as soon as something in the group might be; of every group "
        "if a key is in doubt"
    )
    repeatable = "never"
    read_from = "FlatMapGroupsInArrow"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return replace(GroupedMap.read(node, inputs), operator=cls.read_from)


def doubt_everything(step: Step, ids: ColumnIdAllocator) -> FlaggedStep:
    """Every row and cell that comes out, and that no others do."""
    flags = Flags(ids)
    shown = (column for column in step.columns if not column.is_internal)
    cells, row = flags.cells({column.id: TRUE for column in shown}), flags.flag(TRUE, "row")
    return FlaggedStep(Project(step, (*map(ref, step.columns), *flags.exprs)), cells, row, is_loose=True)


def _without_ghosts(child: FlaggedStep, step: Step) -> Step:
    return step if child.present is None else Filter(step, child.is_present)


def _holds_in_group(claim: Expr, keys: tuple[Expr, ...]) -> Expr:
    """Some row of the group is so."""
    return window(aggregate("max", claim), keys)
