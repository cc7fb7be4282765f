"""Random small tables with NULLs and duplicates, their suspect cells and rows, and many such cases as one batch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeAlias

from tests.oracles.batches import CASE
from tests.oracles.evaluate import Tables, source_rows, untraced_rows
from tests.oracles.expressions import SQL_TYPES, Value, Values
from tests.oracles.queries import Column

Schemas: TypeAlias = dict[str, tuple[Column, ...]]

SCHEMAS: Schemas = {
    "t": (Column("id", "int"), Column("k", "int"), Column("x", "int"), Column("s", "str")),
    "u": (Column("id", "int"), Column("k", "int"), Column("y", "int"), Column("s", "str")),
}
DOMAINS: dict[str, tuple[Value, ...]] = {
    "k": (0, 1, 2),
    "x": (-1, 0, 1, 2, 3),
    "y": (0, 1, 2, 5),
    "s": ("a", "b", "ab"),
}


@dataclass(frozen=True)
class Suspect:
    """A cell that could hold anything, or any value in a range; without a column, a row that could be absent."""

    table: str
    row: int
    column: str | None = None
    range: tuple[Value, Value] | None = None


@dataclass(frozen=True)
class Case:
    """One small database and what is doubtful in it; rows are numbered by position."""

    tables: dict[str, tuple[Values, ...]]
    suspects: tuple[Suspect, ...] = ()


@dataclass(frozen=True)
class Profile:
    """What random cases look like."""

    rows: tuple[int, int] = (0, 6)
    nulls: float = 0.2
    suspects: tuple[int, int] = (0, 0)
    suspect_columns: tuple[str, ...] = ("k", "x", "y", "s")
    suspect_rows: bool = True
    ranged: float = 0.0
    """The share of suspect cells of which a range is known."""


def random_case(rng: Random, profile: Profile) -> Case:
    tables = {name: _random_rows(rng, columns, profile) for name, columns in SCHEMAS.items()}
    wanted = rng.randint(*profile.suspects)
    places = list(_places(tables, profile))
    suspects = rng.sample(places, min(wanted, len(places)))
    if profile.ranged:
        suspects = [_with_range(rng, one) if rng.random() < profile.ranged else one for one in suspects]
    return Case(tables, tuple(suspects))


def _with_range(rng: Random, suspect: Suspect) -> Suspect:
    if suspect.column is None:
        return suspect
    values: list[Any] = list(DOMAINS[suspect.column])
    low, high = sorted(rng.choices(values, k=2))
    return replace(suspect, range=(low, high))


def _random_rows(rng: Random, columns: tuple[Column, ...], profile: Profile) -> tuple[Values, ...]:
    def value(name: str) -> Value:
        return None if rng.random() < profile.nulls else rng.choice(DOMAINS[name])

    size = rng.randint(*profile.rows)
    return tuple((number, *(value(column.name) for column in columns[1:])) for number in range(size))


def _places(tables: dict[str, tuple[Values, ...]], profile: Profile) -> Iterator[Suspect]:
    for name, rows in tables.items():
        for row in range(len(rows)):
            if profile.suspect_rows:
                yield Suspect(name, row)
            for column in SCHEMAS[name]:
                if column.name in profile.suspect_columns:
                    yield Suspect(name, row, column.name)


@dataclass(frozen=True)
class Batch:
    """Cases laid end to end, told apart by a case column unless there is one case only; rows are numbered through."""

    cases: tuple[Case, ...]
    cased: bool = True
    rows: dict[str, list[Values]] = field(init=False)
    starts: dict[str, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        rows: dict[str, list[Values]] = {name: [] for name in SCHEMAS}
        starts: dict[str, list[int]] = {name: [] for name in SCHEMAS}
        for number, case in enumerate(self.cases):
            for name, given in case.tables.items():
                starts[name].append(len(rows[name]))
                rows[name] += [(number, *values) if self.cased else values for values in given]
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "starts", starts)

    def columns(self, table: str) -> tuple[Column, ...]:
        return (Column(CASE, "int"), *SCHEMAS[table]) if self.cased else SCHEMAS[table]

    def names(self, table: str) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns(table))

    def suspects(self, number: int) -> list[Suspect]:
        """The suspects of one case, by row numbers of the batch."""
        return [replace(one, row=self.starts[one.table][number] + one.row) for one in self.cases[number].suspects]

    def numbered(self, name: str, number: int) -> list[tuple[int, Values]]:
        start, size = self.starts[name][number], len(self.cases[number].tables[name])
        return [(row, self.rows[name][row]) for row in range(start, start + size)]

    def traced(self, number: int) -> Tables:
        return {name: source_rows(name, self.names(name), self.numbered(name, number)) for name in SCHEMAS}

    def all_tables(self) -> Tables:
        return {name: source_rows(name, self.names(name), enumerate(rows)) for name, rows in self.rows.items()}

    def untraced(self, number: int) -> Tables:
        return {name: untraced_rows(name, len(self.names(name)), self.numbered(name, number)) for name in SCHEMAS}


def schema_sql(columns: Sequence[Column]) -> str:
    return ", ".join(f"{column.name} {SQL_TYPES[column.type]}" for column in columns)


def random_batch(rng: Random, profile: Profile, size: int) -> Batch:
    return Batch(tuple(random_case(rng, profile) for _ in range(size)))


def single(case: Case) -> Batch:
    """One case without a case column, for what only shows on a whole table: limits and rows over everything."""
    return Batch((case,), cased=False)
