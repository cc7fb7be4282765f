"""Finds the cells of the data that each formula cell depends on, through all formulas in between.

What a formula reads is kept as stretches of positions: a sum over ten million rows is one stretch. A stretch belongs to
one column, and that column says which of its cells show data at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from whence.notebook.sheet.addresses import of_column
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.evaluation.outside_lookups import NOT_SEARCHED
from whence.notebook.sheet.formula.errors import FormulaError
from whence.notebook.sheet.formula.tree import Area, Call, Cell, Copied, RowOffset, Stored, Tree, outside_lookup, walk
from whence.notebook.sheet.graph import components
from whence.notebook.sheet.rowset import Rows
from whence.notebook.sheet.state import SheetState

_MOST = 5_000_000
"""If formulas read more stretches than this through an area, their lineage names whole columns instead."""

ReadRole = Literal["copied", "computed", "aggregated", "filtered"]


ANYWHERE = "anywhere"
"""`Key.via` of stretches that are row numbers of the data, not positions in the sheet."""


@dataclass(frozen=True)
class Key:
    """A column that was read: as the sheet shows it, or, with `is_data`, as the data has it. And in which role.

    `via` names a column of the sheet on whose cells conditions decided: the data was read only where they did. With
    `ANYWHERE` the stretches are rows of the data, wherever they stand: any of them could decide, or one was copied.
    """

    column: str
    is_data: bool
    role: ReadRole
    via: str = ""
    dataset: str = ""
    """Another dataset, whose row numbers the stretches are then; `column` is a column of it."""


@dataclass(frozen=True)
class Stretch:
    """Stretches that formulas read: the formula at position out[i] read the positions first[i] to end[i] - 1."""

    out: Rows
    first: Rows
    end: Rows


ColumnReads = dict[Key, Stretch]

Memo = dict[str, dict[int, dict[Key, list[tuple[int, int]]]]]
"""By column and position what a formula read: stretches of positions, each as its first and its end, excluded."""


class Reads:
    """Finds what the formulas of a sheet read, column by column."""

    def __init__(self, state: SheetState, cells: Evaluator) -> None:
        self._state = state
        self._cells = cells
        self.is_widened = False
        """Whether some stretches were widened to whole columns, because there were too many."""

    def all(self) -> dict[str, ColumnReads]:
        """Return what is read by each column with formulas."""
        columns = [each for each in self._state.shown if self._state.columns[each].has_formulas]
        needs = {each: [other for other in _columns(self._trees(each)) if other in columns] for each in columns}
        found: dict[str, ColumnReads] = {}
        for group, is_circular in components(columns, needs.__getitem__):
            if is_circular:
                found |= self._one_by_one(group, found)
            else:
                found[group[0]] = self._at_once(group[0], found)
        return found

    def _trees(self, column: str) -> list[Tree]:
        return self._cells.trees(self._state.columns[column])

    def _at_once(self, column: str, known: dict[str, ColumnReads]) -> ColumnReads:
        """Return the reads of a column that does not read itself, each formula for all its rows at once."""
        pieces: dict[Key, list[Stretch]] = {}
        positions, trees = self._cells.formulas(column)
        groups: dict[int, list[int]] = {}
        for place, tree in enumerate(trees):
            groups.setdefault(id(tree), []).append(place)  # cells that were filled together share one tree
        for places in groups.values():
            for key, stretch in self._of_tree(trees[places[0]], positions[places], known):
                pieces.setdefault(key, []).append(stretch)
        return {key: _merged(each) for key, each in pieces.items()}

    def _one_by_one(self, columns: list[str], known: dict[str, ColumnReads]) -> dict[str, ColumnReads]:
        """Return the reads of columns that read each other or themselves, cell by cell, each after those it reads."""
        memo: Memo = {column: {} for column in columns}
        for cells, is_cycle in self._cells.ordered(columns):
            found: dict[Key, list[tuple[int, int]]] = {}
            for column, position, tree in cells:
                at = np.array([position])
                for key, stretch in self._of_cycle(column, tree, at) if is_cycle else self._of_tree(tree, at, known):
                    found.setdefault(key, []).extend(zip(stretch.first.tolist(), stretch.end.tolist(), strict=True))
                for key, pairs in () if is_cycle else self._inherited(tree, position, memo):
                    found.setdefault(key, []).extend(pairs)
            joined = {key: _joined(pairs) for key, pairs in found.items()}
            for column, position, _ in cells:
                memo[column][position] = joined
        return {column: _flat(each) for column, each in memo.items()}

    def _inherited(self, tree: Tree, position: int, memo: Memo) -> Iterator[tuple[Key, list[tuple[int, int]]]]:
        """Yield what a formula reads through formulas of its own group of columns."""
        for other, first, last, role in self._own(tree, position, memo):
            inner = memo[other]
            inside = (first,) if first == last else (each for each in inner if first <= each <= last)
            for each in inside:
                for key, pairs in inner.get(each, {}).items():
                    yield _through(key, role), pairs

    def _of_cycle(self, column: str, tree: Tree, at: Rows) -> Iterator[tuple[Key, Stretch]]:
        """Yield what a cell of a cycle depends on: no values, only what decided that it stands there, and where."""
        yield from self._deciding(column, Stretch(at, at, at + 1))
        if self._state.order_doubt and leaves_row(tree):
            yield from (self._anywhere(base, at) for base in self._state.order_doubt)

    def _own(self, tree: Tree, position: int, columns: Iterable[str]) -> Iterator[tuple[str, int, int, ReadRole]]:
        """Yield the ranges that a formula reads in these columns, which are its own group."""
        for node, role in _nodes(tree):
            if isinstance(node, Cell) and node.column in columns:
                at = int(self._cells.targets(node.row, np.array([position]))[0])
                if at >= 0:
                    yield node.column, at, at, role
            elif isinstance(node, Area):
                ends = self._cells.ends(node, position)
                for column in node.columns:
                    if ends is not None and column in columns:
                        yield column, *ends, role

    def _of_tree(self, tree: Tree, at: Rows, known: dict[str, ColumnReads]) -> Iterator[tuple[Key, Stretch]]:
        # Which row stands where depends on the doubtful values by which rows were sorted or filtered.
        if self._state.order_doubt and leaves_row(tree):
            yield from (self._anywhere(base, at) for base in self._state.order_doubt)
        for node, role in _nodes(tree):
            if isinstance(node, Cell) and node.column in self._state.shown:
                targets = self._cells.targets(node.row, at)
                inside = targets >= 0
                read = Stretch(at[inside], targets[inside], targets[inside] + 1)
                yield Key(node.column, False, role), read
                yield from self._deciding(node.column, read)
                for key, stretch in known.get(node.column, {}).items():
                    yield _through(key, role), _composed(stretch, at[inside], targets[inside])
            elif isinstance(node, Area):
                yield from self._of_area(node, role, at, known)
            elif isinstance(node, Stored):
                yield Key(node.column, True, role), Stretch(at, at, at + 1)
            elif isinstance(node, Copied):
                row = np.full(len(at), node.row, dtype=np.int64)
                yield Key(of_column(node.column), True, role, ANYWHERE), Stretch(at, row, row + 1)
        for node in walk(tree):
            if outside_lookup(node) is not None:
                yield from self._of_lookup(node, "copied" if node is tree else "computed", at)

    def _of_lookup(self, lookup: Tree, role: ReadRole, at: Rows) -> Iterator[tuple[Key, Stretch]]:
        """Yield the cells that a lookup returns, and the keys it compared: all up to the row that matches."""
        parts = outside_lookup(lookup)
        assert parts is not None
        keys, values = (self._state.outside.column(each) for each in parts[1:])
        if isinstance(keys, FormulaError) or isinstance(values, FormulaError):
            return
        name, rows = parts[1].dataset, self._cells.matched_rows(lookup, at)
        hit, searched = rows >= 0, rows != NOT_SEARCHED
        yield Key(values[1], True, role, dataset=name), Stretch(at[hit], rows[hit], rows[hit] + 1)
        end = np.where(hit, rows + 1, keys[0].rows)[searched]
        yield Key(keys[1], True, "filtered", dataset=name), Stretch(at[searched], np.zeros_like(end), end)

    def _deciding(self, column: str, read: Stretch) -> Iterator[tuple[Key, Stretch]]:
        """Yield what conditions read to decide on those cells of a column that were read."""
        layers = self._state.columns[column].layers
        for base in dict.fromkeys(base for layer in layers for base in layer.decided):
            yield Key(of_column(base), True, "filtered", column), read
            if any(layer.is_wide for layer in layers if base in layer.decided):
                yield self._anywhere(base, self._hanging(column, base, read))

    def _hanging(self, column: str, base: str, read: Stretch) -> Rows:
        """Return the formulas that read a cell on which a condition over other rows has decided."""
        known, rows = self._state.columns[column], self._state.order.rows
        found = np.zeros(len(rows) + 1, dtype=np.int64)
        for number, reached in known.deciding(rows):
            if known.layers[number].is_wide and base in known.layers[number].decided:
                found[1:] |= reached
        before = np.cumsum(found)  # such cells before each position: a stretch has one if the number grows within it
        return read.out[before[read.end] > before[read.first]]

    def _anywhere(self, base: str, at: Rows) -> tuple[Key, Stretch]:
        every = Stretch(at, np.zeros(len(at), np.int64), np.full(len(at), self._state.source.rows, np.int64))
        return Key(of_column(base), True, "filtered", ANYWHERE), every

    def _of_area(
        self, area: Area, role: ReadRole, at: Rows, known: dict[str, ColumnReads]
    ) -> Iterator[tuple[Key, Stretch]]:
        count = self._state.order.count
        first, last = np.zeros(len(at), dtype=np.int64), np.full(len(at), count - 1, dtype=np.int64)
        if area.first is not None and area.last is not None:
            ends = [self._cells.targets(row, at) for row in (area.first, area.last)]
            first, last = np.minimum(*ends), np.maximum(*ends)
        inside = first >= 0
        at, first, last = at[inside], first[inside], last[inside]
        for column in area.columns:
            if column not in self._state.shown:
                continue
            yield Key(column, False, role), Stretch(at, first, last + 1)
            yield from self._deciding(column, Stretch(at, first, last + 1))
            for key, stretch in known.get(column, {}).items():
                yield _through(key, role), self._spread(stretch, at, first, last, self._size(key))

    def _size(self, key: Key) -> int:
        """Return how many rows the stretches of a key count in."""
        if key.dataset:
            return self._cells.outside_sources()[key.dataset].rows
        return self._state.source.rows if key.via == ANYWHERE else self._state.order.count

    def _spread(self, read: Stretch, at: Rows, first: Rows, last: Rows, size: int) -> Stretch:
        """Return what the formulas inside each of these ranges read; all `size` rows if that is too much to list."""
        order = np.argsort(read.out, kind="stable")
        low = np.searchsorted(read.out[order], first, side="left")
        high = np.searchsorted(read.out[order], last, side="right")
        if int((high - low).sum()) > _MOST:
            self.is_widened = True
            some = high > low
            count = int(some.sum())
            return Stretch(at[some], np.zeros(count, np.int64), np.full(count, size, np.int64))
        return _picked(read, order, low, high, at)


def _nodes(tree: Tree, role: ReadRole | None = None) -> Iterator[tuple[Tree, ReadRole]]:
    """Yield the references of a formula, each with its role. A formula that is one reference, such as `=B2`, copies."""
    if isinstance(tree, Cell | Stored | Copied | Area):
        yield tree, role or "copied"
        return
    for child in list(walk(tree))[1:]:
        if isinstance(child, Area):
            yield child, "aggregated"
        elif isinstance(child, Cell | Stored | Copied):
            is_gathered = isinstance(tree, Call) and child in tree.args and tree.name in _GATHER
            yield child, "aggregated" if is_gathered else "computed"


_GATHER = frozenset({"SUM", "AVERAGE", "MIN", "MAX", "PRODUCT", "MEDIAN", "COUNT", "COUNTA", "COUNTBLANK"})


def _through(key: Key, role: ReadRole) -> Key:
    """Return the key of what a formula read, for a formula that reads that one in this role: the weaker role counts."""
    rank = ("copied", "computed", "aggregated", "filtered")
    weaker: ReadRole = rank[max(rank.index(key.role), rank.index(role))]  # type: ignore[assignment]
    return replace(key, role=weaker)


def _composed(read: Stretch, at: Rows, targets: Rows) -> Stretch:
    """Return what the formulas at `targets` read, as read by the formulas at `at`, one for each target."""
    order = np.argsort(read.out, kind="stable")
    low, high = (np.searchsorted(read.out[order], targets, side=side) for side in ("left", "right"))
    return _picked(read, order, low, high, at)


def _picked(read: Stretch, order: Rows, low: Rows, high: Rows, at: Rows) -> Stretch:
    lengths = high - low
    total = int(lengths.sum())
    # Indices low[i] to high[i] - 1 for all i, one after the other, without a loop.
    starts = np.repeat(low - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths) if total else low[:0]
    chosen = order[np.arange(total, dtype=np.int64) + starts]
    return Stretch(np.repeat(at, lengths), read.first[chosen], read.end[chosen])


def _merged(pieces: list[Stretch]) -> Stretch:
    if len(pieces) == 1:
        return pieces[0]
    return Stretch(
        np.concatenate([each.out for each in pieces]),
        np.concatenate([each.first for each in pieces]),
        np.concatenate([each.end for each in pieces]),
    )


def _joined(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the stretches with those that touch made one, so that a running total stays one stretch."""
    joined: list[tuple[int, int]] = []
    for first, end in sorted(pairs):
        if joined and first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((first, end))
    return joined


def _flat(memo: dict[int, dict[Key, list[tuple[int, int]]]]) -> ColumnReads:
    found: dict[Key, list[tuple[int, int, int]]] = {}
    for position, reads in memo.items():
        for key, pairs in reads.items():
            found.setdefault(key, []).extend((position, *pair) for pair in pairs)
    arrays = {key: np.array(rows, dtype=np.int64).reshape(-1, 3) for key, rows in found.items()}
    return {key: Stretch(each[:, 0], each[:, 1], each[:, 2]) for key, each in arrays.items()}


def _columns(trees: Iterable[Tree]) -> Iterator[str]:
    for tree in trees:
        for node in walk(tree):
            if isinstance(node, Cell):
                yield node.column
            elif isinstance(node, Area):
                yield from node.columns


def leaves_row(tree: Tree) -> bool:
    """Return whether a formula names cells of other rows, or areas."""
    return any(isinstance(node, Area) or (isinstance(node, Cell) and node.row != RowOffset(0)) for node in walk(tree))
