"""Which source columns an output column reads, and in which role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from whence.model.cellref import Role
from whence.plan.expr import CONSTANT, Column, Expr


@dataclass(frozen=True)
class Use:
    """A column of one source of the plan, in a role; `limits` are the FILTER clauses and windows it came through.

    `decides`: it decided which rows a value was made from and is no part of the value, so it keeps its role whatever
    is done to the value.

    A caveat that the plan itself raises is used like a column: `note` is that caveat, and there is no source.
    """

    source: int
    column: str
    role: Role
    limits: tuple[Expr, ...] = ()
    decides: bool = False
    note: Expr | None = None


Uses = frozenset[Use]

NOWHERE = -1
"""The source number of a use of no column: a caveat of the plan itself, or whole rows that a window read."""


@dataclass(frozen=True)
class ColumnMap:
    """For each output column its uses, and the uses that decided whether the row is there at all."""

    values: Mapping[int, Uses] = field(default_factory=dict)
    row: Uses = frozenset()

    def of(self, columns: Iterable[Column], role: Role) -> Uses:
        """Return the uses of these columns after one more operation, which changes their role."""
        uses = (use for column in columns for use in self.values.get(column.id, ()))
        return frozenset(_combine_roles(role, use) for use in uses)

    def reads(self, exprs: Iterable[Expr], role: Role) -> Uses:
        """What these expressions read, and the caveats they raise, in one role."""
        every = tuple(exprs)
        notes = frozenset(_use_of_caveat(node, role) for expr in every for node in expr.caveats)
        return self.of([column for expr in every for column in expr.columns], role) | notes

    def of_expr(self, expr: Expr) -> Uses:
        """What an expression reads: a plain column is copied, anything else computed or aggregated."""
        if expr.kind == "alias":
            return self.of_expr(expr.args[0])
        if expr.kind == "caveat":
            value, condition = expr.args
            return (
                self.of_expr(value)
                | as_deciding(self.reads([condition], "filtered"))
                | {_use_of_caveat(expr, "computed")}
            )
        if expr.kind == "column":
            return self.of(expr.columns, "copied")
        if expr.kind == "aggregate" and expr.value == CONSTANT:
            return self.of_expr(expr.args[0])
        if expr.kind == "aggregate":
            reads = self.reads(expr.args, "aggregated")
            if expr.condition is None:
                return reads
            tested = as_deciding(self.reads([expr.condition], "filtered"))
            return frozenset(replace(use, limits=(*use.limits, expr.condition)) for use in reads | tested)
        inner: Uses = frozenset().union(*(self.of_expr(arg) for arg in expr.args))
        return frozenset(_combine_roles("computed", use) for use in inner)


def reading(name: Expr) -> Use:
    """Return the use of whole rows that a window or subquery reads for a value, as count(*) OVER () does."""
    return Use(NOWHERE, "", "aggregated", (name,), decides=True)


def as_deciding(uses: Uses) -> Uses:
    """Return the uses as ones that only decide about a value; what windows and subqueries read for them is left out."""
    return frozenset(replace(use, decides=True) for use in uses if not _is_reading(use))


def readings(uses: Iterable[Use]) -> frozenset[Expr]:
    """Return the readings (of windows and subqueries) among these uses that are part of the value."""
    return frozenset(
        limit for use in uses if not use.decides or _is_reading(use) for limit in use.limits if limit.kind == "window"
    )


def _is_reading(use: Use) -> bool:
    return use.source == NOWHERE and use.note is None


def _use_of_caveat(caveat: Expr, role: Role) -> Use:
    return Use(NOWHERE, "", role, note=caveat)


def _combine_roles(outer: Role, use: Use) -> Use:
    if use.decides or outer == "copied":
        return use
    if outer == "computed":
        return use if use.role in ("aggregated", "grouped", "filtered") else replace(use, role="computed")
    return replace(use, role=outer)
