"""Finds stale, fresh and refresher cells (Definitions 7 to 11), in time linear in the number of cells."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from whence.staleness.cells import Cell
from whence.staleness.checker import Checker, Live
from whence.staleness.lineage import Lineage
from whence.staleness.paths import Path
from whence.staleness.staleness import Staleness
from whence.staleness.symbols import Symbol


@dataclass(frozen=True, slots=True)
class Highlights:
    """The highlighted cells. `new_*` are those that were not highlighted before the last run."""

    stale: frozenset[str] = frozenset()
    fresh: frozenset[str] = frozenset()
    refresher: frozenset[str] = frozenset()
    new_fresh: frozenset[str] = frozenset()
    new_refresher: frozenset[str] = frozenset()
    would_fail: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    again: Mapping[str, str] = field(default_factory=dict)  # cells that would start from their own result, and why
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StaleUse:
    """A stale symbol that a cell reads, with the path by which the cell reaches it."""

    path: Path
    symbol: Symbol

    def index_keys(self) -> list[Path | Symbol]:
        """Return the keys under which the index lists cells that overwrite the symbol."""
        return [*self.path.prefixes(), self.symbol]


@dataclass(slots=True)
class CellView:
    """The analysis of one cell against the values that are in memory now."""

    cell: Cell
    live: list[Live]
    dead: frozenset[Path]
    stale: list[StaleUse]
    fresh: list[Symbol]  # newer than the cell; they make it fresh unless it is stale
    missing: tuple[str, ...]
    dead_parts: frozenset[Symbol] = frozenset()  # the same parts as symbols, as an alias may lead to them

    def index_keys(self) -> list[Path | Symbol]:
        """Return the keys under which the index of dead symbols lists this cell."""
        return [*self.dead, *self.dead_parts]


@dataclass(slots=True)
class NotebookView:
    """The analysis of all cells, and an index of which cells surely overwrite which symbol."""

    views: dict[str, CellView]
    staleness: Staleness
    index: dict[Path | Symbol, list[str]] = field(default_factory=dict)  # dead symbol -> cells
    refreshers: dict[str, set[str]] = field(default_factory=dict)  # refresher -> the stale cells it helps

    def renewers(self, use: StaleUse) -> list[str]:
        """Return the cells, stale or not, that surely overwrite a stale symbol."""
        return [cell for key in use.index_keys() for cell in self.index.get(key, ())]

    @property
    def stale(self) -> frozenset[str]:
        return frozenset(name for name, view in self.views.items() if view.stale)

    @property
    def fresh(self) -> frozenset[str]:
        return frozenset(name for name, view in self.views.items() if view.fresh and not view.stale)


def view_notebook(
    cells: Iterable[Cell], checker: Checker, lineage: Lineage, values: Mapping[str, object]
) -> NotebookView:
    """Analyse every cell once, then find the refreshers through an index of dead symbols (Theorem 1)."""
    staleness = Staleness(lineage)
    views = {cell.id: _view_cell(cell, checker, staleness, values) for cell in cells}
    notebook = NotebookView(views, staleness)
    _find_refreshers(notebook)
    return notebook


def _view_cell(cell: Cell, checker: Checker, staleness: Staleness, values: Mapping[str, object]) -> CellView:
    live = checker.live(cell.text)
    fresh = list(_fresh_symbols(live, cell.ran_at, staleness)) if cell.ran_at else []
    # Reads that were seen at run time are valid only while nothing that decided about them has changed.
    if cell.seen_reads and not fresh and not checker.calls_anew(cell.text, cell.ran_at):
        live += checker.look_up_all(cell.seen_reads)
        fresh = list(_fresh_symbols(live, cell.ran_at, staleness))
    stale = [use for read in live for use in stale_uses(read, staleness)]
    dead = checker.dead(cell.text)
    return CellView(
        cell=cell,
        live=live,
        dead=dead,
        stale=stale,
        fresh=fresh,
        missing=_missing(cell, live, checker, values),
        dead_parts=checker.dead_parts(dead),
    )


def stale_uses(live: Live, staleness: Staleness) -> Iterator[StaleUse]:
    """Yield the stale symbols that one live read would see: the symbol and, for a whole use, any part of it."""
    if live.symbol is None or not staleness.is_stale(live.symbol, live.whole):
        return
    if staleness.is_stale(live.symbol, whole=False):
        yield StaleUse(live.path, live.symbol)
    if live.whole:
        for path, part in _visible_parts(live, staleness):
            if staleness.is_stale(part, whole=False):
                yield StaleUse(path, part)


def _visible_parts(live: Live, staleness: Staleness) -> Iterator[tuple[Path, Symbol]]:
    """Yield the parts that a whole use sees: all but those that the cell has overwritten before."""
    if live.symbol is None:
        return
    for keys, part in staleness.parts(live.symbol):
        path = Path(live.path.name, live.path.keys + keys)
        if not any(prefix in live.assigned for prefix in path.prefixes()):
            yield path, part


def _fresh_symbols(live: list[Live], since: int, staleness: Staleness) -> Iterator[Symbol]:
    for read in live:
        if read.symbol is None or staleness.newest(read.symbol, read.whole) <= since:
            continue
        if read.symbol.bound > since:
            yield read.symbol
        elif read.whole:
            yield from (part for _, part in _visible_parts(read, staleness) if part.bound > since)


def _missing(cell: Cell, live: list[Live], checker: Checker, values: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names on which a run would surely fail: it reads them on every path, and nothing binds them."""
    stored = checker.flow(cell.text).stored
    names = {read.path.name for read in live if read.symbol is None and read.certain}
    return tuple(
        sorted(name for name in names if name not in values and name not in stored and not hasattr(builtins, name))
    )


def _find_refreshers(notebook: NotebookView) -> None:
    for name, view in notebook.views.items():
        for key in view.index_keys():
            notebook.index.setdefault(key, []).append(name)
    for name, view in notebook.views.items():
        for use in view.stale:
            for cell in notebook.renewers(use):
                if not notebook.views[cell].stale:
                    notebook.refreshers.setdefault(cell, set()).add(name)
