"""Small random tables as analysts have them: numbers, text, days, arrays, maps, structs, JSON and variants, as SQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

Literal = str
"""A value as Spark's SQL writes it."""

SCHEMAS: dict[str, dict[str, str]] = {
    "orders": {
        "id": "int",
        "k": "int",
        "d": "date",
        "x": "double",
        "s": "string",
        "tags": "array<int>",
        "attrs": "map<string, int>",
        "spot": "struct<a: int, b: string>",
        "doc": "string",
        "v": "variant",
    },
    "shops": {"id": "int", "k": "int", "y": "int", "s": "string", "since": "date"},
    "weather": {"d": "date", "n": "int", "s": "string"},
    "edges": {"src": "int", "dst": "int"},
}

DOUBLES = ("-1.0", "0.0", "0.5", "1.25", "2.0")
"""Sums of these are exact in any order."""

WORDS = ("a", "b", "ab")


def _write_integer(dice: Random, top: int = 2) -> Literal:
    return str(dice.randint(0, top))


def _word(dice: Random) -> Literal:
    return f"'{dice.choice(WORDS)}'"


def _day(dice: Random) -> Literal:
    return f"date'2024-01-0{dice.randint(1, 6)}'"


def _maybe(dice: Random, value: str) -> str:
    return "null" if dice.random() < 0.2 else value


def _array(dice: Random) -> Literal:
    return f"array({', '.join(_maybe(dice, _write_integer(dice, 3)) for _ in range(dice.randint(1, 3)))})"


def _map(dice: Random) -> Literal:
    keys = dice.sample(["p", "q", "r"], dice.randint(1, 3))
    entries = [f"'{key}', {_maybe(dice, _write_integer(dice))}" for key in keys]
    return f"map({', '.join(entries)})"


def _struct(dice: Random) -> Literal:
    return f"named_struct('a', {_maybe(dice, _write_integer(dice))}, 'b', {_maybe(dice, _word(dice))})"


def _json(dice: Random) -> str:
    numbers = ", ".join(_write_integer(dice) for _ in range(dice.randint(0, 2)))
    return f'{{"a": {_maybe(dice, _write_integer(dice))}, "b": [{numbers}], "c": {{"d": "{dice.choice(WORDS)}"}}}}'


MAKERS: dict[str, Callable[[Random], Literal]] = {
    "int": _write_integer,
    "double": lambda dice: f"{dice.choice(DOUBLES)}D",
    "string": _word,
    "date": _day,
    "array<int>": _array,
    "map<string, int>": _map,
    "struct<a: int, b: string>": _struct,
    "variant": lambda dice: f"parse_json('{_json(dice)}')",
}


def random_literal(dice: Random, table: str, column: str) -> Literal:
    """A value that a cell of this column might hold."""
    if column == "doc":
        return f"'{_json(dice)}'"
    return MAKERS[SCHEMAS[table][column]](dice)


@dataclass(frozen=True)
class Cell:
    """One cell of a table that might hold something else."""

    table: str
    row: int
    column: str


@dataclass(frozen=True)
class Database:
    """Rows of literals by table."""

    rows: Mapping[str, list[tuple[Literal, ...]]]

    @classmethod
    def random(cls, dice: Random, sizes: tuple[int, int] = (3, 8)) -> Database:
        return cls({name: _random_rows(dice, name, dice.randint(*sizes)) for name in SCHEMAS})

    def query(self, table: str) -> str:
        """The rows as a query; `rid` is the position of a row."""
        columns = ", ".join(f"cast({name} as {kind}) as {name}" for name, kind in SCHEMAS[table].items())
        rows = ", ".join(f"({rid}, {', '.join(row)})" for rid, row in enumerate(self.rows[table]))
        return f"select rid, {columns} from values {rows} as v(rid, {', '.join(SCHEMAS[table])})"

    def random_cell(self, dice: Random, table: str, column: str) -> Cell:
        return Cell(table, dice.randrange(len(self.rows[table])), column)

    def other_values(self, dice: Random, cell: Cell, count: int) -> list[Literal]:
        """Some values the cell does not hold: NULL, others of its column and others of its kind."""
        place = list(SCHEMAS[cell.table]).index(cell.column)
        held = self.rows[cell.table][cell.row][place]
        present = {row[place] for row in self.rows[cell.table]}
        drawn = {random_literal(dice, cell.table, cell.column) for _ in range(3 * count)}
        others = sorted((present | drawn | {"null"}) - {held})
        return dice.sample(others, min(count, len(others)))


def _random_rows(dice: Random, table: str, size: int) -> list[tuple[Literal, ...]]:
    """Rows with NULLs everywhere but in `id`, which numbers them; some rows come twice."""
    rows = [
        tuple(
            str(number) if name == "id" else _maybe(dice, random_literal(dice, table, name)) for name in SCHEMAS[table]
        )
        for number in range(size)
    ]
    return [dice.choice(rows) if dice.random() < 0.15 else row for row in rows]
