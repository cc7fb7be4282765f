"""How a step is read from and written to Spark's logical plan, in terms that need no Spark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Column, Expr, SortKey


class Unreadable(Exception):
    """Raised where no rule covers this form of an operator; the message says which form."""


@dataclass(frozen=True)
class Node:
    """One operator of Spark's plan: its expressions and plain fields, by field name."""

    name: str
    exprs: Mapping[str, tuple[Expr, ...]] = field(default_factory=dict)
    sort_keys: Mapping[str, tuple[SortKey, ...]] = field(default_factory=dict)
    values: Mapping[str, object] = field(default_factory=dict)
    scalars: tuple[object, ...] = ()
    """The plans of scalar subqueries in its expressions, each of one column, and of one row when it runs."""
    existences: tuple[object, ...] = ()
    """Plans of one row that says whether a subquery of its expressions has rows."""
    ids: ColumnIdAllocator = field(default_factory=ColumnIdAllocator, compare=False, repr=False)
    handle: object = field(default=None, compare=False, repr=False)

    def expr(self, name: str) -> Expr:
        """The one expression of this field."""
        (expr,) = self.exprs[name]
        return expr

    @property
    def all_exprs(self) -> tuple[Expr, ...]:
        """Every expression it has, sort keys included."""
        keys = (key.expr for group in self.sort_keys.values() for key in group)
        return (*(expr for group in self.exprs.values() for expr in group), *keys)

    def optional(self, name: str) -> Expr | None:
        """The expression of this field, if there is one."""
        return next(iter(self.exprs.get(name, ())), None)


@dataclass(frozen=True)
class Build:
    """A node of Spark's plan to be made: its class and constructor arguments.

    An argument is a step, an expression, a tuple of such (a Scala Seq), a plain bool or int, or one of the markers
    below.
    """

    name: str
    args: tuple[object, ...]


@dataclass(frozen=True)
class Option:
    """A Scala Option."""

    value: object = None


@dataclass(frozen=True)
class Singleton:
    """A Scala object, by its name."""

    name: str


@dataclass(frozen=True)
class SameField:
    """Constructor argument: a field of the Spark node that this step was read from; without a name, that node."""

    handle: object
    name: str


@dataclass(frozen=True)
class SameNode:
    """Build instruction: a copy of the Spark node that this step was read from, over other inputs."""

    handle: object
    inputs: tuple[object, ...]


@dataclass(frozen=True)
class Attributes:
    """Constructor argument: a generator's output columns; the last has the type of the elements of `elements_of`."""

    columns: tuple[Column, ...]
    elements_of: Expr | None = None


@dataclass(frozen=True)
class NewExprIds:
    """Constructor argument: so many unused expression ids."""

    count: int


@dataclass(frozen=True)
class CarryColumns:
    """The Python function of the node this step was read from, given more columns and handing them on.

    For each input the last columns it puts out, which are the same in all rows of a group, and those that the function
    puts out for them. It is written once Spark's own objects are there.
    """

    handle: object
    added_columns: tuple[tuple[Column, ...], ...]
    carried_columns: tuple[tuple[Column, ...], ...]


@dataclass(frozen=True)
class CollectIds:
    """A Python table function, given one more column, and putting out for each row those of the rows behind it."""

    function: Expr
    given_id: Column
    collected_ids: Column


@dataclass(frozen=True)
class ConcatenatedSeqs:
    """Several Seqs as one."""

    parts: tuple[object, ...]


INNER = Singleton("org.apache.spark.sql.catalyst.plans.Inner")
LEFT_OUTER = Singleton("org.apache.spark.sql.catalyst.plans.LeftOuter")
FULL_OUTER = Singleton("org.apache.spark.sql.catalyst.plans.FullOuter")
LEFT_SINGLE = Singleton("org.apache.spark.sql.catalyst.plans.LeftSingle")
LEFT_ANTI = Singleton("org.apache.spark.sql.catalyst.plans.LeftAnti")
NO_HINT = Build("JoinHint", (Option(), Option()))
