"""Takes apart a group-by whose outputs raise or ask for caveats: the groups below, what is said of them above."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Column, Expr, alias, ref
from whence.plan.step import Step
from whence.plan.steps.project import Project


def split_outputs(
    keys: tuple[Expr, ...], outputs: tuple[Expr, ...], ids: ColumnIdAllocator, group: Callable[[tuple[Expr, ...]], Step]
) -> Step:
    """`group(outputs)`; where an output speaks of caveats of whole groups, a projection over plainer outputs.

    `select caveat(sum(x), 'why')` becomes `select caveat(s, 'why') from (select sum(x) as s)`.
    """
    if not any(_speaks(expr) for expr in outputs):
        return group(outputs)
    made: dict[Expr, Column] = {}

    def named(node: Expr) -> Expr | None:
        if node.kind != "aggregate" and node not in keys:
            return None
        return ref(made.setdefault(node, ids.named_column("part", "")))

    above = tuple(_over_parts(expr, named) if _speaks(expr) else ref(expr.output) for expr in outputs)
    plain = tuple(expr for expr in outputs if not _speaks(expr))
    return Project(group((*plain, *(alias(node, column) for node, column in made.items()))), above)


def _speaks(expr: Expr) -> bool:
    """A caveat, or a question for one, stands outside all aggregate functions."""
    if expr.kind == "aggregate":
        return False
    return expr.kind in ("caveat", "question") or any(_speaks(arg) for arg in expr.args)


def _over_parts(expr: Expr, named: Callable[[Expr], Expr | None]) -> Expr:
    def with_message(node: Expr) -> Expr | None:
        found = named(node)
        if found is not None or node.kind != "caveat":
            return found
        args = tuple(arg.replace(with_message) for arg in node.args)
        message = node.value.replace(named) if isinstance(node.value, Expr) else node.value
        stated = node.stated and (node.stated[0].replace(named), node.stated[1].replace(named))
        among = node.alternatives and node.alternatives.replace(named)
        return replace(node, args=args, value=message, stated=stated, alternatives=among, is_rebuilt=True)

    return expr.replace(with_message)
