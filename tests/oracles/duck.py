"""The same questions asked of DuckDB: rows by the same SQL, lineage by lists of row ids carried through plain SQL."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod
from itertools import count

import duckdb

from tests.oracles.cases import Schemas
from tests.oracles.expressions import SQL_TYPES, Values
from tests.oracles.queries import (
    Aggregate,
    Distinct,
    Filter,
    InQuery,
    Join,
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
from tests.oracles.render import Block, Renderer, aggregate_sql, order_sql, window_call, window_sql

LINEAGE = "from_rows"


def connect(schemas: Schemas, tables: Mapping[str, Sequence[Values]]) -> duckdb.DuckDBPyConnection:
    """A database in memory with these tables; rowid is the position of a row."""
    connection = duckdb.connect()
    for name, columns in schemas.items():
        connection.execute(f"create table {name} ({', '.join(f'{c.name} {SQL_TYPES[c.type]}' for c in columns)})")
        if tables[name]:
            rows = ", ".join([f"({', '.join('?' * len(columns))})"] * len(tables[name]))
            values = [value for row in tables[name] for value in row]
            connection.execute(f"insert into {name} values {rows}", values)
    return connection


def single_block_sql(query: Query) -> str:
    """A query of one SELECT, with the row ids of each source behind its columns."""
    block: Block = Renderer("nested").block(query)
    scans = [step for step in query.walk() if isinstance(step, Scan)]
    ids = [f"list({scan.alias}.rowid)" if block.group else f"[{scan.alias}.rowid]" for scan in scans]
    return block.text(*ids)


@dataclass
class Tracing:
    """Writes a query with one more column: the list of 'table:rowid' that took part in each row."""

    numbers: Iterator[int] = field(default_factory=count)

    def fresh(self) -> str:
        return f"n{next(self.numbers)}"

    @singledispatchmethod
    def sql(self, query: Query) -> str:
        raise TypeError(query)

    @sql.register
    def _scan(self, query: Scan) -> str:
        items = [f"{column.name} as {query.alias}_{column.name}" for column in query.stored]
        return f"select {', '.join(items)}, ['{query.table}:' || rowid] as {LINEAGE} from {query.table}"

    @sql.register
    def _stored(self, query: Stored) -> str:
        items = [f"{name} as {query.alias}_{name}" for name in query.child.names]
        return f"select {', '.join(items)}, {LINEAGE} from ({self.sql(query.child)}) as {self.fresh()}"

    @sql.register
    def _project(self, query: Project) -> str:
        names = {name: name for name in query.child.names}
        items = [f"{item.expr.sql(names)} as {item.name}" for item in query.items]
        return f"select {', '.join(items)}, {LINEAGE} from ({self.sql(query.child)}) as {self.fresh()}"

    @sql.register
    def _filter(self, query: Filter) -> str:
        condition = query.condition.sql({name: name for name in query.names})
        return f"select * from ({self.sql(query.child)}) as {self.fresh()} where {condition}"

    @sql.register
    def _join(self, query: Join) -> str:
        left, right = self.fresh(), self.fresh()
        condition = query.condition.sql({name: name for name in query.left.names + query.right.names})
        lefts, rights = f"({self.sql(query.left)}) as {left}", f"({self.sql(query.right)}) as {right}"
        names = ", ".join(query.names)
        if query.kind == "anti":
            return f"select {names}, {LINEAGE} from {lefts} where not exists (select 1 from {rights} where {condition})"
        if query.kind == "semi":
            met = f"select flatten(list({right}.{LINEAGE})) from {rights} where {condition}"
            kept = f"where exists (select 1 from {rights} where {condition})"
            return f"select {names}, list_concat({left}.{LINEAGE}, ({met})) as {LINEAGE} from {lefts} {kept}"
        both = f"list_concat(coalesce({left}.{LINEAGE}, []), coalesce({right}.{LINEAGE}, []))"
        return f"select {names}, {both} as {LINEAGE} from {lefts} {query.kind} join {rights} on {condition}"

    @sql.register
    def _in_query(self, query: InQuery) -> str:
        child, other = self.fresh(), self.fresh()
        names = {name: name for name in query.child.names + query.other.names}
        agree = "".join(f" and {here} = {there}" for here, there in query.agreeing)
        rows, others = f"({self.sql(query.child)}) as {child}", f"({self.sql(query.other)}) as {other}"
        same = f"{query.operand.sql(names)} = {query.column}"
        if query.negated:
            blocked = f"select 1 from {others} where ({same} or ({same}) is null){agree}"
            return f"select {child}.* from {rows} where not exists ({blocked})"
        met = f"select flatten(list({other}.{LINEAGE})) from {others} where {same}{agree}"
        shown = ", ".join(query.names)
        kept = f"where exists (select 1 from {others} where {same}{agree})"
        return f"select {shown}, list_concat({child}.{LINEAGE}, ({met})) as {LINEAGE} from {rows} {kept}"

    @sql.register
    def _aggregate(self, query: Aggregate) -> str:
        names = {name: name for name in query.child.names}
        keys = [key.expr.sql(names) for key in query.keys]
        items = [f"{sql} as {key.name}" for sql, key in zip(keys, query.keys, strict=True)]
        items += [f"{aggregate_sql(agg, names)} as {agg.name}" for agg in query.aggregates]
        group = f" group by {', '.join(keys)}" if keys else ""
        items.append(f"coalesce(flatten(list({LINEAGE})), []) as {LINEAGE}")
        return f"select {', '.join(items)} from ({self.sql(query.child)}) as {self.fresh()}{group}"

    @sql.register
    def _union_all(self, query: UnionAll) -> str:
        return f"({self.sql(query.left)}) union all ({self.sql(query.right)})"

    @sql.register
    def _set_operation(self, query: SetOperation) -> str:
        names, left, right = ", ".join(query.names), self.fresh(), self.fresh()
        renamed = ", ".join(f"{name} as {shown}" for name, shown in zip(query.right.names, query.names, strict=True))
        sides = (
            f"select {names}, {LINEAGE}, 1 as side from ({self.sql(query.left)}) as {left} union all "
            f"select {renamed}, {LINEAGE}, 2 as side from ({self.sql(query.right)}) as {right}"
        )
        wanted = "max(side) = 1" if query.kind == "except" else "count(distinct side) = 2"
        gathered = f"flatten(list({LINEAGE})) as {LINEAGE}"
        return f"select {names}, {gathered} from ({sides}) as {self.fresh()} group by {names} having {wanted}"

    @sql.register
    def _distinct(self, query: Distinct) -> str:
        columns = ", ".join(query.names)
        gathered = f"flatten(list({LINEAGE})) as {LINEAGE}"
        return f"select {columns}, {gathered} from ({self.sql(query.child)}) as {self.fresh()} group by {columns}"

    @sql.register
    def _with_scalar(self, query: WithScalar) -> str:
        child, other = self.fresh(), self.fresh()
        agree = " and ".join([f"{here} {op} {there}" for here, op, there in query.agreeing] or ["true"])
        others = f"from ({self.sql(query.other)}) as {other} where {agree}"
        value = aggregate_sql(query.aggregate, {name: name for name in query.other.names})
        met = f"coalesce((select flatten(list({other}.{LINEAGE})) {others}), [])"
        items = [*query.child.names, f"(select {value} {others}) as {query.aggregate.name}"]
        lineage = f"list_concat({child}.{LINEAGE}, {met}) as {LINEAGE}"
        return f"select {', '.join(items)}, {lineage} from ({self.sql(query.child)}) as {child}"

    @sql.register
    def _windowed(self, query: Windowed) -> str:
        """Only where nothing above drops a window's column: what it read is taken to be shown."""
        names = {name: name for name in query.child.names}
        items = [f"{window_call(one, names)} {window_sql(one, names)} as {one.name}" for one in query.functions]
        read = [f"coalesce({_window_lineage(one, names)}, [])" for one in query.functions]
        lineage = f"flatten([{', '.join([LINEAGE, *read])}]) as {LINEAGE}"
        below = self.sql(query.child)
        return f"select {', '.join([*names, *items])}, {lineage} from ({below}) as {self.fresh()}"

    @sql.register
    def _sort(self, query: Sort) -> str:
        return f"select * from ({self.sql(query.child)}) as {self.fresh()} {order_sql(query.keys, query.limit)}"


def _window_lineage(one: WindowFunction, names: dict[str, str]) -> str:
    """The lists of the rows that a window function reads, by the same window where that says it."""
    before = "between unbounded preceding and 1 preceding"
    lower = "range between unbounded preceding and current row exclude group"
    everything = "rows between unbounded preceding and unbounded following"
    match one.function:
        case "row_number":
            return f"flatten(list({LINEAGE}) {window_sql(one, names, f'rows {before}')})"
        case "rank" | "dense_rank":
            return f"flatten(list({LINEAGE}) {window_sql(one, names, lower)})"
        case "ntile":
            return f"flatten(list({LINEAGE}) {window_sql(one, names, everything)})"
        case "lag" | "lead":
            return f"{one.function}({LINEAGE}, {one.offset}) {window_sql(one, names)}"
        case "first_value" | "last_value":
            return f"{one.function}({LINEAGE}) {window_sql(one, names)}"
    return f"flatten(list({LINEAGE}) {window_sql(one, names)})"
