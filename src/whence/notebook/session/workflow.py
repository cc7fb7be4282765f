"""Turns a session into a workflow: cells without shared variables, in an order that gives what the session gave.

Cells that only import and define become one prelude, which runs before every Python cell. Cells that share variables
become one cell. All others stay as they are. A cell that reads a dataset comes after the cell that makes it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from whence.model.notebook import CellId
from whence.notebook.python.predict import mentions_workspace
from whence.notebook.session.session import LogEntry
from whence.staleness.effects import Definition
from whence.staleness.footprint import CellFootprint, definitions_after, read_footprint
from whence.staleness.order import Conflict, Execution, find_order


@dataclass(frozen=True)
class PageCell:
    """A cell on the page. `text` is None unless it is a Python cell of the session."""

    id: CellId
    text: str | None
    reads: frozenset[str] = frozenset()
    """Datasets, by lower-case name. For a Python cell the log of its last run counts instead."""
    writes: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Unit:
    """One cell of the workflow: the cells that it replaces, in order, and its text if it is Python."""

    cells: tuple[CellId, ...]
    text: str | None = None
    is_prelude: bool = False


@dataclass(frozen=True)
class Workflow:
    """The units in order, or the conflicts because of which there is no order."""

    units: tuple[Unit, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


@dataclass
class _Facts:
    """The last run of each Python cell, with its footprint and log entry."""

    runs: dict[CellId, Execution] = field(default_factory=dict)
    footprints: dict[CellId, CellFootprint] = field(default_factory=dict)
    entries: dict[CellId, LogEntry] = field(default_factory=dict)


def to_workflow(page: Sequence[PageCell], log: Sequence[LogEntry]) -> Workflow:
    """Return the cells in an order in which each gives what it gave in the session.

    >>> page = [PageCell(CellId("c1"), "total = price * 2"), PageCell(CellId("c2"), "price = 3")]
    >>> log = [LogEntry(CellId("c2"), "price = 3"), LogEntry(CellId("c1"), "total = price * 2")]
    >>> print(to_workflow(page, log).units[0].text)
    # cell c2
    price = 3
    <BLANKLINE>
    # cell c1
    total = price * 2
    """
    executed, facts = _followed(log)
    blind = [cell for cell, found in facts.footprints.items() if found.is_open]
    if blind:
        return Workflow(conflicts=tuple(_blind(cell) for cell in blind))
    order = find_order(executed, [cell.id for cell in page if cell.text is not None])
    if not order.ok:
        return Workflow(conflicts=order.conflicts)
    units = _units([CellId(cell) for cell in order.cells], facts)
    handed = [conflict for unit in units for conflict in _handed_inside(unit, facts)]
    return Workflow(conflicts=tuple(handed)) if handed else _arranged(units, page, facts)


def _followed(log: Sequence[LogEntry]) -> tuple[list[Execution], _Facts]:
    executed, facts = list[Execution](), _Facts()
    definitions: dict[str, Definition] = {}
    for entry in log:
        found = read_footprint(entry.text, definitions)
        definitions = definitions_after(entry.text, definitions)
        reads = found.reads | {_symbol(name) for name in entry.reads}
        writes = found.writes | {_symbol(name) for name in entry.writes}
        run = Execution(entry.cell, reads, writes)
        executed.append(run)
        facts.runs[entry.cell], facts.footprints[entry.cell], facts.entries[entry.cell] = run, found, entry
    return executed, facts


def _symbol(dataset: str) -> str:
    return f'ws["{dataset}"]'


def _blind(cell: CellId) -> Conflict:
    reason = f"cell {cell} runs code from a string or imports everything a module has, so what it uses is unknown"
    return Conflict("*", (cell,), reason)


def _handed_inside(unit: Unit, facts: _Facts) -> Iterable[Conflict]:
    """Yield a conflict for each dataset that one cell of a unit reads from another.

    A unit is one cell, and the datasets of a cell are made when it has ended: too late for its own text.
    """
    for number, maker in enumerate(unit.cells):
        for reader in unit.cells[number + 1 :]:
            for name in sorted(facts.entries[maker].writes & facts.entries[reader].reads):
                reason = (
                    f"cells {maker} and {reader} share variables, and {reader} reads the dataset that {maker} makes"
                )
                yield Conflict(_symbol(name), (maker, reader), reason)


def _units(order: Sequence[CellId], facts: _Facts) -> list[Unit]:
    """Return the Python cells of the workflow. Each cell of the session is in exactly one of them."""
    prelude = _prelude(order, facts)
    rest = [cell for cell in order if cell not in prelude]
    if not rest:  # a prelude alone would run before nothing
        prelude, rest = [], list(order)
    units = [Unit(tuple(prelude), _joined(prelude, facts), is_prelude=True)] if prelude else []
    return units + [Unit(tuple(group), _joined(group, facts)) for group in _groups(rest, facts)]


def _prelude(order: Sequence[CellId], facts: _Facts) -> list[CellId]:
    """Return the cells that only import and define names which no other cell binds. Each may use those before it."""
    chosen, made = list[CellId](), set[str]()
    for cell in order:
        run = facts.runs[cell]
        others = {name for other, each in facts.runs.items() if other != cell for name in each.writes}
        is_free = run.reads <= made and not run.writes & others
        if is_free and run.writes and _only_defines(facts.entries[cell].text):
            chosen.append(cell)
            made |= run.writes
    return chosen


def _only_defines(text: str) -> bool:
    body = ast.parse(text).body
    kinds = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return all(isinstance(each, kinds) for each in body) and not mentions_workspace(text)


def _groups(cells: Sequence[CellId], facts: _Facts) -> list[list[CellId]]:
    """Group cells that share variables, and cells that make the same dataset. Each group keeps the given order."""
    users: dict[str, list[CellId]] = {}
    for cell in cells:
        run = facts.runs[cell]
        for symbol in run.reads | run.writes:
            users.setdefault(symbol, []).append(cell)
    group = {cell: {cell} for cell in cells}
    for symbol, using in users.items():
        writers = [cell for cell in using if symbol in facts.runs[cell].writes]
        is_dataset = symbol.startswith('ws["')
        if writers and (len(writers) > 1 or not is_dataset):
            together = set[CellId]().union(*(group[cell] for cell in using))
            group.update(dict.fromkeys(together, together))
    seen, found = set[CellId](), list[list[CellId]]()
    for cell in cells:
        if cell not in seen:
            found.append([each for each in cells if each in group[cell]])
            seen |= group[cell]
    return found


def _joined(cells: Sequence[CellId], facts: _Facts) -> str:
    """Return the texts of cells as one text, which still shows the last value of each cell that showed it."""
    if len(cells) == 1:
        return facts.entries[cells[0]].text
    texts = []
    for number, cell in enumerate(cells):
        entry = facts.entries[cell]
        text = _displayed(entry.text) if entry.showed and number < len(cells) - 1 else entry.text
        texts.append(f"# cell {cell}\n{text.rstrip()}")
    return "\n\n".join(texts)


def _displayed(text: str) -> str:
    """Return a text with its last expression wrapped in `display`, so that more text may follow.

    >>> _displayed("x = 1\\nx")
    'x = 1\\ndisplay(x)'
    """
    last = ast.parse(text).body[-1]
    assert last.end_lineno is not None
    # Columns in a syntax tree count bytes of UTF-8.
    lines = text.encode().splitlines(keepends=True)
    before = b"".join(lines[: last.lineno - 1]) + lines[last.lineno - 1][: last.col_offset]
    inside = b"".join([*lines[: last.end_lineno - 1], lines[last.end_lineno - 1][: last.end_col_offset]])[len(before) :]
    after = text.encode()[len(before) + len(inside) :]
    return (before + b"display(" + inside + b")" + after).decode()


def _arranged(units: list[Unit], page: Sequence[PageCell], facts: _Facts) -> Workflow:
    """Order all cells, also of other kinds: makers of a dataset before its readers, and otherwise as on the page."""
    others = [Unit((cell.id,)) for cell in page if cell.text is None]
    place = {cell.id: number for number, cell in enumerate(page)}
    every = sorted([*units, *others], key=lambda unit: (not unit.is_prelude, min(place[cell] for cell in unit.cells)))
    reads, writes = _datasets(every, page, facts)
    waiting, done = list(every), list[Unit]()
    while waiting:
        ready = next((unit for unit in waiting if not _blockers(unit, waiting, reads, writes, place)), None)
        if ready is None:
            return Workflow(conflicts=tuple(_circle(waiting, reads, writes, place)))
        waiting.remove(ready)
        done.append(ready)
    return Workflow(tuple(done))


_Names = Mapping[Unit, frozenset[str]]


def _datasets(units: Iterable[Unit], page: Sequence[PageCell], facts: _Facts) -> tuple[_Names, _Names]:
    there = {cell.id: cell for cell in page}
    reads, writes = {}, {}
    for unit in units:
        if unit.text is None:
            reads[unit], writes[unit] = there[unit.cells[0]].reads, there[unit.cells[0]].writes
        else:
            entries = [facts.entries[cell] for cell in unit.cells]
            writes[unit] = frozenset(name for entry in entries for name in entry.writes)
            reads[unit] = frozenset(name for entry in entries for name in entry.reads)
    return reads, writes


def _blockers(
    unit: Unit, waiting: Sequence[Unit], reads: _Names, writes: _Names, place: Mapping[CellId, int]
) -> list[Unit]:
    """Return the waiting units that make what a unit reads. Two cells of other kinds keep the order of the page."""
    return [
        other
        for other in waiting
        if other is not unit
        and reads[unit] & writes[other]
        and (unit.text is not None or other.text is not None or place[other.cells[0]] < place[unit.cells[0]])
    ]


def _circle(waiting: Sequence[Unit], reads: _Names, writes: _Names, place: Mapping[CellId, int]) -> Iterable[Conflict]:
    for unit in waiting:
        for other in _blockers(unit, waiting, reads, writes, place):
            if unit.text is not None:
                name = min(reads[unit] & writes[other])
                cells = ", ".join(unit.cells)
                reason = (
                    f"cells {cells} share variables, and cell {other.cells[0]} needs what they make to make `{name}`"
                )
                yield Conflict(_symbol(name), (*unit.cells, *other.cells), reason)
