"""A sheet as it stands after some operations: its columns, the order of its rows, what stands in edited cells.

Cells that were set one by one are looked up by row number; what was set for many rows at once is a layer. Arrays are
never changed in place, so that going back one operation is putting a few references back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from whence.notebook.sheet.addresses import Addresses, by_rid, of_column
from whence.notebook.sheet.content import Content, Formula, Value
from whence.notebook.sheet.ladder import type_of_value
from whence.notebook.sheet.order import Order
from whence.notebook.sheet.rowset import Mask, Rows, RowSet
from whence.notebook.sheet.source import Source

Codes = npt.NDArray[np.int32]

_VERSIONS = count()
_FEW = 64


class Lost(Exception):
    """What an operation is about is no longer there; the message says what."""


@dataclass(frozen=True)
class Layer:
    """What was set for many rows at once.

    `decided`: whether a row was one of them hung on these columns of the data, in the rows named; it might have been
    decided otherwise in the `doubtful` rows.
    """

    rows: RowSet
    content: Content
    decided: Mapping[str, RowSet] = field(default_factory=dict)
    doubtful: RowSet | None = None
    is_wide: bool = False
    """It was decided by formulas that read other rows, too."""
    hides_data: bool = False
    """Every cell of the column was set, so that none shows the data any more."""

    @property
    def hangs(self) -> bool:
        """Something decided on it: columns of the data, or only where rows stand."""
        return bool(self.decided) or self.doubtful is not None


@dataclass(frozen=True)
class Entry:
    """What was set in one cell, and how many layers its column had by then."""

    content: Content
    depth: int


@dataclass(frozen=True)
class SheetColumn:
    """A column: its name now, the column of the data it shows, the type it was given."""

    id: str
    name: str
    base: str | None
    type: str | None
    layers: tuple[Layer, ...] = ()
    cells: dict[int, Entry] = field(default_factory=dict)
    """Shared between the versions of a column; going back undoes what was changed in it."""
    formulas: int = 0
    """How many of the cells hold a formula."""
    held: Mapping[str, int] = field(default_factory=dict)
    """How many of the cells hold a value of each type."""
    version: int = field(default_factory=lambda: next(_VERSIONS))
    changed: tuple[int, tuple[int, ...]] | None = None
    """The version before this one, and the few rows in which it differs, where that is all."""

    @property
    def has_formulas(self) -> bool:
        """Some cell of it may be computed."""
        return self.formulas > 0 or any(isinstance(layer.content, Formula) for layer in self.layers)

    @property
    def hides_data(self) -> bool:
        """None of its cells shows the data."""
        return any(layer.hides_data for layer in self.layers)

    @property
    def is_untouched(self) -> bool:
        """It shows the data as it is."""
        return not self.layers and not self.cells and self.base is not None

    def entry(self, row: int) -> Content | None:
        """What was set in the cell of a row; None where the data shows."""
        own = self.cells.get(row)
        if not self.layers:
            return own.content if own else None
        at = np.array([row], dtype=np.int64)
        for number in range(len(self.layers) - 1, (own.depth if own else 0) - 1, -1):
            if self.layers[number].rows.has(at)[0]:
                return self.layers[number].content
        return own.content if own else None

    def coded(self, rows: Rows) -> tuple[Codes, list[Content]]:
        """For each row the number of what was set there, from 1, and what that is; 0 where the data shows."""
        codes = np.zeros(len(rows), dtype=np.int32)
        depth = np.zeros(len(rows), dtype=np.int32)
        contents: list[Content] = []
        numbers: dict[int, int] = {}
        for place, entry in self._entries(rows):
            number = numbers.get(id(entry.content))
            if number is None:
                contents.append(entry.content)
                number = numbers[id(entry.content)] = len(contents)
            codes[place] = number
            depth[place] = entry.depth
        for number, layer in enumerate(self.layers):
            contents.append(layer.content)
            codes[layer.rows.has(rows) & (depth <= number)] = len(contents)
        return codes, contents

    def _entries(self, rows: Rows) -> Iterable[tuple[int, Entry]]:
        if not self.cells:
            return
        if len(rows) <= len(self.cells) or len(rows) < 10_000:
            found = ((place, self.cells.get(row)) for place, row in enumerate(rows.tolist()))
            yield from ((place, entry) for place, entry in found if entry is not None)
            return
        edited = np.fromiter(self.cells, dtype=np.int64, count=len(self.cells))
        order = np.argsort(rows, kind="stable") if np.any(rows[1:] < rows[:-1]) else None
        ordered = rows if order is None else rows[order]
        places = np.searchsorted(ordered, edited).clip(max=len(rows) - 1)
        hit = ordered[places] == edited
        places = places if order is None else order[places]
        for place, row, is_there in zip(places.tolist(), edited.tolist(), hit.tolist(), strict=True):
            if is_there:
                yield place, self.cells[row]

    def doubtful(self, rows: Rows) -> Mask:
        """For each row whether what stands there hangs on a decision that is in doubt."""
        found = np.zeros(len(rows), dtype=bool)
        if not any(layer.doubtful is not None for layer in self.layers):
            return found
        for number, reached in self.deciding(rows):
            doubtful = self.layers[number].doubtful
            if doubtful is not None:
                found |= reached & doubtful.has(rows)
        return found

    def deciding(self, rows: Rows) -> Iterable[tuple[int, Mask]]:
        """For each layer the rows it decided about: those that no later layer took, or set after it."""
        depth = np.zeros(len(rows), dtype=np.int64)
        for place, entry in self._entries(rows):
            depth[place] = entry.depth
        is_open = np.ones(len(rows), dtype=bool)
        for number in range(len(self.layers) - 1, -1, -1):
            yield number, is_open & (depth <= number)
            is_open &= ~(self.layers[number].rows.has(rows) & (depth <= number))


def hanging(column: SheetColumn, rows: Rows, size: int) -> tuple[dict[str, RowSet], RowSet | None, bool]:
    """What decided on what stands in these rows of a column now, so that what is made of it hangs on the same."""
    decided: dict[str, RowSet] = {}
    is_wide = False
    for number, reached in column.deciding(rows):
        layer = column.layers[number]
        if reached.any():
            is_wide |= layer.is_wide
            for base, among in layer.decided.items():
                earlier = decided[base].rows if base in decided else rows[:0]
                decided[base] = RowSet.of(np.union1d(earlier, rows[reached & among.has(rows)]), size)
    doubtful = rows[column.doubtful(rows)]
    return decided, RowSet.of(doubtful, size) if len(doubtful) else None, is_wide


def over_what_was(column: SheetColumn, layer: Layer, size: int) -> Layer:
    """The layer, hanging also on what decided on the cells it looked at before."""
    decided, doubtful, is_wide = hanging(column, layer.rows.rows, size)
    both = {base: either(layer.decided.get(base), decided.get(base), size) for base in {**layer.decided, **decided}}
    unsure = either(layer.doubtful, doubtful, size) if layer.doubtful or doubtful else None
    return replace(layer, decided=both, doubtful=unsure, is_wide=layer.is_wide or is_wide)


def either(one: RowSet | None, other: RowSet | None, size: int) -> RowSet:
    """The rows of both."""
    rows = [each.rows for each in (one, other) if each is not None]
    return RowSet.of(np.unique(np.concatenate(rows)), size)


@dataclass(frozen=True)
class _Before:
    """What must be put back to undo one operation."""

    columns: dict[str, SheetColumn]
    shown: tuple[str, ...]
    order: Order
    made: int
    sifted: tuple[Sifted, ...]
    order_doubt: frozenset[str]
    cells: list[tuple[dict[int, Entry], int, Entry | None]]


@dataclass(frozen=True)
class Sifted:
    """A filter: the columns of the data that decided, the rows kept and the rows dropped that are in doubt."""

    decided: Mapping[str, RowSet]
    doubtful: RowSet | None
    might_belong: bool
    is_wide: bool


class SheetState:
    """The sheet over one version of its data."""

    def __init__(self, source: Source, addresses: Addresses) -> None:
        self.source = source
        self.addresses = addresses
        columns = [SheetColumn(of_column(each.name), each.name, each.name, each.type) for each in source.record.schema]
        self.columns = {column.id: column for column in columns}
        self.shown = tuple(self.columns)
        """The ids of the columns, from left to right."""
        self.order = Order(source.rows)
        self.made: list[str] = []
        """The addresses of new rows; their numbers follow those of the data."""
        self.sifted: tuple[Sifted, ...] = ()
        self.order_doubt: frozenset[str] = frozenset()
        """The columns of the data whose values, in doubt, have decided which row stands where."""
        self.version = 0
        self._numbers: dict[str, int] = {}
        self._changes: list[tuple[dict[int, Entry], int, Entry | None]] = []

    @property
    def rows(self) -> int:
        """How many rows there are numbers for."""
        return self.source.rows + len(self.made)

    def column(self, column: str) -> SheetColumn:
        """A column that is shown."""
        if column not in self.shown:
            raise Lost(f"the column {self.column_name(column)} is gone")
        return self.columns[column]

    def column_name(self, column: str) -> str:
        """What the sheet calls a column, or called it before it went; ids are for no one to read."""
        known = self.columns.get(column)
        if known is not None:
            return known.name
        return column.partition(":")[2] if column.startswith("c:") else "that was inserted"

    def row_number(self, address: str) -> int | None:
        """The number that the sheet shows beside a row, from 1."""
        found = self.number(address)
        position = None if found is None else self.order.position(found)
        return None if position is None else position + 1

    def row(self, address: str) -> int:
        """The number of a row that is shown."""
        found = self.number(address)
        if found is None or self.order.position(found) is None:
            raise Lost("its row is gone")
        return found

    def number(self, address: str) -> int | None:
        """The number of a row, shown or not."""
        return self._numbers.get(address) if address[:2] == "n:" else self.addresses.rid(address)

    def address(self, row: int) -> str:
        """The address of a row by its number."""
        inside = row < self.source.rows
        return by_rid(self.source.record.id, row) if inside else self.made[row - self.source.rows]

    def add_row(self, address: str) -> int:
        """The number of a row that an operation makes."""
        self.made.append(address)
        self._numbers[address] = self.rows - 1
        return self.rows - 1

    def change(self, column: str, **changes: object) -> None:
        """Another version of a column."""
        given: dict[str, Any] = {"version": next(_VERSIONS), "changed": None, **changes}
        self.columns[column] = replace(self.columns[column], **given)

    def set_cell(self, column: str, row: int, content: Content) -> None:
        """Put something into one cell."""
        self.set_cells(column, [(row, content)])

    def set_cells(self, column: str, given: Iterable[tuple[int, Content]]) -> None:
        """Put something into some cells of a column."""
        known = self.columns[column]
        formulas, depth, held = known.formulas, len(known.layers), dict(known.held)
        rows = []
        for row, content in given:
            rows.append(row)
            before = known.cells.get(row)
            self._changes.append((known.cells, row, before))
            known.cells[row] = Entry(content, depth)
            formulas += isinstance(content, Formula)
            _count(held, content, 1)
            if before is not None:
                formulas -= isinstance(before.content, Formula)
                _count(held, before.content, -1)
        changed = (known.version, tuple(rows)) if len(rows) <= _FEW else None
        self.change(column, formulas=formulas, held=held, changed=changed)

    def add_layer(self, column: str, layer: Layer) -> None:
        """Put something into many cells of a column; all of them start anew if it is every row."""
        if layer.hides_data and not layer.hangs:
            self.change(column, layers=(layer,), cells={}, formulas=0, held={})
        else:
            self.change(column, layers=(*self.columns[column].layers, layer))

    def remember(self) -> _Before:
        """What `restore` needs to come back to this moment."""
        self._changes = []
        return _Before(
            columns=dict(self.columns),
            shown=self.shown,
            order=self.order,
            made=len(self.made),
            sifted=self.sifted,
            order_doubt=self.order_doubt,
            cells=self._changes,
        )

    def restore(self, before: _Before) -> None:
        """Undo what was done since."""
        for cells, row, entry in reversed(before.cells):
            if entry is None:
                cells.pop(row, None)
            else:
                cells[row] = entry
        self.columns, self.shown, self.order = dict(before.columns), before.shown, before.order
        self.sifted, self.order_doubt = before.sifted, before.order_doubt
        for address in self.made[before.made :]:
            del self._numbers[address]
        del self.made[before.made :]
        self.version += 1


Before = _Before


def _count(held: dict[str, int], content: Content, by: int) -> None:
    type_name = type_of_value(content.value) if isinstance(content, Value) else None
    if type_name is not None:
        held[type_name] = held.get(type_name, 0) + by
