"""Which source columns an output column reads, and in which role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from whence.model.cellref import Role
from whence.plan.expr import Column, Expr


@dataclass(frozen=True)
class Use:
    """A column of one source of the plan, in a role; `limits` are the FILTER clauses it came through."""

    source: int
    column: str
    role: Role
    limits: tuple[Expr, ...] = ()


Uses = frozenset[Use]


@dataclass(frozen=True)
class ColumnMap:
    """For each output column its uses, and the uses that decided whether the row is there at all."""

    values: Mapping[int, Uses] = field(default_factory=dict)
    row: Uses = frozenset()

    def of(self, columns: Iterable[Column], role: Role) -> Uses:
        """What these columns read, seen through one more operation."""
        uses = (use for column in columns for use in self.values.get(column.id, ()))
        return frozenset(replace(use, role=_seen_through(role, use.role)) for use in uses)

    def of_expr(self, expr: Expr) -> Uses:
        """What an expression reads: a plain column is copied, anything else computed or aggregated."""
        if expr.kind in ("alias", "caveat"):
            return self.of_expr(expr.args[0])
        if expr.kind == "column":
            return self.of(expr.columns, "copied")
        if expr.kind == "aggregate":
            reads = self.of([column for arg in expr.args for column in arg.columns], "aggregated")
            if expr.condition is None:
                return reads
            tested = self.of(expr.condition.columns, "filtered")
            return frozenset(replace(use, limits=(*use.limits, expr.condition)) for use in reads | tested)
        inner: Uses = frozenset().union(*(self.of_expr(arg) for arg in expr.args))
        return frozenset(replace(use, role=_seen_through("computed", use.role)) for use in inner)


def _seen_through(outer: Role, inner: Role) -> Role:
    if outer == "copied":
        return inner
    if outer == "computed":
        return inner if inner in ("aggregated", "grouped", "filtered") else "computed"
    return outer
