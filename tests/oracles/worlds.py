"""What could be different: the query run in every world that the suspects allow, compared with the world as given."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from random import Random
from typing import Any, TypeAlias

from tests.oracles.batches import CASE
from tests.oracles.cases import Batch, Suspect
from tests.oracles.evaluate import Evaluator, Key, Row, Tables
from tests.oracles.expressions import Type, Value
from tests.oracles.queries import Query

FRESH: dict[Type, tuple[Value, ...]] = {"int": (-99, 99), "str": ("", "zz")}

Choice: TypeAlias = tuple[Value, ...]


@dataclass(frozen=True)
class Doubted:
    """A row of the world as given: which of its cells differ elsewhere, and whether it is absent somewhere."""

    row: Row
    cells: tuple[bool, ...]
    absent: bool


@dataclass(frozen=True)
class Doubts:
    """The rows of one case, whether some world has rows this one lacks, and how many worlds were tried."""

    rows: tuple[Doubted, ...]
    row_set: bool
    worlds: int


def doubts(query: Query, evaluate: Evaluator, batch: Batch, number: int, limit: int) -> Doubts:
    """Enumerate the worlds of one case of a batch."""
    given = {row.key: row for row in evaluate(batch.traced(number))}
    differs = {key: [False] * len(row.values) for key, row in given.items()}
    missing: set[Key] = set()
    new_rows, count = False, 0
    for world in worlds(batch, number, constants_of(query), limit):
        count += 1
        found = {row.key: row for row in evaluate(world)}
        new_rows = new_rows or not found.keys() <= given.keys()
        missing |= given.keys() - found.keys()
        for key in given.keys() & found.keys():
            if given[key].values != found[key].values:
                _note(differs[key], given[key], found[key])
    rows = tuple(Doubted(row, tuple(differs[key]), key in missing) for key, row in given.items())
    return Doubts(rows, new_rows, count)


def _note(differs: list[bool], given: Row, found: Row) -> None:
    for position, (before, after) in enumerate(zip(given.values, found.values, strict=True)):
        differs[position] = differs[position] or before != after


def worlds(batch: Batch, number: int, constants: frozenset[Value], limit: int) -> Iterator[Tables]:
    """All worlds, or where there are more than `limit`, every single change and a sample of the rest."""
    places = [_Place.of(batch, number, suspect, constants) for suspect in batch.suspects(number)]
    if prod(len(place.choices) for place in places) <= limit:
        picks: list[Choice] = list(product(*(place.choices for place in places)))
    else:
        stay, rng = tuple(place.current for place in places), Random(number)
        picks = [
            (*stay[:position], value, *stay[position + 1 :])
            for position, place in enumerate(places)
            for value in place.choices
        ]
        sample = range(max(0, limit - len(picks)))
        picks += [tuple(rng.choice(place.choices) for place in places) for _ in sample]
    tables = batch.untraced(number)
    for pick in picks:
        yield _changed(tables, places, pick)


@dataclass(frozen=True)
class _Place:
    """Where a world may differ, and the values that stand for all it could hold there."""

    table: str
    key: Key
    position: int | None
    current: Value
    choices: Choice

    @classmethod
    def of(cls, batch: Batch, number: int, suspect: Suspect, constants: frozenset[Value]) -> "_Place":
        key = (suspect.table, suspect.row)
        if suspect.column is None:
            return cls(suspect.table, key, None, True, (True, False))
        position = batch.names(suspect.table).index(suspect.column)
        current = batch.rows[suspect.table][suspect.row][position]
        kind = batch.columns(suspect.table)[position].type
        known = {current} | constants | _present(batch, number, kind)
        if suspect.range is None:
            return cls(suspect.table, key, position, current, _stand_ins(kind, known))
        choices = tuple(dict.fromkeys((current, *_between(suspect.range, known))))
        return cls(suspect.table, key, position, current, choices)


def _stand_ins(kind: Type, values: set[Value]) -> Choice:
    """Values a query could compare with, one below, one above, and NULL."""
    wanted = int if kind == "int" else str
    known: set[Any] = {value for value in values if type(value) is wanted} | set(FRESH[kind])
    return (*sorted(known), None)


def _between(ends: tuple[Value, Value], known: set[Value]) -> Choice:
    """The value that is there, and every whole number, or text that a query could tell from others, in a range."""
    low, high = ends
    current_type = type(low)
    others: set[Any] = {value for value in known if type(value) is current_type}
    others |= set(range(low, high + 1)) if isinstance(low, int) and isinstance(high, int) else {low, high}
    return tuple(sorted(value for value in others if low <= value <= high))


def _present(batch: Batch, number: int, kind: Type) -> set[Value]:
    """What the case holds in columns of this type."""
    return {
        value
        for table in batch.rows
        for _, row in batch.numbered(table, number)
        for column, value in zip(batch.columns(table), row, strict=True)
        if column.type == kind and column.name != CASE
    }


def _changed(tables: Tables, places: Sequence[_Place], pick: Choice) -> Tables:
    world = dict(tables)
    for place, choice in zip(places, pick, strict=True):
        rows = world[place.table]
        if place.position is None:
            world[place.table] = [row for row in rows if choice or row.key != place.key]
        else:
            world[place.table] = [_with(row, place.position, choice) if row.key == place.key else row for row in rows]
    return world


def _with(row: Row, position: int, value: Value) -> Row:
    return row._replace(values=(*row.values[:position], value, *row.values[position + 1 :]))


def constants_of(query: Query) -> frozenset[Value]:
    """Constants anywhere in a query."""
    return frozenset().union(*(expr.constants() for step in query.walk() for expr in step.expressions))
