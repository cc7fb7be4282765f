"""The state of a sheet after some operations: its columns, the order of its rows, and the contents of edited cells.

Cells that were edited one by one are in a dictionary by row number. An edit of many rows at once is a `Layer`. No array
changes in place, so undoing an operation only puts a few references and single cells back.
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
from whence.notebook.sheet.outside_data import OutsideData
from whence.notebook.sheet.rowset import Mask, Rows, RowSet
from whence.notebook.sheet.source import Source

Codes = npt.NDArray[np.int32]

_VERSIONS = count()
"""Numbers versions of columns. All sheets share it, so no two versions have the same number."""
_FEW = 64
"""Up to this many changed rows, a version of a column lists them, so that caches patch those rows only."""


class CannotApply(Exception):
    """An operation cannot be applied, mostly because its row or column is gone. The message follows "because"."""


@dataclass(frozen=True)
class Layer:
    """One content for many rows of a column, set by one operation.

    `decided` holds the columns of the data that decided which rows the layer covers, each with the rows where it did.
    In the `doubtful` rows, covered or not, the decision might have been another one.
    """

    rows: RowSet
    content: Content
    decided: Mapping[str, RowSet] = field(default_factory=dict)
    doubtful: RowSet | None = None
    is_wide: bool = False
    """The decision about a row read other rows, too."""
    hides_data: bool = False
    """The layer covers every row, so that no cell of the column shows the data any more."""

    @property
    def hangs(self) -> bool:
        """Whether values of the data, or only the places of rows, decided which rows the layer covers."""
        return bool(self.decided) or self.doubtful is not None


@dataclass(frozen=True)
class Entry:
    """The content of one edited cell, and how many layers its column had then: only later layers cover the entry."""

    content: Content
    depth: int


@dataclass(frozen=True)
class SheetColumn:
    """One version of a sheet column: its name now, the column of the data it shows, the type it was given.

    `base` is None for a column that was inserted.
    """

    id: str
    name: str
    base: str | None
    type: str | None
    layers: tuple[Layer, ...] = ()
    cells: dict[int, Entry] = field(default_factory=dict)
    """Edited cells by row number. Versions of a column share the dictionary; `SheetState.restore` undoes changes."""
    formulas: int = 0
    """How many of `cells` hold a formula."""
    held: Mapping[str, int] = field(default_factory=dict)
    """How many of `cells` hold a value of each type."""
    version: int = field(default_factory=lambda: next(_VERSIONS))
    changed: tuple[int, tuple[int, ...]] | None = None
    """The version before this one and the rows in which they differ; None if more differs than a few cells."""

    @property
    def has_formulas(self) -> bool:
        """Whether a cell of the column may hold a formula."""
        return self.formulas > 0 or any(isinstance(layer.content, Formula) for layer in self.layers)

    @property
    def hides_data(self) -> bool:
        """Whether no cell of the column shows the data."""
        return any(layer.hides_data for layer in self.layers)

    @property
    def is_untouched(self) -> bool:
        """Whether the column shows the data without edits."""
        return not self.layers and not self.cells and self.base is not None

    def entry(self, row: int) -> Content | None:
        """Return what was set in the cell of a row; None if the cell shows the data."""
        own = self.cells.get(row)
        if not self.layers:
            return own.content if own else None
        # The last layer that was added after the cell was set, and covers it, counts.
        at = np.array([row], dtype=np.int64)
        for number in range(len(self.layers) - 1, (own.depth if own else 0) - 1, -1):
            if self.layers[number].rows.has(at)[0]:
                return self.layers[number].content
        return own.content if own else None

    def coded(self, rows: Rows) -> tuple[Codes, list[Content]]:
        """Return a code for each row, and the contents: code n stands for contents[n - 1], code 0 for the data."""
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
            # A layer covers only cells that were set before it.
            codes[layer.rows.has(rows) & (depth <= number)] = len(contents)
        return codes, contents

    def _entries(self, rows: Rows) -> Iterable[tuple[int, Entry]]:
        if not self.cells:
            return
        if len(rows) <= len(self.cells) or len(rows) < 10_000:
            found = ((place, self.cells.get(row)) for place, row in enumerate(rows.tolist()))
            yield from ((place, entry) for place, entry in found if entry is not None)
            return
        # Many rows, fewer edits: search each edited cell among the rows, not each row in the dictionary.
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
        """Return for each row whether a decision in doubt determined what stands there."""
        found = np.zeros(len(rows), dtype=bool)
        if not any(layer.doubtful is not None for layer in self.layers):
            return found
        for number, reached in self.deciding(rows):
            doubtful = self.layers[number].doubtful
            if doubtful is not None:
                found |= reached & doubtful.has(rows)
        return found

    def deciding(self, rows: Rows) -> Iterable[tuple[int, Mask]]:
        """Yield each layer's number, the last layer first, and for each row whether the layer decided on its content.

        A layer decides on a row, covered or not, unless a later layer covers the row or its cell was set afterwards.
        """
        depth = np.zeros(len(rows), dtype=np.int64)
        for place, entry in self._entries(rows):
            depth[place] = entry.depth
        is_open = np.ones(len(rows), dtype=bool)
        for number in range(len(self.layers) - 1, -1, -1):
            yield number, is_open & (depth <= number)
            is_open &= ~(self.layers[number].rows.has(rows) & (depth <= number))


def hanging(column: SheetColumn, rows: Rows, size: int) -> tuple[dict[str, RowSet], RowSet | None, bool]:
    """Return what decided on the present content of these rows: `decided`, `doubtful` and `is_wide` of a layer.

    Operations that copy or replace these cells add it to their own layers.
    """
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
    """Return the layer with the decisions behind the cells it covers added: the operation looked at their content."""
    decided, doubtful, is_wide = hanging(column, layer.rows.rows, size)
    both = {base: either(layer.decided.get(base), decided.get(base), size) for base in {**layer.decided, **decided}}
    unsure = either(layer.doubtful, doubtful, size) if layer.doubtful or doubtful else None
    return replace(layer, decided=both, doubtful=unsure, is_wide=layer.is_wide or is_wide)


def either(one: RowSet | None, other: RowSet | None, size: int) -> RowSet:
    """Return the union of two sets, of which at least one is given."""
    rows = [each.rows for each in (one, other) if each is not None]
    return RowSet.of(np.unique(np.concatenate(rows)), size)


@dataclass(frozen=True)
class UndoState:
    """What `SheetState.restore` needs to undo one operation."""

    columns: dict[str, SheetColumn]
    shown: tuple[str, ...]
    order: Order
    made: int
    sifted: tuple[AppliedFilter, ...]
    order_doubt: frozenset[str]
    cells: list[tuple[dict[int, Entry], int, Entry | None]]
    """The single cells it changes: the dictionary, the row, and the entry before, if there was one."""


@dataclass(frozen=True)
class AppliedFilter:
    """One filter: the columns of the data that its condition read, each with the rows in which it did."""

    decided: Mapping[str, RowSet]
    doubtful: RowSet | None
    """Rows, kept or dropped, for which the condition might have come out otherwise."""
    might_belong: bool
    """A dropped row is among them, and so might belong to the sheet."""
    is_wide: bool
    """The condition read other rows, too."""


class SheetState:
    """A sheet over one dataset version. Operations change it; `remember` and `restore` undo them."""

    def __init__(self, source: Source, addresses: Addresses, outside: OutsideData) -> None:
        self.source = source
        self.outside = outside
        self.addresses = addresses
        columns = [SheetColumn(of_column(each.name), each.name, each.name, each.type) for each in source.record.schema]
        self.columns = {column.id: column for column in columns}
        self.shown = tuple(self.columns)
        """The ids of the columns, from left to right."""
        self.order = Order(source.rows)
        self.made: list[str] = []
        """The addresses of inserted rows; their numbers follow those of the data."""
        self.sifted: tuple[AppliedFilter, ...] = ()
        """The filters that were applied."""
        self.order_doubt: frozenset[str] = frozenset()
        """Columns of the data with doubtful values by which rows were sorted or filtered: their places are in doubt."""
        self.version = 0
        """Grows with each operation and each undo. What the evaluator caches is valid for one version."""
        self._numbers: dict[str, int] = {}
        self._changes: list[tuple[dict[int, Entry], int, Entry | None]] = []

    @property
    def rows(self) -> int:
        """The number of rows of the data and of inserted rows, shown or not."""
        return self.source.rows + len(self.made)

    def column(self, column: str) -> SheetColumn:
        """Return a column that is shown; raise CannotApply if it is not."""
        if column not in self.shown:
            raise CannotApply(f"the column {self.column_name(column)} is gone")
        return self.columns[column]

    def column_name(self, column: str) -> str:
        """Return the name of a column for a sentence, also of one that is gone; never its id."""
        known = self.columns.get(column)
        if known is not None:
            return known.name
        return column.partition(":")[2] if column.startswith("c:") else "that was inserted"

    def row_number(self, address: str) -> int | None:
        """Return the number that the sheet shows beside a row, from 1; None if the row is not shown."""
        found = self.number(address)
        position = None if found is None else self.order.position(found)
        return None if position is None else position + 1

    def row(self, address: str) -> int:
        """Return the number of a row that is shown; raise CannotApply if it is not."""
        found = self.number(address)
        if found is None or self.order.position(found) is None:
            raise CannotApply("its row is gone")
        return found

    def number(self, address: str) -> int | None:
        """Return the number of a row, shown or not; None if the sheet has no such row."""
        return self._numbers.get(address) if address[:2] == "n:" else self.addresses.rid(address)

    def address(self, row: int) -> str:
        """Return the address of the row with this number."""
        inside = row < self.source.rows
        return by_rid(self.source.record.id, row) if inside else self.made[row - self.source.rows]

    def add_row(self, address: str) -> int:
        """Give a row that an operation inserts a number, and return the number."""
        self.made.append(address)
        self._numbers[address] = self.rows - 1
        return self.rows - 1

    def change(self, column: str, **changes: object) -> None:
        """Replace a column by a version of it in which these fields are changed."""
        given: dict[str, Any] = {"version": next(_VERSIONS), "changed": None, **changes}
        self.columns[column] = replace(self.columns[column], **given)

    def set_cell(self, column: str, row: int, content: Content) -> None:
        """Set the content of one cell."""
        self.set_cells(column, [(row, content)])

    def set_cells(self, column: str, given: Iterable[tuple[int, Content]]) -> None:
        """Set the contents of some cells of a column, each given by its row."""
        known = self.columns[column]
        formulas, depth, held = known.formulas, len(known.layers), dict(known.held)
        rows = []
        for row, content in given:
            rows.append(row)
            before = known.cells.get(row)
            # Versions of the column share the dictionary, so undo needs a note of each change to it.
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
        """Add a layer to a column. One that covers every row unconditionally replaces all earlier edits of it."""
        if layer.hides_data and not layer.hangs:
            # A new dictionary of cells: the version before, to which undo returns, keeps the old one.
            self.change(column, layers=(layer,), cells={}, formulas=0, held={})
        else:
            self.change(column, layers=(*self.columns[column].layers, layer))

    def remember(self) -> UndoState:
        """Return what `restore` needs to undo the next operation."""
        self._changes = []  # the returned object shares it with `set_cells`, which notes changes in it
        return UndoState(
            columns=dict(self.columns),
            shown=self.shown,
            order=self.order,
            made=len(self.made),
            sifted=self.sifted,
            order_doubt=self.order_doubt,
            cells=self._changes,
        )

    def restore(self, before: UndoState) -> None:
        """Undo the operation that followed `remember`. Operations are undone one at a time, the last one first."""
        for cells, row, entry in reversed(before.cells):  # one operation may set the same cell twice
            if entry is None:
                cells.pop(row, None)
            else:
                cells[row] = entry
        self.columns, self.shown, self.order = dict(before.columns), before.shown, before.order
        self.sifted, self.order_doubt = before.sifted, before.order_doubt
        for address in self.made[before.made :]:
            del self._numbers[address]
        del self.made[before.made :]
        self.version += 1  # not back to the old number: caches may hold results of the operation that is undone


def _count(held: dict[str, int], content: Content, by: int) -> None:
    type_name = type_of_value(content.value) if isinstance(content, Value) else None
    if type_name is not None:
        held[type_name] = held.get(type_name, 0) + by
