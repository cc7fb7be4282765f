"""Functions that read areas and single values together: SUMIFS, LARGE, RANK, TEXTJOIN and the like."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from whence.notebook.sheet.convert import as_text
from whence.notebook.sheet.formula.aggregates import average, criterion, ordered_values, total
from whence.notebook.sheet.formula.errors import NA, NUM, VALUE, FormulaError, error
from whence.notebook.sheet.formula.functions import Value, comparable, is_true, number

Values = Sequence[Value]


@dataclass(frozen=True)
class AreaFunction:
    """A function of areas: its code, how many arguments it takes, which of them are areas, and the type it gives.

    `run` gets each area as a list of values. A single cell stands for an area of one cell.
    `prepares` says, by place, into what an area is made first: formulas that read the same area share it.
    `gives` is a type; "first" is that of the first area; "same" is bigint if its numbers are whole, else double.
    """

    run: Callable[..., Value]
    takes: Callable[[int], bool]
    is_area: Callable[[int], bool]
    gives: str
    prepares: Mapping[int, Callable[[Values], object]] = field(default_factory=dict)


def _matching_places(pairs: Sequence[Values | Value]) -> list[int] | FormulaError:
    """Return the places at which every area meets the criterion that follows it."""
    areas: list[Values] = list(pairs[::2])  # type: ignore[arg-type]
    if any(len(area) != len(areas[0]) for area in areas):
        return error(VALUE, "The areas must be equally large.")
    places = list(range(len(areas[0])))
    for area, wanted in zip(areas, pairs[1::2], strict=True):
        meets = criterion(wanted)
        places = [place for place in places if meets(area[place])]
    return places


def _matching_values(values: Values, pairs: Sequence[Values | Value]) -> list[Value] | FormulaError:
    places = _matching_places(pairs)
    if isinstance(places, FormulaError):
        return places
    if len(values) != len(pairs[0]):  # type: ignore[arg-type]
        return error(VALUE, "The areas must be equally large.")
    return [values[place] for place in places]


def _count_if_all(*pairs: Values | Value) -> Value:
    places = _matching_places(pairs)
    return places if isinstance(places, FormulaError) else len(places)


def _sum_if_all(values: Values, *pairs: Values | Value) -> Value:
    chosen = _matching_values(values, pairs)
    return chosen if isinstance(chosen, FormulaError) else total(chosen)


def _average_if_all(values: Values, *pairs: Values | Value) -> Value:
    chosen = _matching_values(values, pairs)
    return chosen if isinstance(chosen, FormulaError) else average(chosen)


def _nth(values: Values, place: Value, *, from_end: bool) -> Value:
    found = None if place is None else number(place)
    if found is None or isinstance(found, FormulaError):
        return found
    if not 1 <= found < len(values) + 1:
        return error(NUM, f"There are {len(values)} numbers, and not a number {as_text(place)} among them.")
    return values[-int(found) if from_end else int(found) - 1]


def _rank(value: Value, values: Values, order: Value = 0) -> Value:
    if value is None:
        return None
    wanted, is_ascending = value if isinstance(value, date) else number(value), is_true(order)
    failed = next((each for each in (wanted, is_ascending) if isinstance(each, FormulaError)), None)
    if failed is not None:
        return failed
    is_same_kind = bool(values) and type(comparable(values[0])) is type(comparable(wanted))
    below = bisect_left(values, wanted) if is_same_kind else 0  # type: ignore[type-var]
    upto = bisect_right(values, wanted) if is_same_kind else 0  # type: ignore[type-var]
    if below == upto:
        return error(NA, f"{as_text(value)} is not among the numbers.")
    return below + 1 if is_ascending else len(values) - upto + 1


def _join_texts(delimiter: Value, ignore_empty: Value, *parts: Values) -> Value:
    leaves_out = is_true(ignore_empty)
    if isinstance(leaves_out, FormulaError):
        return leaves_out
    texts = ["" if value is None else as_text(value) for part in parts for value in part]
    joined = ("" if delimiter is None else as_text(delimiter)).join(text for text in texts if text or not leaves_out)
    # 32,767 characters is the longest text that a cell of Excel holds.
    return joined if len(joined) <= 32767 else error(VALUE, "The text is too long.")


def sort_values(values: Values) -> list[Value]:
    """Return the numbers among the values, or the dates if there is no number, in ascending order."""
    return sorted(ordered_values(values))  # type: ignore[type-var]


class KeyIndex:
    """The first place of each value in a column, for lookups. Texts ignore case, and an empty cell is no key."""

    def __init__(self, values: Values) -> None:
        self.size = len(values)
        self._places: dict[tuple[type, Value], int] = {}
        for place, value in enumerate(values):
            if value is not None:
                self._places.setdefault(_key(value), place)

    def find(self, value: Value) -> int | None:
        """Return the first place that holds a value; None if none does."""
        return self._places.get(_key(value))


def _key(value: Value) -> tuple[type, Value]:
    if type(value) is int:
        return float, value  # not as a float, which would take two long ids for the same number
    same = comparable(value)
    return type(same), same  # with the type: TRUE and 1 are different values


NO_MATCH = error(NA, "Nothing matches.")
"""What a lookup gives that finds nothing, before its own words or the value given for that case take its place."""


def _look_up(value: Value, keys: KeyIndex, values: Values) -> Value:
    if keys.size != len(values):
        return error(VALUE, "The areas must be equally large.")
    if value is None:
        return None
    place = keys.find(value)
    return NO_MATCH if place is None else values[place]


def _is_odd(count: int) -> bool:
    return count % 2 == 1


AREA_FUNCTIONS: dict[str, AreaFunction] = {
    "SUMIFS": AreaFunction(
        _sum_if_all, lambda n: n >= 3 and _is_odd(n), lambda place: place == 0 or _is_odd(place), "same"
    ),
    "AVERAGEIFS": AreaFunction(
        _average_if_all, lambda n: n >= 3 and _is_odd(n), lambda place: place == 0 or _is_odd(place), "double"
    ),
    "COUNTIFS": AreaFunction(
        _count_if_all, lambda n: n >= 2 and not _is_odd(n), lambda place: not _is_odd(place), "bigint"
    ),
    "LARGE": AreaFunction(
        lambda values, place: _nth(values, place, from_end=True), lambda n: n == 2, lambda place: place == 0, "first",
        prepares={0: sort_values},
    ),
    "SMALL": AreaFunction(
        lambda values, place: _nth(values, place, from_end=False), lambda n: n == 2, lambda place: place == 0, "first",
        prepares={0: sort_values},
    ),
    "RANK": AreaFunction(_rank, lambda n: n in (2, 3), lambda place: place == 1, "bigint", prepares={1: sort_values}),
    "XLOOKUP": AreaFunction(
        _look_up, lambda n: n in (3, 4), lambda place: place in (1, 2), "first", prepares={1: KeyIndex}
    ),
    "TEXTJOIN": AreaFunction(_join_texts, lambda n: n >= 3, lambda place: place >= 2, "string"),
}  # fmt: skip
