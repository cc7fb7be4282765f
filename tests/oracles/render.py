"""A query tree as SQL text: steps share one SELECT where SQL's own order allows, the rest become subqueries or CTEs."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import singledispatchmethod
from itertools import count
from typing import Literal, TypeAlias

from tests.oracles.queries import (
    Agg,
    Aggregate,
    Distinct,
    Filter,
    InQuery,
    Join,
    JoinKind,
    OrderKey,
    Project,
    Query,
    Rollup,
    Scan,
    SetOperation,
    Sort,
    Stored,
    UnionAll,
    Windowed,
    WindowFunction,
    WithScalar,
)

Style: TypeAlias = Literal["nested", "cte"]

JOINS: dict[JoinKind, str] = {
    "inner": "join",
    "left": "left join",
    "right": "right join",
    "full": "full join",
    "semi": "semi join",
    "anti": "anti join",
}

PLACES = ("row_number", "rank", "dense_rank", "ntile", "lag", "lead")

FROM, WHERE, GROUP, HAVING, SELECT, DISTINCT, ORDER, WHOLE = range(8)


@dataclass(frozen=True)
class Block:
    """One SELECT under construction; `stage` is the last of its clauses already taken."""

    source: str
    names: dict[str, str]
    stage: int = FROM
    joined: bool = False
    where: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    having: str = ""
    distinct: bool = False
    order: str = ""

    def text(self, *more: str) -> str:
        """The statement, with further columns after its own if asked."""
        if self.stage == WHOLE:
            return self.source
        items = ", ".join([f"{sql} as {name}" for name, sql in self.names.items()] + list(more))
        parts = [f"select {'distinct ' * self.distinct}{items} from {self.source}"]
        if self.where:
            parts.append("where " + " and ".join(self.where))
        if self.group:
            parts.append("group by " + ", ".join(self.group))
        if self.having:
            parts.append(f"having {self.having}")
        return " ".join([*parts, self.order]).strip()


@dataclass
class Renderer:
    """Writes one query; subqueries are numbered, and collected if they are to become CTEs."""

    style: Style
    numbers: Iterator[int] = field(default_factory=count)
    ctes: list[tuple[str, str]] = field(default_factory=list)

    def statement(self, query: Query) -> str:
        text = self.block(query).text()
        if not self.ctes:
            return text
        return "with " + ", ".join(f"{name} as ({body})" for name, body in self.ctes) + " " + text

    @singledispatchmethod
    def block(self, query: Query) -> Block:
        raise TypeError(query)

    @block.register
    def _scan(self, query: Scan) -> Block:
        return Block(
            f"{query.table} as {query.alias}",
            {f"{query.alias}_{column.name}": f"{query.alias}.{column.name}" for column in query.stored},
        )

    @block.register
    def _stored(self, query: Stored) -> Block:
        if query.inline and query.name not in dict(self.ctes):
            self.ctes.append((query.name, self.block(query.child).text()))
        names = {f"{query.alias}_{name}": f"{query.alias}.{name}" for name in query.child.names}
        return Block(f"{query.name} as {query.alias}", names)

    @block.register
    def _project(self, query: Project) -> Block:
        block = self.ready(query.child, SELECT)
        if block.stage >= GROUP and not block.group and not any(item.expr.columns() for item in query.items):
            block = self.wrapped(block)  # constants alone would not show that the rows were gathered into one
        return replace(block, names={item.name: item.expr.sql(block.names) for item in query.items}, stage=SELECT)

    @block.register
    def _filter(self, query: Filter) -> Block:
        if isinstance(query.child, Aggregate):
            block = self.block(query.child)
            return replace(block, having=query.condition.sql(block.names), stage=HAVING)
        block = self.ready(query.child, GROUP)
        return replace(block, where=(*block.where, query.condition.sql(block.names)), stage=WHERE)

    @block.register
    def _join(self, query: Join) -> Block:
        if query.as_exists:
            return self._exists(query)
        left, right = self.ready(query.left, WHERE), self.ready(query.right, WHERE)
        if right.joined:
            right = self.wrapped(right)
        names = left.names | right.names
        source = f"{left.source} {JOINS[query.kind]} {right.source} on {query.condition.sql(names)}"
        return Block(source, names if query.shows_right else left.names, joined=True)

    def _exists(self, query: Join) -> Block:
        left, right = self.ready(query.left, GROUP), self.wrapped(self.block(query.right))
        test = f"exists (select 1 from {right.source} where {query.condition.sql(left.names | right.names)})"
        where = (*left.where, "not " * (query.kind == "anti") + test)
        return replace(left, where=where, stage=WHERE)

    @block.register
    def _in_query(self, query: InQuery) -> Block:
        block, other = self.ready(query.child, GROUP), self.wrapped(self.block(query.other))
        names = block.names | other.names
        agree = " and ".join(f"{names[here]} = {names[there]}" for here, there in query.agreeing)
        inner = f"select {names[query.column]} from {other.source}" + (f" where {agree}" if agree else "")
        test = f"{query.operand.sql(block.names)} {'not ' * query.negated}in ({inner})"
        return replace(block, where=(*block.where, test), stage=WHERE)

    @block.register
    def _aggregate(self, query: Aggregate) -> Block:
        block = self.ready(query.child, GROUP)
        keys = {key.name: key.expr.sql(block.names) for key in query.keys}
        names = keys | {agg.name: aggregate_sql(agg, block.names) for agg in query.aggregates}
        return replace(block, names=names, group=tuple(keys.values()), stage=GROUP)

    @block.register
    def _rollup(self, query: Rollup) -> Block:
        block = self._aggregate(query)
        fixed, rolled = block.group[: query.fixed], block.group[query.fixed :]
        return replace(block, group=(*fixed, f"rollup({', '.join(rolled)})"))

    @block.register
    def _union_all(self, query: UnionAll) -> Block:
        sides = [f"({self.block(side).text()})" for side in query.inputs]
        return Block(" union all ".join(sides), {name: name for name in query.names}, stage=WHOLE)

    @block.register
    def _set_operation(self, query: SetOperation) -> Block:
        sides = [f"({self.block(side).text()})" for side in query.inputs]
        return Block(f" {query.kind} ".join(sides), {name: name for name in query.names}, stage=WHOLE)

    @block.register
    def _distinct(self, query: Distinct) -> Block:
        return replace(self.ready(query.child, DISTINCT), distinct=True, stage=DISTINCT)

    @block.register
    def _with_scalar(self, query: WithScalar) -> Block:
        block, other = self.wrapped(self.block(query.child)), self.wrapped(self.block(query.other))
        names = block.names | other.names
        agree = " and ".join(f"{names[here]} {op} {names[there]}" for here, op, there in query.agreeing)
        where = f" where {agree}" if agree else ""
        scalar = f"(select {aggregate_sql(query.aggregate, names)} from {other.source}{where})"
        return replace(block, names=block.names | {query.aggregate.name: scalar}, stage=SELECT)

    @block.register
    def _windowed(self, query: Windowed) -> Block:
        block = self.ready(query.child, GROUP)
        made = {one.name: f"{window_call(one, block.names)} {window_sql(one, block.names)}" for one in query.functions}
        return replace(block, names=block.names | made, stage=SELECT)

    @block.register
    def _sort(self, query: Sort) -> Block:
        block = self.ready(query.child, ORDER)
        return replace(block, order=order_sql(query.keys, query.limit), stage=ORDER)

    def ready(self, query: Query, stage: int) -> Block:
        """The block of a query, as a subquery if it has already come to `stage`."""
        block = self.block(query)
        return self.wrapped(block) if block.stage >= stage else block

    def wrapped(self, block: Block) -> Block:
        name = f"q{next(self.numbers)}"
        if self.style == "cte":
            self.ctes.append((name, block.text()))
            source = name
        else:
            source = f"({block.text()}) as {name}"
        return Block(source, {column: f"{name}.{column}" for column in block.names})


def aggregate_sql(agg: Agg, names: dict[str, str]) -> str:
    """The call, with its FILTER clause."""
    over = "" if agg.where is None else f" filter (where {agg.where.sql(names)})"
    if agg.argument is None:
        return f"count(*){over}"
    if agg.function in ("count distinct", "sum distinct"):
        return f"{agg.function[:-9]}(distinct {agg.argument.sql(names)}){over}"
    return f"{agg.function}({agg.argument.sql(names)}){over}"


def window_call(one: WindowFunction, names: dict[str, str]) -> str:
    """The function without its window."""
    if one.function == "ntile":
        return "ntile(2)"
    if one.function in ("lag", "lead") and one.argument is not None:
        return f"{one.function}({one.argument.sql(names)}, {one.offset})"
    if one.function == "count(*)":
        return one.function
    return f"{one.function}({'' if one.argument is None else one.argument.sql(names)})"


def window_sql(one: WindowFunction, names: dict[str, str], frame: str | None = None) -> str:
    """The OVER clause; functions that go by places alone have no frame."""
    parts = []
    if one.partition:
        parts.append("partition by " + ", ".join(names[name] for name in one.partition))
    if one.order:
        parts.append(order_sql(tuple(replace(key, column=names[key.column]) for key in one.order), None))
    if frame is not None:
        parts.append(frame)
    elif one.order and one.function not in PLACES:
        parts.append(f"{one.kind} between {_bound(one.low, 'preceding')} and {_bound(one.high, 'following')}")
    return f"over ({' '.join(parts)})"


def _bound(bound: int | None, end: str) -> str:
    if bound is None:
        return f"unbounded {end}"
    if bound == 0:
        return "current row"
    return f"{abs(bound)} {'preceding' if bound < 0 else 'following'}"


def order_sql(keys: tuple[OrderKey, ...], limit: int | None) -> str:
    terms = [
        f"{key.column} {'desc' if key.descending else 'asc'} nulls {'first' if key.nulls_first else 'last'}"
        for key in keys
    ]
    return f"order by {', '.join(terms)}" + ("" if limit is None else f" limit {limit}")


def to_sql(query: Query, style: Style = "nested") -> str:
    """The query as one statement that Spark and DuckDB read alike."""
    return Renderer(style).statement(query)
