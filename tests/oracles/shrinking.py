"""Smaller failures: fewer steps, columns, rows and suspects, as long as the failure stays."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tests.oracles.cases import SCHEMAS, Case, Suspect
from tests.oracles.queries import Aggregate, Filter, Project, Query, Sort


@dataclass(frozen=True)
class Trial:
    """A query over one case."""

    query: Query
    case: Case


def shrink(trial: Trial, fails: Callable[[Trial], bool], attempts: int) -> Trial:
    """The smallest failing trial found by greedy steps; each attempt runs the query once."""
    progress = True
    while progress and attempts > 0:
        progress = False
        for smaller in _smaller(trial):
            attempts -= 1
            if attempts < 0:
                break
            if fails(smaller):
                trial, progress = smaller, True
                break
    return trial


def _smaller(trial: Trial) -> Iterator[Trial]:
    for query in _smaller_queries(trial.query):
        yield replace(trial, query=query)
    for case in _smaller_cases(trial.case):
        yield replace(trial, case=case)


def _smaller_queries(query: Query) -> Iterator[Query]:
    yield from query.inputs
    match query:
        case Filter(child, condition):
            for part in condition.parts():
                if type(part).__name__ not in ("Col", "Lit"):
                    yield Filter(child, part)
        case Project(child, items) if len(items) > 1:
            for item in items:
                yield Project(child, tuple(one for one in items if one != item))
        case Aggregate(child, keys, aggregates) if len(aggregates) > 1:
            for agg in aggregates:
                yield Aggregate(child, keys, tuple(one for one in aggregates if one != agg))
        case Sort(child, keys, None) if len(keys) > 1:
            yield Sort(child, keys[1:])


def _smaller_cases(case: Case) -> Iterator[Case]:
    for suspect in case.suspects:
        yield replace(case, suspects=tuple(one for one in case.suspects if one != suspect))
    for table in SCHEMAS:
        for row in reversed(range(len(case.tables[table]))):
            yield _without(case, table, row)


def _without(case: Case, table: str, row: int) -> Case:
    rows = case.tables[table]
    kept = (one for one in case.suspects if (one.table, one.row) != (table, row))
    moved = tuple(replace(one, row=one.row - 1) if _is_after(one, table, row) else one for one in kept)
    return Case(case.tables | {table: rows[:row] + rows[row + 1 :]}, moved)


def _is_after(suspect: Suspect, table: str, row: int) -> bool:
    return suspect.table == table and suspect.row > row
