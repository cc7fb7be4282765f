"""What a query means, by definition: its rows, who each row is, and which source rows and cells took part in it."""

import statistics
from collections.abc import Callable, Iterable, Sequence
from functools import reduce, singledispatch
from typing import Any, NamedTuple, TypeAlias

from tests.oracles.expressions import Binary, Col, Expr, Value, Values
from tests.oracles.queries import (
    Agg,
    Aggregate,
    Distinct,
    Filter,
    InQuery,
    Join,
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

SourceRow: TypeAlias = tuple[str, int]
SourceCell: TypeAlias = tuple[str, int, str]
Lineage: TypeAlias = frozenset[SourceRow]
Cells: TypeAlias = frozenset[SourceCell]
Key: TypeAlias = tuple[object, ...]

NOTHING: Cells = frozenset()
READ = "*"
"""Stands for the column of a row that a window read for a cell, whichever of its columns."""


class Row(NamedTuple):
    """One row: its values, its identity across worlds, its source rows, and per column its source cells."""

    values: Values
    key: Key
    lineage: Lineage
    cells: tuple[Cells, ...]


Tables: TypeAlias = dict[str, list[Row]]
Evaluator: TypeAlias = Callable[[Tables], list[Row]]
Test: TypeAlias = Callable[[Row], bool]


def source_rows(table: str, names: Sequence[str], rows: Iterable[tuple[int, Values]]) -> list[Row]:
    """The rows of a stored table, given with their ids, each its own source."""
    return [
        Row(values, (table, rid), frozenset({(table, rid)}), tuple(frozenset({(table, rid, name)}) for name in names))
        for rid, values in rows
    ]


def untraced_rows(table: str, width: int, rows: Iterable[tuple[int, Values]]) -> list[Row]:
    """The same without sources, for the many worlds in which only values and identities matter."""
    nowhere = (NOTHING,) * width
    return [Row(values, (table, rid), frozenset(), nowhere) for rid, values in rows]


def prepare(query: Query) -> Evaluator:
    """The function from tables to the rows of a query, bound once and run for many worlds."""
    evaluate = _evaluator(query)
    return lambda tables: [_with_shown_reads(row) for row in evaluate(tables)]


def _with_shown_reads(row: Row) -> Row:
    """Rows that windows read are sources of a row only if a cell of it shows what they read."""
    read = frozenset((table, rid) for cells in row.cells for table, rid, column in cells if column == READ)
    cells = tuple(frozenset(cell for cell in cells if cell[2] != READ) for cells in row.cells)
    return row._replace(lineage=row.lineage | read, cells=cells) if read else row


@singledispatch
def _evaluator(query: Query) -> Evaluator:
    raise TypeError(query)


@_evaluator.register
def _scan(query: Scan) -> Evaluator:
    return lambda tables: tables[query.table]


@_evaluator.register
def _stored(query: Stored) -> Evaluator:
    """A WITH clause is part of its query; a dataset kept on the way has its sources for good, as its own cells show."""
    return _evaluator(query.child) if query.inline else prepare(query.child)


@_evaluator.register
def _project(query: Project) -> Evaluator:
    child = _evaluator(query.child)
    values = [item.expr.bind(query.child.names) for item in query.items]
    reads = [_positions(item.expr, query.child.names) for item in query.items]

    def rows(tables: Tables) -> list[Row]:
        return [
            Row(tuple(value(row.values) for value in values), row.key, row.lineage, tuple(_read(row, r) for r in reads))
            for row in child(tables)
        ]

    return rows


@_evaluator.register
def _filter(query: Filter) -> Evaluator:
    child, condition = _evaluator(query.child), query.condition.bind(query.child.names)
    return lambda tables: [row for row in child(tables) if condition(row.values) is True]


@_evaluator.register
def _join(query: Join) -> Evaluator:
    left, right = _evaluator(query.left), _evaluator(query.right)
    condition = query.condition.bind(query.left.names + query.right.names)
    no_left, no_right = _padding(query.left), _padding(query.right)

    def rows(tables: Tables) -> list[Row]:
        lefts, rights = left(tables), right(tables)
        matches = [[other for other in rights if condition(one.values + other.values) is True] for one in lefts]
        if query.kind == "semi":
            return [_witnessed(one, found) for one, found in zip(lefts, matches, strict=True) if found]
        if query.kind == "anti":
            return [one for one, found in zip(lefts, matches, strict=True) if not found]
        pads = [no_right] if query.kind in ("left", "full") else []
        pairs = [_pair(one, other) for one, found in zip(lefts, matches, strict=True) for other in found or pads]
        if query.kind in ("right", "full"):
            met = {other.key for found in matches for other in found}
            pairs += [_pair(no_left, other) for other in rights if other.key not in met]
        return pairs

    return rows


@_evaluator.register
def _in_query(query: InQuery) -> Evaluator:
    child, other = _evaluator(query.child), _evaluator(query.other)
    names = query.child.names + query.other.names
    equal = Binary("=", query.operand, Col(query.column)).bind(names)
    agree = [Binary("=", Col(here), Col(there)).bind(names) for here, there in query.agreeing]

    def rows(tables: Tables) -> list[Row]:
        kept, others = [], other(tables)
        for row in child(tables):
            seen = [one for one in others if all(test(row.values + one.values) is True for test in agree)]
            found = [equal(row.values + one.values) for one in seen]
            if query.negated:
                kept += [row] if all(same is False for same in found) else []
            elif True in found:
                kept.append(_witnessed(row, [one for one, same in zip(seen, found, strict=True) if same]))
        return kept

    return rows


def _padding(query: Query) -> Row:
    return Row((None,) * len(query.names), (), frozenset(), (NOTHING,) * len(query.names))


def _witnessed(row: Row, matches: list[Row]) -> Row:
    return row._replace(lineage=row.lineage.union(*(match.lineage for match in matches)))


def _pair(left: Row, right: Row) -> Row:
    key = ("pair", left.key, right.key)
    return Row(left.values + right.values, key, left.lineage | right.lineage, left.cells + right.cells)


@_evaluator.register
def _aggregate(query: Aggregate) -> Evaluator:
    child, names = _evaluator(query.child), query.child.names
    keys = [key.expr.bind(names) for key in query.keys]
    key_reads = [_positions(key.expr, names) for key in query.keys]
    aggregates = [_bind_aggregate(agg, names) for agg in query.aggregates]
    reads = key_reads + [_positions(agg.argument, names) for agg in query.aggregates]
    tests = [_test(None, names)] * len(keys) + [_test(agg.where, names) for agg in query.aggregates]

    def rows(tables: Tables) -> list[Row]:
        groups: dict[Values, list[Row]] = {} if keys else {(): []}
        for row in child(tables):
            groups.setdefault(tuple(key(row.values) for key in keys), []).append(row)
        return [
            _merge(values + tuple(aggregate(members) for aggregate in aggregates), values, members, reads, tests)
            for values, members in groups.items()
        ]

    return rows


@_evaluator.register
def _rollup(query: Rollup) -> Evaluator:
    """The groups of each level; a key that is left out is NULL."""
    child, names, width = _evaluator(query.child), query.child.names, len(query.keys)
    keys = [key.expr.bind(names) for key in query.keys]
    aggregates = [_bind_aggregate(agg, names) for agg in query.aggregates]
    key_reads = [_positions(key.expr, names) for key in query.keys]
    agg_reads = [_positions(agg.argument, names) for agg in query.aggregates]
    tests = [_test(None, names)] * width + [_test(agg.where, names) for agg in query.aggregates]

    def rows(tables: Tables) -> list[Row]:
        given, found = child(tables), []
        for level in range(query.fixed, width + 1):
            groups: dict[Values, list[Row]] = {}
            for row in given:
                groups.setdefault(tuple(key(row.values) for key in keys[:level]), []).append(row)
            reads: list[list[int]] = [*key_reads[:level], *([] for _ in range(width - level)), *agg_reads]
            for key, members in groups.items():
                values = key + (None,) * (width - level) + tuple(aggregate(members) for aggregate in aggregates)
                found.append(_merge(values, (level, *key), members, reads, tests))
        return found

    return rows


def _merge(values: Values, key: Values, members: list[Row], reads: list[list[int]], tests: list[Test]) -> Row:
    lineage: Lineage = frozenset().union(*(row.lineage for row in members))
    cells = tuple(
        frozenset().union(*(_read(row, positions) if test(row) else _windows(row, positions) for row in members))
        for positions, test in zip(reads, tests, strict=True)
    )
    return Row(values, ("group", *key), lineage, cells)


def _test(where: Expr | None, names: tuple[str, ...]) -> Test:
    """What a FILTER clause lets through: it limits the cell, not the row."""
    if where is None:
        return lambda row: True
    condition = where.bind(names)
    return lambda row: condition(row.values) is True


@_evaluator.register
def _union_all(query: UnionAll) -> Evaluator:
    left, right = _evaluator(query.left), _evaluator(query.right)
    return lambda tables: [
        row._replace(key=("branch", branch, row.key))
        for branch, side in enumerate((left, right))
        for row in side(tables)
    ]


@_evaluator.register
def _distinct(query: Distinct) -> Evaluator:
    child = _evaluator(query.child)
    return lambda tables: [_one_of(equal) for equal in _alike(child(tables)).values()]


@_evaluator.register
def _set_operation(query: SetOperation) -> Evaluator:
    left, right = _evaluator(query.left), _evaluator(query.right)

    def rows(tables: Tables) -> list[Row]:
        lefts, rights = _alike(left(tables)), _alike(right(tables))
        if query.kind == "except":
            return [_one_of(equal) for values, equal in lefts.items() if values not in rights]
        return [_one_of(equal + rights[values]) for values, equal in lefts.items() if values in rights]

    return rows


def _alike(rows: list[Row]) -> dict[Values, list[Row]]:
    groups: dict[Values, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.values, []).append(row)
    return groups


def _one_of(equal: list[Row]) -> Row:
    """Equal rows as one, to which all of them contribute."""
    values, width = equal[0].values, range(len(equal[0].values))
    return _merge(values, values, equal, [[position] for position in width], [_test(None, ())] * len(width))


@_evaluator.register
def _with_scalar(query: WithScalar) -> Evaluator:
    child, other = _evaluator(query.child), _evaluator(query.other)
    names = query.child.names + query.other.names
    agree = [Binary(op, Col(here), Col(there)).bind(names) for here, op, there in query.agreeing]
    compute = _bind_aggregate(query.aggregate, query.other.names)
    positions = _positions(query.aggregate.argument, query.other.names)

    def rows(tables: Tables) -> list[Row]:
        found, others = [], other(tables)
        for row in child(tables):
            seen = [one for one in others if all(test(row.values + one.values) is True for test in agree)]
            cells = frozenset().union(*(_read(one, positions) for one in seen), *map(_as_read, seen))
            found.append(_widened(row, [(compute(seen), cells)]))
        return found

    return rows


@_evaluator.register
def _windowed(query: Windowed) -> Evaluator:
    child = _evaluator(query.child)
    functions = [window_reader(one, query.child.names) for one in query.functions]

    def rows(tables: Tables) -> list[Row]:
        given = child(tables)
        found = [function(given) for function in functions]
        return [_widened(row, [values[n] for values in found]) for n, row in enumerate(given)]

    return rows


def _widened(row: Row, more: list[tuple[Value, Cells]]) -> Row:
    values, cells = (tuple(part) for part in zip(*more, strict=True))
    return row._replace(values=row.values + values, cells=row.cells + cells)


def window_reader(one: WindowFunction, names: tuple[str, ...]) -> Callable[[list[Row]], list[tuple[Value, Cells]]]:
    """For each row the value of a window function, and the cells (and, as READ, the rows) it was read from."""
    argument = None if one.argument is None else one.argument.bind(names)
    positions = _positions(one.argument, names)
    keys = [names.index(name) for name in one.partition]

    def results(given: list[Row]) -> list[tuple[Value, Cells]]:
        found: dict[int, tuple[Value, Cells]] = {}
        partitions: dict[Values, list[int]] = {}
        for number, row in enumerate(given):
            partitions.setdefault(tuple(row.values[key] for key in keys), []).append(number)
        for members in partitions.values():
            numbered = [given[number]._replace(key=(number,)) for number in members]
            ordered = reduce(lambda rows, key: _ordered(rows, key, names), reversed(one.order), numbered)
            sort_values = [[row.values[names.index(key.column)] for key in one.order] for row in ordered]
            for place, row in enumerate(ordered):
                read, value = window_value(one, place, ordered, sort_values, argument)
                cells = frozenset().union(*(_read(other, positions) for other in read), *map(_as_read, read))
                found[int(str(row.key[0]))] = (value, cells)
        return [found[number] for number in range(len(given))]

    return results


def window_value(
    one: WindowFunction,
    place: int,
    ordered: list[Row],
    sort_values: list[list[Value]],
    argument: Callable[[Values], Value] | None,
) -> tuple[list[Row], Value]:
    """The rows that a function reads at one place of a partition, and its value there."""
    size, here = len(ordered), sort_values[place]
    lower = [n for n in range(size) if n < place and sort_values[n] != here]
    match one.function:
        case "row_number":
            return ordered[:place], place + 1
        case "rank":
            return [ordered[n] for n in lower], len(lower) + 1
        case "dense_rank":
            return [ordered[n] for n in lower], len({tuple(sort_values[n]) for n in lower}) + 1
        case "ntile":
            big, rest = divmod(size, 2)
            return ordered, 1 if place < big + rest else 2
        case "lag" | "lead":
            other = place - one.offset if one.function == "lag" else place + one.offset
            if not 0 <= other < size or argument is None:
                return [], None
            return [ordered[other]], argument(ordered[other].values)
    seen = [ordered[n] for n in range(size) if _in_frame(one, n, place, sort_values)]
    if one.function in ("first_value", "last_value") and argument is not None:
        chosen = seen[:1] if one.function == "first_value" else seen[-1:]
        return chosen, argument(chosen[0].values) if chosen else None
    if argument is None:
        return seen, len(seen)
    values = [value for row in seen if (value := argument(row.values)) is not None]
    return seen, FUNCTIONS[one.function](values)


def _in_frame(one: WindowFunction, other: int, place: int, sort_values: list[list[Value]]) -> bool:
    if one.kind == "rows":
        return (one.low is None or other >= place + one.low) and (one.high is None or other <= place + one.high)
    if one.low is None and one.high is None:
        return True
    if one.low is None and one.high == 0:  # up to the peers of the row
        return other <= place or sort_values[other] == sort_values[place]
    assert one.low is not None
    assert one.high is not None
    (here,), (there,) = sort_values[place], sort_values[other]
    if here is None or there is None:
        return here is there
    assert isinstance(here, int)
    assert isinstance(there, int)
    sign = -1 if one.order[0].descending else 1
    return one.low <= sign * (there - here) <= one.high


def _as_read(row: Row) -> Cells:
    return frozenset((table, rid, READ) for table, rid in row.lineage)


def _windows(row: Row, positions: list[int]) -> Cells:
    """A FILTER clause limits the cell, not the row: what windows read for the row stays."""
    return frozenset(cell for cell in _read(row, positions) if cell[2] == READ)


@_evaluator.register
def _sort(query: Sort) -> Evaluator:
    child = _evaluator(query.child)

    def rows(tables: Tables) -> list[Row]:
        ordered = reduce(lambda given, key: _ordered(given, key, query.names), reversed(query.keys), child(tables))
        return ordered if query.limit is None else ordered[: query.limit]

    return rows


def _ordered(rows: list[Row], key: OrderKey, names: tuple[str, ...]) -> list[Row]:
    """Stable, so sorting by the last key first gives the whole order."""
    position = names.index(key.column)
    nulls = [row for row in rows if row.values[position] is None]
    others = [row for row in rows if row.values[position] is not None]

    def value(row: Row) -> Any:  # noqa: ANN401 - values of one column have one type, which has an order
        return row.values[position]

    others.sort(key=value, reverse=key.descending)
    return nulls + others if key.nulls_first else others + nulls


def _positions(expr: Expr | None, names: tuple[str, ...]) -> list[int]:
    return [] if expr is None else sorted(names.index(name) for name in expr.columns())


def _read(row: Row, positions: list[int]) -> Cells:
    if len(positions) == 1:
        return row.cells[positions[0]]
    return frozenset().union(*(row.cells[position] for position in positions))


def _bind_aggregate(agg: Agg, names: tuple[str, ...]) -> Callable[[list[Row]], Value]:
    test = _test(agg.where, names)
    if agg.argument is None:
        return lambda members: sum(map(test, members))
    argument, compute = agg.argument.bind(names), FUNCTIONS[agg.function]

    def value(members: list[Row]) -> Value:
        return compute([found for row in members if test(row) and (found := argument(row.values)) is not None])

    return value


# The values of one column: all numbers, or all text.
FUNCTIONS: dict[str, Callable[[list[Any]], Value]] = {
    "count": len,
    "count distinct": lambda values: len(set(values)),
    "sum": lambda values: sum(values) if values else None,
    "min": lambda values: min(values, default=None),
    "max": lambda values: max(values, default=None),
    "avg": lambda values: sum(values) / len(values) if values else None,
    "sum distinct": lambda values: sum(set(values)) if values else None,
    "median": lambda values: float(statistics.median(values)) if values else None,
    "stddev_pop": lambda values: statistics.pstdev(values) if values else None,
    "stddev_samp": lambda values: statistics.stdev(values) if len(values) > 1 else None,
    "var_pop": lambda values: float(statistics.pvariance(values)) if values else None,
    "var_samp": lambda values: float(statistics.variance(values)) if len(values) > 1 else None,
}
