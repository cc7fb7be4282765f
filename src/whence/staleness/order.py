"""Finds an order in which a notebook's cells, each run once, would give the same as the session did.

Every cell must read what it read in its last run. So the cell that made a value comes before the cell that read it,
and no other cell that writes the variable comes between the two. The second rule leaves a choice (before the first or
after the second), as in the test for view serialisability. A search decides it, and tries the page order first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from whence.staleness.effects import Definition
from whence.staleness.footprint import definitions_after, read_footprint

_BEFORE = ""  # stands for what was there before the first cell; no cell has this id


@dataclass(frozen=True, slots=True)
class Execution:
    """One run of a cell: the variables whose earlier values it read, and those it wrote."""

    cell: str
    reads: frozenset[str]
    writes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why there is no order: cells whose rules contradict each other, and the variable that they share."""

    symbol: str
    cells: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class CellOrder:
    """An order in which every cell reads what it read in the session, or the conflicts that make it impossible."""

    cells: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is an order."""
        return not self.conflicts


@dataclass(frozen=True, slots=True)
class _Read:
    """A fact of the session: in its last run, a cell read a variable that the last run of `source` wrote."""

    reader: str
    symbol: str
    source: str


def executions(log: Iterable[tuple[str, str]]) -> list[Execution]:
    """Return what each run of a session read and wrote, by analysis of its text. `log` has pairs of cell and text.

    >>> [sorted(run.reads) for run in executions([("c1", "k = 1\\ndef f():\\n    return k"), ("c2", "x = f()")])]
    [[], ['f', 'k']]
    """
    found: list[Execution] = []
    definitions: dict[str, Definition] = {}
    for cell, text in log:
        footprint = read_footprint(text, definitions)
        found.append(Execution(cell, footprint.reads, footprint.writes))
        definitions = definitions_after(text, definitions)
    return found


def find_order(log: Sequence[Execution], page: Sequence[str] | None = None) -> CellOrder:
    """Return an order in which each cell reads what it read in its last run. `page` is the order to prefer.

    >>> runs = executions([("b", "x = 1"), ("a", "y = x"), ("c", "x = 5")])
    >>> find_order(runs, ["a", "b", "c"]).cells
    ('b', 'a', 'c')
    >>> find_order(executions([("a", "x = 1"), ("b", "y = x"), ("a", "x = 2")])).conflicts[0].reason
    'cell b read `x` from an earlier run of cell a'
    """
    ran = list(dict.fromkeys(run.cell for run in log))
    preferred = [cell for cell in page or ran if cell in ran]
    cells = preferred + [cell for cell in ran if cell not in preferred]
    reads, conflicts = _read_from(log)
    if conflicts:
        return CellOrder(conflicts=tuple(conflicts))
    writers = _writers(log)
    order = _Search(cells, writers).find(reads)
    if order is not None:
        return CellOrder(tuple(order))
    return CellOrder(conflicts=tuple(_explain(_core(reads, cells, writers), writers)))


def _read_from(log: Sequence[Execution]) -> tuple[list[_Read], list[Conflict]]:
    """Return from which cell each last run read each variable. A read from a run that was repeated is a conflict."""
    last = {run.cell: number for number, run in enumerate(log)}
    made: dict[str, int] = {}
    reads: list[_Read] = []
    conflicts: list[Conflict] = []
    for number, run in enumerate(log):
        for symbol in sorted(run.reads) if last[run.cell] == number else ():
            source = made.get(symbol)
            if source is None:
                reads.append(_Read(run.cell, symbol, _BEFORE))
            elif last[log[source].cell] == source:
                reads.append(_Read(run.cell, symbol, log[source].cell))
            else:
                conflicts.append(_old_run(run.cell, symbol, log[source].cell))
        made.update(dict.fromkeys(run.writes, number))
    return reads, conflicts


def _old_run(reader: str, symbol: str, source: str) -> Conflict:
    if reader == source:
        return Conflict(symbol, (reader,), f"cell {reader} read `{symbol}` from its own earlier run")
    return Conflict(symbol, (source, reader), f"cell {reader} read `{symbol}` from an earlier run of cell {source}")


def _writers(log: Sequence[Execution]) -> dict[str, set[str]]:
    """Return the cells that write each variable in their last run."""
    found: dict[str, set[str]] = {}
    for run in {run.cell: run for run in log}.values():
        for symbol in run.writes:
            found.setdefault(symbol, set()).add(run.cell)
    return found


_After = dict[str, set[str]]
"""For each cell, all cells that must come after it; always transitively closed."""


class _Search:
    """A backtracking search for an order. It decides on which side of a read each other writer goes."""

    def __init__(self, cells: Sequence[str], writers: dict[str, set[str]]) -> None:
        self._place = {cell: number for number, cell in enumerate(cells)}
        self._writers = writers

    def find(self, reads: Iterable[_Read]) -> list[str] | None:
        after: _After = {cell: set() for cell in self._place}
        choices: list[tuple[str, str, str]] = []
        for read in reads:
            if read.source != _BEFORE and not _put(after, read.source, read.reader):
                return None
            others = sorted(self._writers.get(read.symbol, set()) - {read.reader, read.source})
            choices += [(other, read.source, read.reader) for other in others]
        return self._decide(after, choices)

    def _decide(self, after: _After, choices: list[tuple[str, str, str]]) -> list[str] | None:
        """Apply choices that have only one side left until none remains, then try both sides of the others."""
        open_choices = choices
        while True:
            waiting: list[tuple[str, str, str]] = []
            for choice in open_choices:
                sides = self._sides(after, choice)
                if not sides:
                    return None
                if len(sides) == 1:
                    _put(after, *sides[0])
                else:
                    waiting.append(choice)
            if len(waiting) == len(open_choices):
                break
            open_choices = waiting
        if not open_choices:
            return self._arrange(after)
        return self._try_both(after, open_choices)

    def _try_both(self, after: _After, choices: list[tuple[str, str, str]]) -> list[str] | None:
        choice, *others = choices
        for side in self._sides(after, choice):
            trial = {cell: set(later) for cell, later in after.items()}
            if _put(trial, *side):
                found = self._decide(trial, others)
                if found is not None:
                    return found
        return None

    def _sides(self, after: _After, choice: tuple[str, str, str]) -> list[tuple[str, str]]:
        """Return the sides left for another writer: before the source or after the reader, the side of the page first.

        Return an empty list if it would have to come between the two.
        """
        other, source, reader = choice
        before = [(other, source)] if source != _BEFORE and other not in after[source] else []
        behind = [(reader, other)] if reader not in after[other] else []
        done = (source != _BEFORE and source in after[other]) or other in after[reader]
        if done:
            return [(other, source)] if source != _BEFORE and source in after[other] else [(reader, other)]
        likes_before = source != _BEFORE and self._place[other] < self._place[source]
        return [*before, *behind] if likes_before else [*behind, *before]

    def _arrange(self, after: _After) -> list[str]:
        """Return the order closest to the page: of the cells that may come next, always the highest."""
        left = dict(self._place)
        order: list[str] = []
        while left:
            ready = [cell for cell in left if not any(cell in after[other] for other in left if other != cell)]
            order.append(min(ready, key=left.__getitem__))
            del left[order[-1]]
        return order


def _put(after: _After, first: str, second: str) -> bool:
    """Record that one cell comes before another, with what follows from it; False if that contradicts the record."""
    if first == second or first in after[second]:
        return False
    later = after[second] | {second}
    for cell, known in after.items():
        if cell == first or first in known:
            known |= later
    return True


def _core(reads: list[_Read], cells: Sequence[str], writers: dict[str, set[str]]) -> list[_Read]:
    """Return a minimal set of reads that contradict each other: drop each read that is not needed for that."""
    kept = list(reads)
    for read in reads:
        rest = [other for other in kept if other is not read]
        if _Search(cells, writers).find(rest) is None:
            kept = rest
    return kept


def _explain(core: list[_Read], writers: dict[str, set[str]]) -> Iterator[Conflict]:
    for symbol in dict.fromkeys(read.symbol for read in core):
        concerned = [read for read in core if read.symbol == symbol]
        involved = {cell for read in concerned for cell in (read.reader, read.source)} | writers.get(symbol, set())
        cells = tuple(sorted(involved - {_BEFORE}))
        yield Conflict(symbol, cells, " and ".join(_sentence(read, writers) for read in concerned))


def _sentence(read: _Read, writers: dict[str, set[str]]) -> str:
    source = (
        f"the `{read.symbol}` of cell {read.source}" if read.source else f"`{read.symbol}` before any cell wrote it"
    )
    others = sorted(writers.get(read.symbol, set()) - {read.reader, read.source})
    rivals = f", which cell{'s' if len(others) > 1 else ''} {', '.join(others)} would overwrite" if others else ""
    return f"cell {read.reader} needs {source}{rivals}"
