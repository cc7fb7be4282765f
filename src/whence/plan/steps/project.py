"""Compute columns from the columns of the same row."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.bounds.bound import Bounds
from whence.plan.catalyst import Build, Node
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.columnmap import ColumnMap
from whence.plan.context import RewriteContext
from whence.plan.doubt import doubt
from whence.plan.expr import Column, Expr, SortKey, ref
from whence.plan.expr_grounds import ground_columns
from whence.plan.flags import Flags
from whence.plan.grounds import Grounds
from whence.plan.range_columns import RangeColumns
from whence.plan.rowkey import NumberedKey, project_key
from whence.plan.step import BoundedStep, FlaggedStep, Step, TracedStep
from whence.plan.traits import Traits


@dataclass(frozen=True)
class Project(Step):
    """SELECT: one output row for each input row."""

    lineage_rule = "the row itself"
    caveat_rule = "a cell is in doubt if its expression could have another value; a row is if its input row is"
    repeatable = "always"

    read_from = "Project"

    traits = Traits(
        keeps_rows=True,
        passes_through=False,
        row_depends_on="row",
        is_one_way=True,
        is_conjunctive=True,
        groups_rows=False,
        computes_measures=False,
        reads_around=False,
        gathers_in_python=False,
        defers_below=True,
        lets_keys_through=True,
        passes_formulas=False,
        only_decides=False,
    )

    child: Step
    exprs: tuple[Expr, ...]

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        return cls(inputs[0], node.exprs["projectList"])

    def to_catalyst(self) -> Build:
        return Build("Project", (self.exprs, self.child))

    @property
    def inputs(self) -> tuple[Step, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(expr.output for expr in self.exprs)

    @property
    def most_rows(self) -> int:
        return self.child.most_rows

    @property
    def projection(self) -> tuple[Expr, ...]:
        return self.exprs

    @property
    def row_order(self) -> tuple[SortKey, ...]:
        return () if self._hidden_keys(self.child) else self.child.row_order

    def with_order_shown(self) -> Step | None:
        child = self.child.with_order_shown()
        return None if child is None else replace(self, child=child, exprs=(*self.exprs, *self._hidden_keys(child)))

    def _hidden_keys(self, child: Step) -> tuple[Expr, ...]:
        """The columns that the order of the rows reads and that are not shown."""
        read = dict.fromkeys(column for key in child.row_order for column in key.expr.columns)
        shown = set(self.columns)
        return tuple(ref(column) for column in read if column not in shown)

    def needed_columns(self, shown: frozenset[int]) -> frozenset[int]:
        return frozenset(column.id for expr in self.exprs for column in expr.columns)

    def without_columns(self, dead: frozenset[int]) -> Step:
        return replace(self, exprs=tuple(expr for expr in self.exprs if expr.output.id not in dead))

    def restate_below(self, expr: Expr) -> Expr:
        made = {each.output.id: each.args[0] for each in self.exprs if each.kind == "alias"}
        return expr.replace(lambda node: made.get(node.output.id) if node.kind == "column" else None)

    @property
    def can_carry_columns(self) -> bool:
        return True

    def with_carried_columns(self, child: Step, carried: tuple[Expr, ...], added: tuple[Expr, ...]) -> Step:
        return replace(self, child=child, exprs=(*self.exprs, *carried, *added))

    def with_lineage(self, inputs: tuple[TracedStep, ...], context: RewriteContext) -> TracedStep:
        (child,) = inputs
        key, extra = project_key(child.key, self.exprs, context.ids)
        number = next((expr.output for expr in self.exprs if _is_number(expr)), None)
        if key is not None and number is not None:
            key = NumberedKey(number, key)
        step = replace(self, child=child.step, exprs=(*self.exprs, *child.id_columns, *extra))
        return TracedStep(step, child.carried_ids, key)

    def with_flags(self, inputs: tuple[FlaggedStep, ...], ids: ColumnIdAllocator) -> FlaggedStep:
        (child,) = inputs
        flags = Flags(ids)
        shown = (expr for expr in self.exprs if not expr.output.is_internal)
        cells = flags.cells({expr.output.id: doubt(expr, child.doubts) for expr in shown})
        row, present = flags.flag(child.is_row_doubtful, "row"), flags.present(child.is_present)
        step = replace(self, child=child.step, exprs=(*self.exprs, *flags.exprs))
        return FlaggedStep(step, cells, row, present, child.is_loose)

    def with_bounds(self, inputs: tuple[BoundedStep, ...], ids: ColumnIdAllocator) -> BoundedStep:
        (child,) = inputs
        added = RangeColumns(Bounds(child.flagged.doubts, child.intervals(), child.reasons), child.ranges, ids)
        added.add_all(self.exprs)
        step = replace(self, exprs=(*self.exprs, *added.exprs))
        return BoundedStep(step.with_flags((child.flagged,), ids), added.ranges, added.reasons)

    def column_map(self, inputs: tuple[ColumnMap, ...]) -> ColumnMap:
        (child,) = inputs
        return ColumnMap({expr.output.id: child.of_expr(expr) for expr in self.exprs}, child.row)

    def grounds(self, inputs: tuple[Grounds, ...]) -> Grounds:
        return ground_columns(self.exprs, inputs[0])


def _is_number(expr: Expr) -> bool:
    """A number that a rule has put on each row; one that a user asks for is a value like any other."""
    return expr.kind == "alias" and expr.output.is_internal and expr.args[0].name == "monotonically_increasing_id"
