"""Random query trees over the two tables, nested several levels deep."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal

from tests.oracles.cases import SCHEMAS
from tests.oracles.expressions import And, Binary, Col, Expr, Type
from tests.oracles.queries import (
    Agg,
    Aggregate,
    AggregateName,
    Column,
    Distinct,
    Filter,
    InQuery,
    Item,
    Join,
    JoinKind,
    OrderKey,
    Project,
    Query,
    Scan,
    SetOperation,
    Sort,
    Stored,
    UnionAll,
    Windowed,
    WindowFunction,
    WithScalar,
)
from tests.oracles.random_expressions import Expressions

ALIASES = "abcdefghijklmnopqrstuvwxyz"
SET_OPERATIONS: tuple[Literal["intersect", "except"], ...] = ("intersect", "except")
FUNCTIONS: tuple[AggregateName, ...] = ("count(*)", "count", "sum", "sum", "min", "max", "avg", "count distinct")
NUMBERING = ("row_number", "rank", "dense_rank", "ntile")
BY_PEERS = ("sum", "count", "count(*)", "min", "max", "avg", "rank", "dense_rank")
PLACED = (*BY_PEERS, "row_number", "ntile", "lag", "lead", "first_value", "last_value")
Frames = tuple[tuple[int | None, int | None], ...]
FRAMES: Frames = ((None, 0), (-1, 0), (-1, 1), (0, None), (None, None), (-2, -1), (1, 2), (None, -1), (-3, -2))
VALUE_FRAMES: Frames = ((None, 0), (-1, 1), (-2, 0), (None, None))
WEIGHTS = {
    "project": 3,
    "filter": 4,
    "join": 4,
    "in_query": 1,
    "aggregate": 4,
    "union_all": 2,
    "distinct": 2,
    "sort": 1,
    "twice": 1,
    "windowed": 2,
    "with_scalar": 1,
}


@dataclass
class Queries:
    """Makes queries; names are numbered so that no two columns of a query share one."""

    rng: Random
    limits: bool = False
    scans: int = 3
    used: int = 0
    named: int = 0
    joins: tuple[JoinKind, ...] = ("inner", "inner", "left", "left", "right", "full", "semi", "anti")
    kept: str = "kept"
    pending: Query | None = None
    ops: dict[str, int] = field(default_factory=lambda: dict(WEIGHTS))

    def query(self, depth: int) -> Query:
        """A query of about this many levels."""
        if depth <= 0:
            return self.scan()
        if self.limits and self.rng.random() < 0.2:
            return self.limit(depth)
        name = self.rng.choices(list(self.ops), list(self.ops.values()))[0]
        make: Callable[[int], Query] = getattr(self, name)
        return make(depth)

    def fresh(self) -> "Queries":
        """The same maker, with all names free again."""
        return replace(self, used=0, named=0)

    def alias(self) -> str:
        self.used += 1
        return ALIASES[self.used - 1]

    def name(self) -> str:
        self.named += 1
        return f"c{self.named}"

    def scan(self) -> Query:
        """A table, or once the dataset that is waiting to be read."""
        if self.pending is not None:
            kept, self.pending = self.pending, None
            return kept
        table = self.rng.choice(list(SCHEMAS))
        return Scan(table, self.alias(), SCHEMAS[table])

    def expressions(self, query: Query) -> Expressions:
        return Expressions(self.rng, query.columns)

    def project(self, depth: int) -> Query:
        child = self.query(depth - 1)
        return self.shaped(child, self.rng.randint(1, 4))

    def shaped(self, child: Query, width: int) -> Project:
        """Some columns copied, some computed."""
        made = self.expressions(child)
        items = []
        for _ in range(width):
            if self.rng.random() < 0.5:
                column = self.rng.choice(child.columns)
                items.append(Item(self.name(), Col(column.name), column.type))
            else:
                kind: Type = self.rng.choice(("int", "int", "str", "bool"))
                items.append(Item(self.name(), made.of(kind, 2), kind))
        return Project(child, tuple(items))

    def filter(self, depth: int) -> Query:
        child = self.query(depth - 1)
        return Filter(child, self.expressions(child).condition(2))

    def join(self, depth: int) -> Query:
        if self.used + 1 >= self.scans + (depth > 2):
            return self.filter(depth)
        left, right = self.query(depth - 1), self.query(depth - 2)
        kind = self.rng.choice(self.joins)
        exists = kind in ("semi", "anti") and self.rng.random() < 0.5
        return Join(left, right, kind, self.join_condition(left, right), exists)

    def in_query(self, depth: int) -> Query:
        if self.used + 1 >= self.scans + (depth > 2):
            return self.filter(depth)
        child, other = self.query(depth - 1), self.query(depth - 2)
        fitting = [column for column in other.columns if column.type in ("int", "str")]
        if not fitting:
            return Filter(child, self.expressions(child).condition(1))
        column = self.rng.choice(fitting)
        operand = self.expressions(child).of(column.type, self.rng.randint(0, 1))
        return InQuery(child, operand, other, column.name, negated=self.rng.random() < 0.4)

    def join_condition(self, left: Query, right: Query) -> Expr:
        pairs = [(a, b) for a in left.columns for b in right.columns if a.type == b.type != "bool"]
        both = Expressions(self.rng, left.columns + right.columns)
        if not pairs or self.rng.random() < 0.1:
            return both.condition(1)
        one, other = self.rng.choice(pairs)
        condition: Expr = Binary(self.rng.choice(("=", "=", "=", "<")), Col(one.name), Col(other.name))
        return And(condition, both.condition(1)) if self.rng.random() < 0.4 else condition

    def aggregate(self, depth: int) -> Query:
        child = self.query(depth - 1)
        keys = tuple(self.key(child) for _ in range(self.rng.choice((0, 1, 1, 1, 2))))
        aggregates = tuple(self.agg(child, keys) for _ in range(self.rng.randint(1, 3)))
        grouped = Aggregate(child, keys, aggregates)
        if self.rng.random() < 0.3:
            return Filter(grouped, self.expressions(grouped).condition(1))
        return grouped

    def total(self, depth: int) -> Query:
        """One row over everything."""
        child = self.query(depth - 1)
        return Aggregate(child, (), tuple(self.agg(child) for _ in range(3)))

    def key(self, child: Query) -> Item:
        """A column, or an expression that reads one: a bare number after GROUP BY would be a position."""
        kind: Type = self.rng.choice(("int", "str"))
        expr = self.expressions(child).of(kind, 1)
        if self.rng.random() < 0.6 or not expr.columns():
            column = self.rng.choice(
                [column for column in child.columns if not column.name.endswith("id")] or child.columns
            )
            return Item(self.name(), Col(column.name), column.type)
        return Item(self.name(), expr, kind)

    def agg(self, child: Query, keys: tuple[Item, ...] = ()) -> Agg:
        """An aggregate, of something else than the group keys if possible."""
        function = self.rng.choice(FUNCTIONS)
        where = self.expressions(child).condition(1) if self.rng.random() < 0.15 else None
        if function == "count(*)":
            return Agg(self.name(), function, None, "int", where)
        kind: Type = "int" if function in ("sum", "avg") else self.rng.choice(("int", "int", "str"))
        results: dict[AggregateName, Type] = {"avg": "float", "min": kind, "max": kind}
        argument = self.expressions(child).other(kind, self.rng.randint(0, 1), [key.expr for key in keys])
        return Agg(self.name(), function, argument, results.get(function, "int"), where)

    def union_all(self, depth: int) -> Query:
        left, right = self.query(depth - 1), self.query(depth - 2)
        kinds: list[Type] = [self.rng.choice(("int", "int", "str")) for _ in range(self.rng.randint(1, 3))]
        sides = self.typed(left, kinds), self.typed(right, kinds)
        return UnionAll(*sides) if self.rng.random() < 0.6 else SetOperation(self.rng.choice(SET_OPERATIONS), *sides)

    def typed(self, child: Query, kinds: list[Type]) -> Project:
        made = self.expressions(child)
        return Project(child, tuple(Item(self.name(), made.of(kind, self.rng.randint(0, 1)), kind) for kind in kinds))

    def distinct(self, depth: int) -> Query:
        child = self.query(depth - 1)
        return Distinct(child if self.rng.random() < 0.3 else self.shaped(child, self.rng.randint(1, 2)))

    def sort(self, depth: int) -> Query:
        child = self.query(depth - 1)
        return Sort(child, tuple(self.order(column) for column in self.rng.sample(child.columns, 1)))

    def order(self, column: Column) -> OrderKey:
        return OrderKey(column.name, self.rng.random() < 0.5, self.rng.random() < 0.5)

    def limit(self, depth: int) -> Query:
        """The first rows in an order without ties; where no columns give one, a filter instead."""
        child = self.query(depth - 1)
        if not child.unique:
            return Filter(child, self.expressions(child).condition(1))
        before = self.rng.sample(child.columns, self.rng.randint(0, min(2, len(child.columns))))
        rest = [column for column in child.columns if column.name in child.unique and column not in before]
        return Sort(child, tuple(self.order(column) for column in (*before, *rest)), self.rng.randint(1, 4))

    def with_scalar(self, depth: int) -> Query:
        if self.used + 1 >= self.scans + (depth > 2):
            return self.filter(depth)
        child, other = self.query(depth - 1), self.query(depth - 2)
        pairs = [(a, b) for a in child.columns for b in other.columns if a.type == b.type != "bool"]
        chosen = self.rng.sample(pairs, min(len(pairs), self.rng.choice((1, 1, 2))))
        signs: tuple[Literal["=", "<"], ...] = ("=", "=", "=", "<")
        agreeing = tuple((a.name, self.rng.choice(signs), b.name) for a, b in chosen)
        return WithScalar(child, other, replace(self.agg(other), where=None), agreeing)

    def windowed(self, depth: int) -> Query:
        """Window functions over rows that none has touched yet."""
        ops, self.ops = self.ops, {name: weight for name, weight in self.ops.items() if name != "windowed"}
        child = self.query(depth - 1)
        self.ops = ops
        return Windowed(child, tuple(self.window_function(child) for _ in range(self.rng.randint(1, 3))))

    def over_windows(self, depth: int) -> Query:
        """Filters, joins and groups over window functions, some of which nothing shows in the end."""
        self.pending = self.windowed(1)
        return self.query(depth - 1)

    def window_function(self, child: Query) -> WindowFunction:
        """In an order without ties where places matter; where no columns give one, by peers."""
        partition = tuple(one.name for one in self.rng.sample(child.columns, self.rng.randint(0, 1)))
        names = self.rng.sample(PLACED if child.unique is not None else BY_PEERS, 1)
        function = names[0]
        kind: Literal["rows", "range"] = self.rng.choice(("rows", "range"))
        order = [self.order(column) for column in self.rng.sample(child.columns, self.rng.randint(0, 1))]
        total = [column for column in child.columns if column.name in (child.unique or ())]
        if kind == "rows" or function not in BY_PEERS:
            order += [self.order(column) for column in total if column.name not in {key.column for key in order}]
        low: int | None = None
        high: int | None = 0
        if not order or child.unique is None:
            kind, low, high = "range", None, 0 if order else None
        elif kind == "rows":
            low, high = self.rng.choice(FRAMES)
        elif function in BY_PEERS and [one.type for one in child.columns if one.name == order[0].column] == ["int"]:
            order, (low, high) = order[:1], self.rng.choice(VALUE_FRAMES)
        kinds: dict[str, Type] = {"avg": "float"}
        wanted: Type = "int" if function in ("sum", "avg") else self.rng.choice(("int", "int", "str"))
        argument: Expr | None = None
        result: Type = "int"
        if function not in (*NUMBERING, "count(*)"):
            argument = self.expressions(child).of(wanted, self.rng.randint(0, 1))
            result = kinds.get(function, "int" if function == "count" else wanted)
        if function in NUMBERING and not order:
            return self.window_function(child)
        offset = self.rng.choice((1, 1, 2))
        made = WindowFunction(self.name(), function, argument, result, partition, tuple(order), kind, low, high, offset)
        return made if order or function not in ("lag", "lead") else self.window_function(child)

    def twice(self, depth: int) -> Query:
        """One WITH clause joined to itself."""
        child, name = self.query(depth - 1), self.name()
        left, right = (Stored(name, self.alias(), child, inline=True) for _ in range(2))
        return Join(left, right, self.rng.choice(self.joins), self.join_condition(left, right))

    def two_steps(self, depth: int) -> Query:
        """A query over a dataset kept on the way."""
        self.pending = Stored(self.kept, self.alias(), self.query(depth))
        return self.query(1)
