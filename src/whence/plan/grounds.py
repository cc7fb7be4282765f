"""What the values of a plan stand on: cells of its inputs, or nothing but constants that are written in the query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from whence.plan.expr import Column

Read = tuple[int, str]
"""A column of a source of the plan."""

Alternative = frozenset[Read]
"""Columns that a value is made of together; an empty one is a value that tells of rows, as a count does."""

_MOST_ALTERNATIVES = 16


@dataclass(frozen=True)
class Ground:
    """What the values of one column may be made of.

    `alternatives`: input cells. `written`: constants of the query, as numbers; None is a constant of another type, or
    one whose value only Spark knows. A column that has neither is NULL in every row.
    """

    alternatives: frozenset[Alternative] = frozenset()
    written: frozenset[float | None] = frozenset()
    is_aggregated: bool = False
    """Values of several rows are in one."""
    is_mixed: bool = False
    """Values of written rows may be in one with values of input rows."""
    defaults: frozenset[Read] = frozenset()
    """The column in place of whose NULLs a constant was taken; in a sum, the NULLs tell whether it was."""


NOTHING = Ground()
OF_ROWS = Ground(frozenset({frozenset()}))
WRITTEN = Ground(written=frozenset({None}))

ColumnGrounds = Mapping[int, Ground]
"""By the id of the column."""


@dataclass(frozen=True)
class Grounds:
    """The grounds of each column, for two kinds of rows; None where a plan has no rows of a kind.

    `data`: rows that input rows contributed to. `written`: rows that are made of nothing but the query.
    """

    data: ColumnGrounds | None = None
    written: ColumnGrounds | None = None
    is_padded: bool = False
    """Written rows are there only because an outer join found no input row for them."""

    def with_columns(self, data: ColumnGrounds, written: ColumnGrounds) -> Grounds:
        """The same rows with more columns."""
        return Grounds(
            None if self.data is None else {**self.data, **data},
            None if self.written is None else {**self.written, **written},
            self.is_padded,
        )


@dataclass(frozen=True)
class _Product:
    """Alternatives of a value in the making; None among them is a value of written constants only."""

    made: frozenset[Alternative | None] = field(default=frozenset({None}))

    def times(self, ground: Ground) -> _Product:
        parts = {*ground.alternatives, *([None] if ground.written else [])}
        made = frozenset(_together(one, other) for one in self.made for other in parts)
        if len(made) > _MOST_ALTERNATIVES:
            made = frozenset({frozenset[Read]().union(*(each for each in made if each is not None))})
        return _Product(made)


def combine(grounds: Iterable[Ground]) -> Ground:
    """The ground of a value that is computed from these: one input cell is enough, so `price * 1.19` is data."""
    present = [each for each in grounds if each != NOTHING]
    if not present:
        return NOTHING
    product = _Product()
    for each in present:
        product = product.times(each)
    is_mixed = any(each.is_mixed for each in present)
    return Ground(
        frozenset(each for each in product.made if each is not None),
        frozenset({None}) if is_mixed or None in product.made else frozenset(),
        any(each.is_aggregated for each in present),
        is_mixed,
    )


def merge(grounds: Iterable[Ground]) -> Ground:
    """The ground of a value that is one of these, as the branches of a CASE or a UNION are."""
    every = list(grounds)
    return Ground(
        frozenset[Alternative]().union(*(each.alternatives for each in every)),
        frozenset[float | None]().union(*(each.written for each in every)),
        any(each.is_aggregated for each in every),
        any(each.is_mixed for each in every),
    )


def join_grounds(columns: Sequence[Column], inputs: Sequence[Grounds], *, pads: bool = False) -> Grounds:
    """The grounds of rows that are made of one row of each input; with `pads`, a side may be missing.

    A written row beside an input row is part of a row with data. A column that no input has tells of the rows.
    """
    has_data = any(each.data is not None for each in inputs)
    is_written = all(each.written is not None for each in inputs)
    has_written = is_written or (pads and any(each.written is not None for each in inputs))
    data = _merge_columns(side for number, _ in enumerate(inputs) for side in _data_sides(inputs, number))
    written = _merge_columns(each.written for each in inputs if each.written is not None)
    return Grounds(
        {column.id: data.get(column.id, OF_ROWS) for column in columns} if has_data else None,
        {column.id: written.get(column.id, _missing(column, data)) for column in columns} if has_written else None,
        is_padded=(has_written and not is_written) or any(each.is_padded for each in inputs),
    )


def union_grounds(branches: Sequence[tuple[Sequence[Column], Grounds]], columns: Sequence[Column]) -> Grounds:
    """The grounds of the rows of several inputs under each other, by position."""
    data = [_by_position(own, each.data) for own, each in branches if each.data is not None]
    written = [_by_position(own, each.written) for own, each in branches if each.written is not None]
    is_padded = any(each.is_padded for _, each in branches)
    return Grounds(_merge_positions(columns, data), _merge_positions(columns, written), is_padded)


def stored_grounds(columns: Iterable[tuple[Column, str]], source: int) -> Grounds:
    """The grounds of the rows of a dataset: each column stands on itself, whatever it is made of."""
    return Grounds({column.id: Ground(frozenset({frozenset({(source, name)})})) for column, name in columns}, None)


def as_written(ground: Ground) -> Ground:
    """The ground in a written row, in which nothing else can be: what counts rows counts written ones."""
    return replace(WRITTEN, is_aggregated=ground.is_aggregated) if ground.alternatives else ground


def is_code(written: Iterable[float | None]) -> bool:
    """Whether these numbers only tell cases apart: -1, 0 and 1, or 0, 1, 2, ... or 1, 2, 3, ...

    >>> is_code([0, 1]), is_code([1, 2, 3]), is_code([142050, 99000])
    (True, True, False)
    """
    numbers = set(written)
    if None in numbers:
        return False
    in_order = sorted(each for each in numbers if each is not None)
    steps = range(len(in_order))
    return numbers <= {-1, 0, 1} or any(in_order == [first + step for step in steps] for first in (0, 1))


def _missing(column: Column, data: ColumnGrounds) -> Ground:
    """A column in written rows that lack it: NULL where the side of an outer join is missing."""
    return NOTHING if column.id in data else WRITTEN


def _together(one: Alternative | None, other: Alternative | None) -> Alternative | None:
    if one is None or other is None:
        return other if one is None else one
    return one | other


def _data_sides(inputs: Sequence[Grounds], number: int) -> Iterable[ColumnGrounds]:
    """What the columns of one input are made of in rows with data: its written rows, too, beside data of another."""
    own = inputs[number]
    others_have_data = any(each.data is not None for place, each in enumerate(inputs) if place != number)
    sides = (own.data, own.written if others_have_data else None)
    return [each for each in sides if each is not None]


def _merge_columns(sides: Iterable[ColumnGrounds]) -> dict[int, Ground]:
    found: dict[int, Ground] = {}
    for side in sides:
        for column, ground in side.items():
            found[column] = merge((found[column], ground)) if column in found else ground
    return found


def _by_position(columns: Sequence[Column], grounds: ColumnGrounds) -> list[Ground]:
    return [grounds.get(column.id, OF_ROWS) for column in columns]


def _merge_positions(columns: Sequence[Column], branches: list[list[Ground]]) -> ColumnGrounds | None:
    if not branches:
        return None
    return {column.id: merge(branch[n] for branch in branches) for n, column in enumerate(columns)}
