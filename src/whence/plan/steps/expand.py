"""Several versions of each row, one for each grouping set."""

from __future__ import annotations

from whence.plan.catalyst import Node
from whence.plan.expr import Column, Expr, alias, call, literal, ref
from whence.plan.step import Operator, Step
from whence.plan.steps.copies import Copies
from whence.plan.steps.project import Project


class Expand(Operator):
    """GROUPING SETS, ROLLUP, CUBE, UNPIVOT: read as numbered copies of each row, in which some columns differ."""

    lineage_rule = "the row itself, in each of its versions"
    caveat_rule = "as in the row; a column that a grouping set leaves out is certain there"
    repeatable = "always"
    read_from = "Expand"

    @classmethod
    def read(cls, node: Node, inputs: tuple[Step, ...]) -> Step:
        made = [expr.output for expr in node.exprs["output"]]
        versions = _rows_of(node.exprs["projections"], len(made))
        number = node.ids.column("version", "int")
        exprs = tuple(_choose_version(column, [row[n] for row in versions], number) for n, column in enumerate(made))
        return Project(Copies(inputs[0], len(versions), number), exprs)


def _rows_of(exprs: tuple[Expr, ...], width: int) -> list[tuple[Expr, ...]]:
    return [exprs[start : start + width] for start in range(0, len(exprs), width)]


def _choose_version(column: Column, versions: list[Expr], number: Column) -> Expr:
    """The version's own expression; a column that is the same in all versions stays itself."""
    first, *rest = versions
    if all(each == first for each in rest):
        return first if first.kind == "column" and first.column == column else alias(first, column)
    args: list[Expr] = []
    for place, expr in enumerate(versions):
        args += [call("<=>", ref(number), literal(place, "int")), expr]
    return alias(Expr("case", tuple(args), name="when"), column)
