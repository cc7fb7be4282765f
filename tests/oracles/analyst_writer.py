"""Writes one query as text: relations with typed columns, names that are never used twice, and what was written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal

from tests.oracles.analyst_tables import SCHEMAS

Suffices = Literal["contribution", "influence", "nothing"]
"""With which rows of the sources alone a query must give a row again."""

TYPES = ("int", "double", "string", "date")

NOT_NESTED = frozenset({"nested recursion", "TABLESAMPLE (percent)"})
"""What takes seconds, as each round is a job of Spark, or draws rows by lot: it stands on top, or below one other."""

CONSTANTS = {"int": "1", "double": "0.5e0", "string": "'a'", "date": "date '2024-01-03'"}


@dataclass(frozen=True)
class Relation:
    """What may stand after FROM, and its columns with their types."""

    source: str
    columns: Mapping[str, str]

    def scalars(self) -> list[str]:
        return [name for name, kind in self.columns.items() if kind in TYPES]


@dataclass(frozen=True)
class Construct:
    """One thing analysts write: how to write it over random inputs, and what it means for the checks.

    `groups`: a row more in its input can change a row of its result. `spreads`: a row of its input can be behind
    several rows of its result. `everywhere`: the text means the same in DuckDB.
    """

    write: Callable[[Writer, int], Relation]
    groups: bool = False
    spreads: bool = False
    everywhere: bool = False
    suffices: Suffices = "contribution"


@dataclass
class Writer:
    """The state of one query while it is written."""

    dice: Random
    constructs: Mapping[str, Construct]
    used: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    """Every table, as often as it is read."""
    statements: list[str] = field(default_factory=list)
    """What a session has to run before: functions and views."""
    arguments: dict[str, object] = field(default_factory=dict)
    names: int = 0
    excluded: frozenset[str] = NOT_NESTED

    def name(self) -> str:
        self.names += 1
        return f"c{self.names}"

    def relation(self, depth: int) -> Relation:
        """A random input: one of the constructs over others, or a table."""
        if depth <= 0:
            return self.table()
        return self.write(self.dice.choice([name for name in self.constructs if name not in self.excluded]), depth)

    @contextmanager
    def without(self, *constructs: str) -> Iterator[None]:
        """Write no such constructs meanwhile."""
        before, self.excluded = self.excluded, self.excluded | set(constructs)
        yield
        self.excluded = before

    def write(self, construct: str, depth: int) -> Relation:
        self.used.append(construct)
        return self.constructs[construct].write(self, depth)

    def table(self, name: str | None = None) -> Relation:
        name = name or self.dice.choice(["orders", "orders", "shops", "shops", "weather", "edges"])
        self.reads.append(name)
        return Relation(name, SCHEMAS[name])

    def read_again(self, before: int) -> None:
        """Note that everything read since then is read once more."""
        self.reads += self.reads[before:]

    def column(self, relation: Relation, kind: str, alias: str) -> str:
        """A column of that type, or a constant."""
        fitting = [name for name, each in relation.columns.items() if each == kind and name != "doc"]
        return f"{alias}.{self.dice.choice(fitting)}" if fitting else CONSTANTS[kind]

    def type_of(self, relation: Relation) -> str:
        """The type of some column that can be compared."""
        return self.dice.choice([relation.columns[name] for name in relation.scalars()] or ["int"])

    def value(self, relation: Relation, kind: str, alias: str) -> str:
        """An expression of that type; doubles stay exact."""
        forms = {
            "int": ["{0}", "{0} + 1", "coalesce({0}, -1)", "case when {0} > 1 then {0} else 0 end", "length({1})"],
            "double": ["{0}", "{0} * 2", "coalesce({0}, 0.5e0)", "case when {1} = 'a' then {0} end"],
            "string": ["{0}", "upper({0})", "{0} || 'z'", "coalesce({0}, 'none')"],
            "date": ["{0}", "coalesce({0}, date '2024-01-02')"],
        }
        shown = (self.column(relation, kind, alias), self.column(relation, "string", alias))
        return self.dice.choice(forms[kind]).format(*shown)

    def condition(self, relation: Relation, alias: str) -> str:
        kind = self.type_of(relation)
        column = self.column(relation, kind, alias)
        forms = {
            "int": ["{0} > 0", "{0} is null", "{0} in (0, 2)", "not ({0} = 1)"],
            "double": ["{0} <= 1", "{0} is not null"],
            "string": ["{0} = 'a'", "{0} like '%b%'", "{0} is null or {0} < 'b'"],
            "date": ["{0} >= date '2024-01-03'", "{0} is null"],
        }
        one = self.dice.choice(forms[kind]).format(column)
        if self.dice.random() < 0.3:
            return f"({one}) {self.dice.choice(['and', 'or'])} ({self.condition(relation, alias)})"
        return one

    def select(self, values: Mapping[str, str], rest: str, head: str = "") -> Relation:
        """A SELECT of expressions with their types, under new names."""
        named = {self.name(): (value, kind) for value, kind in values.items()}
        listed = ", ".join(f"{value} as {name}" for name, (value, _) in named.items())
        columns = {name: kind for name, (_, kind) in named.items()}
        return Relation(f"({head}select {listed} {rest})", columns)


@dataclass(frozen=True)
class WrittenQuery:
    """A query as text, with all that has to be known to run and to check it."""

    text: str
    statements: tuple[str, ...]
    arguments: Mapping[str, object]
    used: Counter[str]
    tables: tuple[str, ...]
    suffices: Suffices
    everywhere: bool
    """DuckDB gives the same rows for the same text."""
    is_drawn: bool
    """Its rows are drawn by lot."""

    def replaced(self, text: str) -> WrittenQuery:
        """The same with another text."""
        return replace(self, text=text)

    def __str__(self) -> str:
        return ";\n".join((*self.statements, self.text)) + (f"\n{dict(self.arguments)}" if self.arguments else "")


def finish(writer: Writer, relation: Relation) -> WrittenQuery:
    """The query that a writer has written."""
    used = [writer.constructs[name] for name in writer.used]
    return WrittenQuery(
        text=relation.source[1:-1],
        statements=tuple(writer.statements),
        arguments=writer.arguments,
        used=Counter(writer.used),
        tables=tuple(dict.fromkeys(writer.reads)),
        suffices=_suffices(writer, used),
        everywhere=all(each.everywhere for each in used),
        is_drawn="TABLESAMPLE (percent)" in writer.used,
    )


def _suffices(writer: Writer, used: list[Construct]) -> Suffices:
    """Which rows must give a row again.

    Where a table is read twice, or a row is behind several rows of a step, half of another group can come back with the
    rows of one. It shows as soon as two steps look at more than one row each.
    """
    groups = sum(each.groups for each in used)
    is_read_twice = len(writer.reads) > len(set(writer.reads))
    if (groups and is_read_twice) or (groups > 1 and any(each.spreads for each in used)):
        return "nothing"
    if groups > 1 and any(each.suffices != "contribution" for each in used):
        return "nothing"
    order: list[Suffices] = ["contribution", "influence", "nothing"]
    return max((each.suffices for each in used), key=order.index, default="contribution")
