"""A spreadsheet in plain Python: dictionaries and definitions, slow, and without a line of the engine's code.

It says for every cell what it holds, whether it is in doubt, and which cells of the data stand behind it.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Formula = tuple[Any, ...]
"""("num", 2) ("text", "x") ("ref", column, rows down) ("abs", column, row id) ("bin", op, a, b) ("if", c, a, b)
("all", function, column) ("range", function, column, from, to) ("countif", column, criterion) ("call", name, a...)
("was", column): the data of the same row. ("copied", column, row id): the data of a row that was copied from."""
Content = tuple[Any, ...]
"""What was put into a cell: its kind, and a value, a formula or a row."""
Place = tuple[object, str]


AREAS = ("all", "range", "countif")


@dataclass(frozen=True)
class Bad:
    """An error, by its code."""

    code: str


@dataclass
class Model:
    """Rows and columns are ids; `cells` holds what was put over the data."""

    data: dict[int, dict[str, Any]]
    doubt: set[tuple[int, str]] = field(default_factory=set)
    columns: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    text_columns: set[str] = field(default_factory=set)
    rows: list[object] = field(default_factory=list)
    cells: dict[tuple[object, str], Content] = field(default_factory=dict)
    decided: dict[tuple[object, str], bool] = field(default_factory=dict)
    row_doubt: set[object] = field(default_factory=set)
    row_set: bool = False
    loose_order: bool = False
    """Rows may be absent, or stand elsewhere."""
    doubtful_order: bool = False
    """Values in doubt have put the rows in their order, or have chosen them."""

    def copy(self) -> Model:
        return copy.deepcopy(self)

    # values

    def value(self, row: object, column: str) -> object:
        return self.values()[row, column]

    def values(self) -> dict[tuple[object, str], object]:
        """Every cell; a cell that can reach itself by references is a cycle."""
        known: dict[tuple[object, str], object] = {}
        refs = {place: self.refs(place) for place in self.places() if self.content(*place)[0] == "formula"}
        in_cycle = {place for place in refs if self._reaches_itself(place, refs)}

        def get(place: tuple[object, str]) -> object:
            if place not in known:
                kind, what = self.content(*place)
                if kind != "formula":
                    known[place] = what
                elif place in in_cycle:
                    known[place] = Bad("#CYCLE!")
                else:
                    known[place] = self.run(what, place[0], get)
            return known[place]

        for place in self.places():
            get(place)
        return known

    def places(self) -> list[tuple[object, str]]:
        return [(row, column) for row in self.rows for column in self.columns]

    def content(self, row: object, column: str) -> Content:
        found = self.cells.get((row, column))
        if found is None:
            return "value", self.data.get(row, {}).get(column) if isinstance(row, int) else None
        if found[0] == "copy":
            return "value", self.data[found[1]][column]
        return found

    def _reaches_itself(self, place: Place, refs: dict[Place, list[Place]]) -> bool:
        return place in self._reached(place, refs)

    def _reached(self, place: Place, refs: dict[Place, list[Place]]) -> set[Place]:
        seen: set[Place] = set()
        waiting = list(refs[place])
        while waiting:
            each = waiting.pop()
            if each not in seen:
                seen.add(each)
                waiting += refs.get(each, [])
        return seen

    def refs(self, place: tuple[object, str]) -> list[tuple[object, str]]:
        """The cells a formula names, whether it needs them or not."""
        return self._refs(self.content(*place)[1], place[0])

    def _refs(self, formula: Formula, row: object) -> list[tuple[object, str]]:
        at = self.rows.index(row)
        match formula:
            case ("ref", column, down):
                return [(self.rows[at + down], column)] if self._there(column, at + down) else []
            case ("abs", column, other):
                return [(other, column)] if other in self.rows and column in self.columns else []
            case ("all", _, column) | ("countif", column, _):
                return [(each, column) for each in self.rows] if column in self.columns else []
            case ("range", _, column, first, last):
                low, high = sorted((at + first, at + last))
                inside = self._there(column, low) and self._there(column, high)
                return [(each, column) for each in self.rows[low : high + 1]] if inside else []
            case ("bin" | "call", _, *parts) | ("if", *parts):
                return [each for part in parts for each in self._refs(part, row)]
        return []

    def _there(self, column: str, at: int) -> bool:
        return column in self.columns and 0 <= at < len(self.rows)

    def run(self, formula: Formula, row: object, get: Callable[[Place], object]) -> object:  # noqa: C901
        at = self.rows.index(row)
        match formula:
            case ("num" | "text", value):
                return value
            case ("was", column):
                return self.data[row].get(column) if isinstance(row, int) else None
            case ("copied", column, other):
                return self.data[other][column]
            case ("ref", column, down):
                return get((self.rows[at + down], column)) if self._there(column, at + down) else Bad("#REF!")
            case ("abs", column, other):
                return get((other, column)) if other in self.rows and column in self.columns else Bad("#REF!")
            case ("all", function, column):
                if column not in self.columns:
                    return Bad("#REF!")
                return gathered(function, [get((each, column)) for each in self.rows])
            case ("range", function, column, first, last):
                low, high = sorted((at + first, at + last))
                if not (self._there(column, low) and self._there(column, high)):
                    return Bad("#REF!")
                return gathered(function, [get((each, column)) for each in self.rows[low : high + 1]])
            case ("countif", column, limit):
                if column not in self.columns:
                    return Bad("#REF!")
                values = [get((each, column)) for each in self.rows]
                bad = next((each for each in values if isinstance(each, Bad)), None)
                return bad or sum(is_number(each) and each > limit for each in values)
            case ("if", claim, then, otherwise):
                holds = self.run(claim, row, get)
                if isinstance(holds, Bad):
                    return holds
                if isinstance(holds, str):
                    holds = to_number(holds)
                    if holds is None:
                        return Bad("#VALUE!")
                return self.run(then if holds else otherwise, row, get)
            case ("call", "IFERROR", value, otherwise):
                found = self.run(value, row, get)
                return self.run(otherwise, row, get) if isinstance(found, Bad) else found
            case ("call", name, value):
                found = self.run(value, row, get)
                if found is None or isinstance(found, Bad):
                    return found
                if name == "DATED":
                    return words(found).replace("fig", "date")
                return len(words(found)) if name == "LEN" else words(found).upper()
            case ("bin", op, left, right):
                return combined(op, self.run(left, row, get), self.run(right, row, get))
        raise AssertionError(formula)

    # doubts

    def doubts(self) -> dict[tuple[object, str], bool]:
        """A cell of data in doubt, a formula that names one, or what a condition in doubt has decided.

        A cycle is one whatever the data says, unless one of its cells might not be there or not name the next.
        """
        refs = {place: self.refs(place) for place in self.places() if self.content(*place)[0] == "formula"}
        reached = {place: self._reached(place, refs) for place in refs}
        found = {place: self._own_doubt(place) for place in self.places()}
        for place in [place for place in refs if place in reached[place]]:
            cycle = [each for each in reached[place] if place in reached.get(each, ())]
            found[place] = any(self.decided.get(each) or self._may_vary(each) for each in cycle)
        refs = {place: named for place, named in refs.items() if place not in reached[place]}
        while True:
            new = {p for p, named in refs.items() if not found[p] and any(found[each] for each in named)}
            if not new:
                return found
            for place in new:
                found[place] = True

    def _own_doubt(self, place: tuple[object, str]) -> bool:
        row, column = place
        if self.decided.get(place):
            return True
        over = self.cells.get(place)
        if over is None:
            return (row, column) in self.doubt
        if over[0] == "copy":
            return (over[1], column) in self.doubt
        if over[0] != "formula":
            return False
        parts = list(pieces(over[1]))
        if any(each[0] == "was" and (row, each[1]) in self.doubt for each in parts):
            return True
        if any(each[0] == "copied" and (each[2], each[1]) in self.doubt for each in parts):
            return True
        return self._may_vary(place)

    def _may_vary(self, place: tuple[object, str]) -> bool:
        """Which cells a formula names is in doubt."""
        parts = list(pieces(self.cells[place][1]))
        if any(each[0] == "abs" and each[2] in self.row_doubt and each[2] in self.rows for each in parts):
            return True
        areas = [each[2] if each[0] in ("all", "range") else each[1] for each in parts if each[0] in AREAS]
        others = [each[1] for each in parts if each[0] == "ref" and each[2]]
        looks_around = any(column in self.columns for column in (*areas, *others))
        return looks_around and self.loose_order

    # lineage

    def behind(self) -> dict[tuple[object, str], set[tuple[int, str]]]:
        """The cells of the data each cell goes back to, but for those that only conditions read; a cycle to none."""
        found: dict[tuple[object, str], set[tuple[int, str]]] = {}
        refs = {}
        for row, column in self.places():
            over = self.cells.get((row, column))
            own: set[tuple[int, str]] = set()
            if over is None and isinstance(row, int) and column in self.data[row]:
                own = {(row, column)}
            elif over is not None and over[0] == "copy":
                own = {(over[1], column)}
            elif over is not None and over[0] == "formula":
                refs[row, column] = self.refs((row, column))
                own = {(row, each[1]) for each in pieces(over[1]) if each[0] == "was" and isinstance(row, int)}
                own |= {(each[2], each[1]) for each in pieces(over[1]) if each[0] == "copied"}
            found[row, column] = own
        for place in [place for place in refs if self._reaches_itself(place, refs)]:
            found[place] = set()
            refs[place] = []
        changed = True
        while changed:
            changed = False
            for place, named in refs.items():
                new = set().union(found[place], *(found[each] for each in named))
                changed |= new != found[place]
                found[place] = new
        return found


def pieces(formula: Formula) -> Iterator[Formula]:
    yield formula
    for part in formula:
        if isinstance(part, tuple):
            yield from pieces(part)


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def to_number(value: Any) -> float | None:  # noqa: ANN401 - text, a number or nothing
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        try:
            number = float(value.strip())
        except ValueError:
            return None
        return number if math.isfinite(number) else None
    plain: float | None = value
    return plain


def words(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return str(value)


def gathered(function: str, values: list[Any]) -> object:
    bad = next((each for each in values if isinstance(each, Bad)), None)
    if bad:
        return bad
    numbers = [each for each in values if is_number(each)]
    match function:
        case "SUM":
            return math.fsum(numbers)
        case "COUNT":
            return len(numbers)
        case "COUNTA":
            return len([each for each in values if each is not None])
        case "MIN":
            return min(numbers, default=None)
        case "MAX":
            return max(numbers, default=None)
    return math.fsum(numbers) / len(numbers) if numbers else Bad("#DIV/0!")


def combined(op: str, left: Any, right: Any) -> object:  # noqa: ANN401 - values of cells
    for each in (left, right):
        if isinstance(each, Bad):
            return each
    if op == "&":
        return ("" if left is None else words(left)) + ("" if right is None else words(right))
    if left is None or right is None:
        return None
    if op in ("<", "="):
        kinds = [
            "text" if isinstance(e, str) else "logical" if isinstance(e, bool) else "number" for e in (left, right)
        ]
        if kinds[0] != kinds[1]:
            return False if op == "=" else Bad("#VALUE!")
        if kinds[0] == "text":
            left, right = left.lower(), right.lower()
        return left == right if op == "=" else left < right
    one, other = to_number(left), to_number(right)
    if one is None or other is None:
        return Bad("#VALUE!")
    if op == "/":
        return Bad("#DIV/0!") if other == 0 else one / other
    return one + other if op == "+" else one - other if op == "-" else one * other
