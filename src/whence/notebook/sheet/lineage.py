"""The lineage of an applied sheet: from which cells of the data each of its cells comes, as a derivation block.

A row of the sheet comes from the row of the data it shows. A cell that was overwritten does not, so each edited column
has a source number of its own, whose ids say where its cells still show the data.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from whence.caveats.document import CaveatDocument
from whence.lineage.block import NO_ROW, Block, Ids, Part
from whence.lineage.document import LineageDocument
from whence.lineage.stretches import Stretches
from whence.model.cellref import Role
from whence.model.ids import DatasetId
from whence.notebook.sheet.content import Copy
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.reads import ANYWHERE, ColumnReads, Key, Reads, Stretch, leaves_row
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.source import Source
from whence.notebook.sheet.state import SheetColumn, SheetState
from whence.plan.columnmap import Use


@dataclass(frozen=True)
class SheetLineage:
    """The lineage of an applied sheet: its derivation block, and the documents stored with it."""

    block: Block
    document: LineageDocument
    about: CaveatDocument
    reads: dict[str, ColumnReads]
    """What the formulas of each column read, by the id of the column."""


@dataclass
class _Sources:
    """The source numbers of a sheet. The first ones are its inputs; each of the others leads to cells of one of them.

    Source 0 is the row of the data that each row of the sheet shows; then come the datasets that formulas look into.
    """

    outside: dict[str, Source]
    origins: dict[int, int] = field(default_factory=dict)
    """The input that each of the other source numbers leads to."""

    uses: dict[str, set[Use]] = field(default_factory=dict)
    beside: dict[int, Ids] = field(default_factory=dict)
    """Sources with one id for each row of the sheet, as source 0 has."""
    parts: list[Part] = field(default_factory=list)
    readings: list[Stretches] = field(default_factory=list)

    @property
    def leaves(self) -> int:
        """The number of inputs."""
        return 1 + len(self.outside)

    def next(self, origin: int = 0) -> int:
        """Return a new source number that leads to this input."""
        number = self.leaves + len(self.origins)
        self.origins[number] = origin
        return number

    def datasets(self, own: DatasetId) -> tuple[DatasetId, ...]:
        """Return the dataset behind each source number."""
        leaves = own, *(source.record.id for source in self.outside.values())
        return *leaves, *(leaves[origin] for origin in self.origins.values())

    def use(self, column: str, source: int, base: str, role: Role) -> None:
        """Note that a column of the sheet reads a column of the data through this source."""
        self.uses.setdefault(column, set()).add(Use(source, base, role))


class _Maker:
    """Builds the lineage of one sheet."""

    def __init__(self, state: SheetState, cells: Evaluator) -> None:
        self._state = state
        self._cells = cells
        self._rows = state.order.rows
        self._of_row = np.where(self._rows < state.source.rows, self._rows, NO_ROW)
        self._sources = _Sources(cells.outside_sources())
        self._shows: dict[str, Ids] = {}
        self._places: dict[tuple[str, bool, str], Block] = {}
        self._reads = Reads(state, cells)

    def make(self) -> SheetLineage:
        state, sources = self._state, self._sources
        reads = self._reads.all()
        for column in (state.columns[each] for each in state.shown):
            sources.uses.setdefault(column.name, set())
            self._add_data_cells(column)
            self._decided(column)
            for key, stretch in reads.get(column.id, {}).items():
                self._read(column, key, stretch)
        row = {Use(0, base, "filtered") for each in state.sifted for base in each.decided}
        parts = (Part(None, {0: self._of_row, **sources.beside}), *sources.parts)
        block = Block(state.order.count, parts, tuple(sources.readings))
        document = LineageDocument(
            sources=sources.datasets(state.source.record.id),
            is_exact=True,
            strategy=self._strategy(),
            parts=len(parts),
            values={name: frozenset(uses) for name, uses in sources.uses.items()},
            row=frozenset(row),
            has_maps=bool(sources.readings),
            leaf_count=sources.leaves,
            derivations=block.derivations,
        )
        about = CaveatDocument("any" if self._looks_around() else "rows", origins=sources.origins)
        return SheetLineage(block, document, about, reads)

    def _strategy(self) -> str:
        text = "sheet: each row is the row it shows, each edited cell what was typed or what its formula read."
        wide = any(layer.is_wide for column in self._state.columns.values() for layer in column.layers)
        if self._reads.is_widened or wide:
            text += " Where formulas over formulas read too many cells to list, whole columns are named instead."
        if self._sources.outside and (self._state.sifted or self._has_decisions()):
            text += " What conditions read through lookups in other datasets is not listed."
        return text

    def _has_decisions(self) -> bool:
        return any(layer.hangs for column in self._state.columns.values() for layer in column.layers)

    def _add_data_cells(self, column: SheetColumn) -> None:
        """Add the cells of a column that show the data, or a copy of a cell of it."""
        if column.base is None:
            return
        if column.is_untouched:
            self._sources.use(column.name, 0, column.base, "copied")
            return
        ids = self._ids(column)
        if (ids == NO_ROW).all():
            return
        number = self._sources.next()
        self._sources.beside[number] = ids
        self._sources.use(column.name, number, column.base, "copied")
        moved = np.flatnonzero((ids != NO_ROW) & (ids != self._of_row))
        if len(moved):  # copies: the row also contains a value of another row, which source 0 does not name
            places = Block(len(moved), (Part(None, {0: ids[moved]}),))
            first = np.arange(len(moved), dtype=np.int64)
            self._stretch(moved, first, first + 1, self._sources.next(), places)

    def _decided(self, column: SheetColumn) -> None:
        """Add what conditions read to decide what stands in the cells of a column."""
        if not any(layer.decided for layer in column.layers):
            return
        inside = self._of_row != NO_ROW
        for number, reached in column.deciding(self._rows):
            layer = column.layers[number]
            for base, among in layer.decided.items():
                source = self._sources.next()
                self._sources.use(column.name, source, base, "filtered")
                if layer.is_wide:  # any row of the data may have decided: one stretch over all of them
                    out = np.flatnonzero(reached)
                    self._stretch(out, out * 0, out * 0 + self._state.source.rows, source, self._everything())
                else:
                    out = np.flatnonzero(reached & inside & among.has(self._rows))
                    self._sources.parts.append(Part(out, {source: self._rows[out]}))

    def _read_outside(self, column: SheetColumn, key: Key, read: Stretch) -> None:
        """Add the cells of another dataset that formulas of a column looked up, or the keys they compared."""
        if not len(read.out):
            return
        origin = 1 + list(self._sources.outside).index(key.dataset)
        number = self._sources.next(origin)
        self._sources.use(column.name, number, key.column, key.role)
        rows = self._sources.outside[key.dataset].rows
        # A row of the sheet comes from the rows that its lookups found, not from all whose keys they compared.
        real = number if key.role == "filtered" else origin
        self._stretch(read.out, read.first, read.end, number, self._every_row(key.dataset, rows), origin=real)

    def _read(self, column: SheetColumn, key: Key, read: Stretch) -> None:
        if key.dataset:
            self._read_outside(column, key, read)
            return
        base = self._state.columns[key.column].base
        if base is None or not len(read.out):
            return
        if key.via == ANYWHERE:
            number = self._sources.next()
            self._stretch(read.out, read.first, read.end, number, self._everything())
            self._sources.use(column.name, number, base, key.role)
            return
        shows = self._hanging(key, base) if key.via else self._of_row
        shows = shows if key.is_data else self._ids(self._state.columns[key.column])
        # If each formula reads its own row only, plain ids are enough, and source 0 if they are those of all rows.
        if np.array_equal(read.first, read.out) and np.array_equal(read.end, read.out + 1):
            out = _distinct(read.out)
            ids = shows[out]
            if np.array_equal(ids, self._of_row[out]):
                if len(out) == self._state.order.count:
                    self._sources.use(column.name, 0, base, key.role)
                    return
                number = self._sources.next()
                kept = ids != NO_ROW
                self._sources.parts.append(Part(out[kept], {number: ids[kept]}))
                self._sources.use(column.name, number, base, key.role)
                return
        number = self._sources.next()
        self._stretch(read.out, read.first, read.end, number, self._places_of(key, shows))
        self._sources.use(column.name, number, base, key.role)

    def _hanging(self, key: Key, base: str) -> Ids:
        """Return the row of the data at each position where `base` decided on the cell; NO_ROW at others."""
        column = self._state.columns[key.via]
        found = np.zeros(len(self._rows), dtype=bool)
        for number, reached in column.deciding(self._rows):
            layer = column.layers[number]
            if base in layer.decided:
                found |= reached & (layer.decided[base].has(self._rows) | layer.is_wide)
        return np.where(found, self._of_row, NO_ROW)

    def _stretch(self, out: Rows, first: Rows, end: Rows, number: int, places: Block, *, origin: int = 0) -> None:
        count = self._state.order.count
        self._sources.readings.append(
            Stretches(
                rows=count,
                out=out,
                first=first,
                end=end,
                sources={number: 0},
                origin_of={number: origin},
                places=places,
            )
        )

    def _places_of(self, key: Key, shows: Ids) -> Block:
        """Return the rows that the cells of a column show, as a block that all readings of the column share."""
        place = key.column, key.is_data, key.via
        if place not in self._places:
            self._places[place] = Block(len(shows), (Part(None, {0: shows}),))
        return self._places[place]

    def _everything(self) -> Block:
        return self._every_row("", self._state.source.rows)

    def _every_row(self, dataset: str, rows: int) -> Block:
        """Return all rows of a dataset, as a block that all readings of it share."""
        place = "", True, dataset
        if place not in self._places:
            self._places[place] = Block(rows, (Part(None, {0: np.arange(rows, dtype=np.int64)}),))
        return self._places[place]

    def _ids(self, column: SheetColumn) -> Ids:
        """Return the row of the data that each cell of a column shows; NO_ROW where the cell was overwritten."""
        if column.id not in self._shows:
            self._shows[column.id] = self._find_ids(column)
        return self._shows[column.id]

    def _find_ids(self, column: SheetColumn) -> Ids:
        if column.base is None:
            return np.full(len(self._rows), NO_ROW, dtype=np.int64)
        codes, contents = column.coded(self._rows)
        ids = np.where(codes == 0, self._of_row, NO_ROW)
        for number, content in enumerate(contents, start=1):
            if isinstance(content, Copy):
                ids[codes == number] = content.row
        return ids

    def _looks_around(self) -> bool:
        """Return whether a formula or a condition reads other rows, so that rows that come or go can change it."""
        trees = (tree for each in self._state.shown for tree in self._cells.trees(self._state.columns[each]))
        wide = (layer.is_wide for column in self._state.columns.values() for layer in column.layers)
        is_wide = bool(self._sources.outside) or any(wide)
        return any(map(leaves_row, trees)) or is_wide or any(each.is_wide for each in self._state.sifted)


def _distinct(rows: Rows) -> Rows:
    """Return each row once: a formula may name a cell twice, and several formulas of a column the same cell."""
    return rows if (rows[1:] > rows[:-1]).all() else np.unique(rows)


def sheet_lineage(state: SheetState, cells: Evaluator) -> SheetLineage:
    """Return where every cell of a sheet came from."""
    return _Maker(state, cells).make()
