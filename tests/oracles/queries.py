"""Query trees of the oracle: which columns each step gives and which of them tell its rows apart."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from tests.oracles.expressions import Col, Expr, Type

JoinKind: TypeAlias = Literal["inner", "left", "right", "full", "semi", "anti"]
AggregateName: TypeAlias = Literal[
    "count(*)", "count", "sum", "min", "max", "avg", "count distinct", "sum distinct", "median", "stddev_samp",
    "stddev_pop", "var_samp", "var_pop",
]  # fmt: skip


@dataclass(frozen=True)
class Column:
    name: str
    type: Type


@dataclass(frozen=True)
class Item:
    """A named expression: a projected column or a group key."""

    name: str
    expr: Expr
    type: Type

    @property
    def column(self) -> Column:
        return Column(self.name, self.type)


@dataclass(frozen=True)
class Agg:
    """A named aggregate of one argument (count(*) has none) over the rows its FILTER clause lets through."""

    name: str
    function: AggregateName
    argument: Expr | None
    type: Type
    where: Expr | None = None

    @property
    def column(self) -> Column:
        return Column(self.name, self.type)


@dataclass(frozen=True)
class OrderKey:
    column: str
    descending: bool
    nulls_first: bool


@dataclass(frozen=True)
class WindowFunction:
    """A named window function; `low` and `high` are its frame, counted from the current row, None without an end.

    `offset` is how far lag and lead look. A frame by `range` goes by the value of the one sort key, or by its peers.
    """

    name: str
    function: str
    argument: Expr | None
    type: Type
    partition: tuple[str, ...]
    order: tuple[OrderKey, ...]
    kind: Literal["rows", "range"] = "range"
    low: int | None = None
    high: int | None = 0
    offset: int = 1

    @property
    def column(self) -> Column:
        return Column(self.name, self.type)

    @property
    def adjoins(self) -> bool:
        """What it reads stands next to the row, so that the same rows alone are read again."""
        if self.function in ("lag", "lead"):
            return self.offset == 1
        return (self.low is None or self.low <= 1) and (self.high is None or self.high >= -1)


@dataclass(frozen=True)
class Query:
    """One step over its inputs."""

    @property
    def inputs(self) -> tuple["Query", ...]:
        return ()

    @property
    def columns(self) -> tuple[Column, ...]:
        raise NotImplementedError

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def unique(self) -> tuple[str, ...] | None:
        """Columns no two rows agree on, in whatever world, or None if there are none known."""
        return None

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return ()

    def walk(self) -> Iterator["Query"]:
        yield self
        for child in self.inputs:
            yield from child.walk()


@dataclass(frozen=True)
class Scan(Query):
    """A stored table; its columns are named alias_column."""

    table: str
    alias: str
    stored: tuple[Column, ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(Column(f"{self.alias}_{column.name}", column.type) for column in self.stored)

    @property
    def unique(self) -> tuple[str, ...]:
        return (f"{self.alias}_id",)


@dataclass(frozen=True)
class Stored(Query):
    """A query read by name: kept as a dataset of its own, or written in a WITH clause and read any number of times."""

    name: str
    alias: str
    child: Query
    inline: bool = False

    @property
    def inputs(self) -> tuple[Query, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(Column(f"{self.alias}_{column.name}", column.type) for column in self.child.columns)

    @property
    def unique(self) -> tuple[str, ...] | None:
        below = self.child.unique
        return None if below is None else tuple(f"{self.alias}_{name}" for name in below)


@dataclass(frozen=True)
class Project(Query):
    child: Query
    items: tuple[Item, ...]

    @property
    def inputs(self) -> tuple[Query, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(item.column for item in self.items)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return tuple(item.expr for item in self.items)

    @property
    def unique(self) -> tuple[str, ...] | None:
        from_name = {item.expr.name: item.name for item in self.items if isinstance(item.expr, Col)}
        below = self.child.unique
        if below is None or not set(below) <= from_name.keys():
            return None
        return tuple(from_name[name] for name in below)


@dataclass(frozen=True)
class Filter(Query):
    child: Query
    condition: Expr

    @property
    def inputs(self) -> tuple[Query, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.child.columns

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.condition,)

    @property
    def unique(self) -> tuple[str, ...] | None:
        return self.child.unique


@dataclass(frozen=True)
class Join(Query):
    """Pairs of rows; semi and anti joins may be written as EXISTS and NOT EXISTS."""

    left: Query
    right: Query
    kind: JoinKind
    condition: Expr
    as_exists: bool = False

    @property
    def inputs(self) -> tuple[Query, ...]:
        return self.left, self.right

    @property
    def shows_right(self) -> bool:
        return self.kind not in ("semi", "anti")

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.left.columns + self.right.columns if self.shows_right else self.left.columns

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.condition,)

    @property
    def unique(self) -> tuple[str, ...] | None:
        left, right = self.left.unique, self.right.unique if self.shows_right else ()
        return None if left is None or right is None else left + right


@dataclass(frozen=True)
class InQuery(Query):
    """The rows whose operand is, or is not, in one column of those rows of another query that agree with them."""

    child: Query
    operand: Expr
    other: Query
    column: str
    negated: bool = False
    agreeing: tuple[tuple[str, str], ...] = ()

    @property
    def inputs(self) -> tuple[Query, ...]:
        return self.child, self.other

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.child.columns

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.operand,)

    @property
    def unique(self) -> tuple[str, ...] | None:
        return self.child.unique


@dataclass(frozen=True)
class Aggregate(Query):
    """Groups by its keys; without keys, one row over everything."""

    child: Query
    keys: tuple[Item, ...]
    aggregates: tuple[Agg, ...]

    @property
    def inputs(self) -> tuple[Query, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*(key.column for key in self.keys), *(one.column for one in self.aggregates))

    @property
    def expressions(self) -> tuple[Expr, ...]:
        inside = [expr for agg in self.aggregates for expr in (agg.argument, agg.where) if expr is not None]
        return (*(key.expr for key in self.keys), *inside)

    @property
    def unique(self) -> tuple[str, ...]:
        return tuple(key.name for key in self.keys)


@dataclass(frozen=True)
class Rollup(Aggregate):
    """Groups by its keys, by all but the last, and so on; the first `fixed` keys stay in each."""

    fixed: int = 0


@dataclass(frozen=True)
class UnionAll(Query):
    """Columns by position, named as on the left."""

    left: Query
    right: Query

    @property
    def inputs(self) -> tuple[Query, ...]:
        return self.left, self.right

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.left.columns


@dataclass(frozen=True)
class SetOperation(Query):
    """The different rows of the left side that the right side has too, or has not; columns as in a union."""

    kind: Literal["intersect", "except"]
    left: Query
    right: Query

    @property
    def inputs(self) -> tuple[Query, ...]:
        return self.left, self.right

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.left.columns

    @property
    def unique(self) -> tuple[str, ...]:
        return self.names


@dataclass(frozen=True)
class Distinct(Query):
    child: Query

    @property
    def inputs(self) -> tuple[Query, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.child.columns

    @property
    def unique(self) -> tuple[str, ...]:
        return self.names


@dataclass(frozen=True)
class WithScalar(Query):
    """Every row with one aggregate over the rows of another query that agree with it: a correlated scalar subquery."""

    child: Query
    other: Query
    aggregate: Agg
    agreeing: tuple[tuple[str, Literal["=", "<"], str], ...]

    @property
    def inputs(self) -> tuple[Query, ...]:
        return self.child, self.other

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.child.columns, self.aggregate.column)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return () if self.aggregate.argument is None else (self.aggregate.argument,)

    @property
    def unique(self) -> tuple[str, ...] | None:
        return self.child.unique


@dataclass(frozen=True)
class Windowed(Query):
    """Every row with values computed from the rows around it."""

    child: Query
    functions: tuple[WindowFunction, ...]

    @property
    def inputs(self) -> tuple[Query, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.child.columns, *(one.column for one in self.functions))

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return tuple(one.argument for one in self.functions if one.argument is not None)

    @property
    def unique(self) -> tuple[str, ...] | None:
        return self.child.unique


@dataclass(frozen=True)
class Sort(Query):
    """Orders rows and, if a limit is given, keeps the first ones; the keys then tell all rows apart."""

    child: Query
    keys: tuple[OrderKey, ...]
    limit: int | None = None

    @property
    def inputs(self) -> tuple[Query, ...]:
        return (self.child,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.child.columns

    @property
    def unique(self) -> tuple[str, ...] | None:
        return self.child.unique


def tables_of(query: Query) -> tuple[str, ...]:
    """Names of the base tables a query reads, each once."""
    return tuple(dict.fromkeys(step.table for step in query.walk() if isinstance(step, Scan)))
