"""Many small cases as one: every table gets a case column and every step keeps the cases apart."""

from dataclasses import dataclass, replace
from functools import singledispatch

from tests.oracles.expressions import And, Binary, Coalesce, Col
from tests.oracles.queries import (
    Aggregate,
    Column,
    Distinct,
    Filter,
    InQuery,
    Item,
    Join,
    Project,
    Query,
    Rollup,
    Scan,
    SetOperation,
    Sort,
    Stored,
    UnionAll,
    Windowed,
    WithScalar,
)

CASE = "cs"


@dataclass(frozen=True)
class Cased:
    """A query whose rows carry their case; `spare` are case columns of right join sides, which say nothing new."""

    query: Query
    case: str
    spare: frozenset[str] = frozenset()

    def tidy(self) -> Query:
        """Without the spare columns, which would tell equal rows apart or make branches of a union unlike."""
        if not self.spare:
            return self.query
        kept = (column for column in self.query.columns if column.name not in self.spare)
        return Project(self.query, tuple(Item(column.name, Col(column.name), column.type) for column in kept))


def with_cases(query: Query) -> Query:
    """The query over tables with a case column; one row over everything becomes one row per case."""
    return _cased(query).query


def case_column(query: Query) -> str:
    """The column of `with_cases(query)` that says which case a row belongs to."""
    return _cased(query).case


@singledispatch
def _cased(query: Query) -> Cased:
    raise TypeError(query)


@_cased.register
def _scan(query: Scan) -> Cased:
    return Cased(replace(query, stored=(Column(CASE, "int"), *query.stored)), f"{query.alias}_{CASE}")


@_cased.register
def _stored(query: Stored) -> Cased:
    below = _cased(query.child)
    spare = frozenset(f"{query.alias}_{name}" for name in below.spare)
    return Cased(replace(query, child=below.query), f"{query.alias}_{below.case}", spare)


@_cased.register
def _project(query: Project) -> Cased:
    below = _cased(query.child)
    return Cased(Project(below.query, (Item(below.case, Col(below.case), "int"), *query.items)), below.case)


@_cased.register
def _filter(query: Filter) -> Cased:
    below = _cased(query.child)
    return replace(below, query=Filter(below.query, query.condition))


@_cased.register
def _join(query: Join) -> Cased:
    left, right = _cased(query.left), _cased(query.right)
    condition = And(Binary("=", Col(left.case), Col(right.case)), query.condition)
    joined = replace(query, left=left.query, right=right.query, condition=condition)
    if not joined.shows_right:
        return replace(left, query=joined)
    if query.kind == "full":
        return _either(joined, left, right)
    case, other = (right.case, left.case) if query.kind == "right" else (left.case, right.case)
    return Cased(joined, case, left.spare | right.spare | {other})


def _either(joined: Join, left: Cased, right: Cased) -> Cased:
    """Either side of a full join may be padded, so the case is what one of them knows."""
    cases = {left.case, right.case, *left.spare, *right.spare}
    rest = tuple(Item(one.name, Col(one.name), one.type) for one in joined.columns if one.name not in cases)
    case = Item(left.case, Coalesce((Col(left.case), Col(right.case))), "int")
    return Cased(Project(joined, (case, *rest)), left.case)


@_cased.register
def _in_query(query: InQuery) -> Cased:
    below, other = _cased(query.child), _cased(query.other)
    agreeing = (*query.agreeing, (below.case, other.case))
    return replace(below, query=replace(query, child=below.query, other=other.query, agreeing=agreeing))


@_cased.register
def _aggregate(query: Aggregate) -> Cased:
    below = _cased(query.child)
    key = Item(below.case, Col(below.case), "int")
    return Cased(Aggregate(below.query, (key, *query.keys), query.aggregates), below.case)


@_cased.register
def _rollup(query: Rollup) -> Cased:
    grouped = _aggregate(query)
    assert isinstance(grouped.query, Aggregate)
    rolled = Rollup(grouped.query.child, grouped.query.keys, query.aggregates, fixed=1)
    return replace(grouped, query=rolled)


@_cased.register
def _union_all(query: UnionAll) -> Cased:
    left, right = _cased(query.left), _cased(query.right)
    return Cased(UnionAll(_case_first(left), _case_first(right)), left.case)


@_cased.register
def _set_operation(query: SetOperation) -> Cased:
    left, right = _cased(query.left), _cased(query.right)
    return Cased(SetOperation(query.kind, _case_first(left), _case_first(right)), left.case)


def _case_first(side: Cased) -> Query:
    """Unions go by position, so both sides show their case in the same place."""
    query = side.tidy()
    if query.names[0] == side.case:
        return query
    items = [Item(column.name, Col(column.name), column.type) for column in query.columns]
    items.sort(key=lambda item: item.name != side.case)
    return Project(query, tuple(items))


@_cased.register
def _distinct(query: Distinct) -> Cased:
    below = _cased(query.child)
    return Cased(Distinct(below.tidy()), below.case)


@_cased.register
def _with_scalar(query: WithScalar) -> Cased:
    below, other = _cased(query.child), _cased(query.other)
    agreeing = ((below.case, "=", other.case), *query.agreeing)
    return replace(below, query=replace(query, child=below.query, other=other.query, agreeing=agreeing))


@_cased.register
def _windowed(query: Windowed) -> Cased:
    below = _cased(query.child)
    functions = (replace(one, partition=(below.case, *one.partition)) for one in query.functions)
    return replace(below, query=Windowed(below.query, tuple(functions)))


@_cased.register
def _sort(query: Sort) -> Cased:
    below = _cased(query.child)
    return replace(below, query=Sort(below.query, query.keys, query.limit))
