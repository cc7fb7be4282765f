"""The outputs of a group-by that compute with aggregates, such as `sum(x) / count(*)`: bounded above the groups.

Each aggregate becomes a column with a range of its own, so that an expression does not hold it many times.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from whence.plan.bounds.bound import Bounds
from whence.plan.bounds.interval import Interval
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import TRUE, Column, Expr, alias, ref
from whence.plan.range_columns import RangeColumns
from whence.plan.step import BoundedStep, FlaggedStep
from whence.plan.steps.project import Project


@dataclass(frozen=True)
class GroupParts:
    """The outputs that are one aggregate each, and what the others compute from aggregates and keys."""

    plain: tuple[Expr, ...]
    named: tuple[Expr, ...]
    """The aggregates and keys that other outputs read, as internal columns."""
    rest: tuple[Expr, ...]
    """The other outputs, over the internal columns."""
    ids: ColumnIdAllocator

    @classmethod
    def of(cls, outputs: tuple[Expr, ...], keys: tuple[Expr, ...], ids: ColumnIdAllocator) -> GroupParts:
        """Take the outputs of a group-by apart."""
        shown = tuple(expr for expr in outputs if not expr.output.is_internal)
        plain = tuple(expr for expr in shown if _is_plain(expr))
        made: dict[Expr, Column] = {}

        def named(node: Expr) -> Expr | None:
            if node.kind != "aggregate" and node not in keys:
                return None
            return ref(made.setdefault(node, ids.column("part", node.type, nullable=True)))

        rest = tuple(expr.replace(named) for expr in shown if not _is_plain(expr))
        return cls(plain, tuple(alias(node, column) for node, column in made.items()), rest, ids)

    @property
    def single(self) -> tuple[Expr, ...]:
        """What is bounded within the groups."""
        return (*self.plain, *self.named)

    def bound_rest(self, flagged: FlaggedStep, parts: RangeColumns) -> BoundedStep:
        """The groups with the ranges of all their outputs; `parts` has those of the single aggregates."""
        in_doubt = {*parts.ranges, *parts.reasons}
        intervals = {
            column: Interval(ref(each.low), ref(each.high), ref(each.missing), TRUE, each.low.type)
            for column, each in parts.ranges.items()
        }
        above = RangeColumns(Bounds(dict.fromkeys(in_doubt, TRUE), intervals, parts.reasons), {}, self.ids)
        above.add_all(self.rest)
        if above.exprs:
            flagged = replace(flagged, step=Project(flagged.step, (*map(ref, flagged.step.columns), *above.exprs)))
        return BoundedStep(flagged, {**parts.ranges, **above.ranges}, {**parts.reasons, **above.reasons})


def _is_plain(expr: Expr) -> bool:
    value = expr.args[0] if expr.kind == "alias" else expr
    return value.kind in ("aggregate", "column")
