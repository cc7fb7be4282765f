"""`nb.session`: Python cells that share one interpreter and run in any order, and the way back to a workflow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self

from whence.model.errors import UserError
from whence.model.notebook import CellId, CellVersion, Entry
from whence.notebook.run_cell import find_kind
from whence.notebook.session.session import SHARED_KIND, SharedSession
from whence.notebook.session.workflow import PageCell, Unit, Workflow, to_workflow
from whence.staleness.highlights import Highlights
from whence.staleness.order import CellOrder
from whence.staleness.upstream import Upstream
from whence.workspace.notebook_cell import Cell, cell_id


class Holder(Protocol):
    """The part of a notebook that its session needs."""

    def cell(self, id: str) -> Cell:
        """Return the cell with this id."""

    def run(self, cell: Cell | str | None = None) -> object:
        """Run a cell."""

    def wait(self, timeout: float | None = None) -> object:
        """Wait until no cell runs."""

    def cell_versions(self) -> list[tuple[Entry, CellVersion]]:
        """Return the cells of the newest version with their kind and values, from top to bottom."""

    def become_workflow(self, cells: list[tuple[CellId, CellVersion]]) -> None:
        """Leave the session: make these cells a new version, in which cells share no variables."""


class NotebookSession:
    """The session of a notebook, in which Python cells share variables. `nb.mode = "session"` begins one.

    >>> nb = ws.notebook("any order")
    >>> nb.mode = "session"
    >>> rate = nb.append("python", source="rate = 2")
    >>> gross = nb.append("python", source="gross = 10 * rate")
    >>> shown = nb.append("python", source="print(gross)")
    >>> shown.outputs.text, nb.run().wait() and shown.outputs.text
    ('', '20\\n')
    >>> _ = nb.update(rate, source="rate = 3")
    >>> _ = nb.run(rate).wait()
    >>> print(nb.session.highlights().reasons[shown.id])
    uses `gross` from cell c2, which was built with the old `rate`; run cell c2 first
    >>> nb.session.run_with_upstream(shown), shown.outputs.text
    (('c2', 'c3'), '30\\n')
    """

    def __init__(self, notebook: Holder, shared: Callable[[], SharedSession | None]) -> None:
        self._notebook = notebook
        self._find = shared

    @property
    def is_running(self) -> bool:
        """Whether the session has an interpreter with variables."""
        shared = self._find()
        return shared is not None and shared.is_running

    @property
    def lost(self) -> str:
        """The reason why the variables of an earlier interpreter are gone; empty if none were lost."""
        shared = self._find()
        return "" if shared is None else shared.lost

    def highlights(self) -> Highlights:
        """Return the stale, fresh and refresher cells, each with the reason; while a cell runs, the state before it."""
        return self._shared.highlights()

    def upstream(self, cell: Cell | str) -> Upstream:
        """Return the cells to run, in order and ending with this one, so that it reads no stale variable."""
        return self._shared.upstream(self._id(cell))

    def run_with_upstream(self, cell: Cell | str) -> tuple[str, ...]:
        """Run the cells that a cell needs, in order, then the cell. Stop at the first failure. Return what ran."""
        done: list[str] = []
        for each in self.upstream(cell).cells:
            self._notebook.run(each)
            self._notebook.wait()
            done.append(each)
            if self._notebook.cell(each).status in ("error", "cancelled"):
                break
        return tuple(done)

    def restart(self) -> Self:
        """End the interpreter with all its variables, even while a cell runs. The next cell starts a new one."""
        self._shared.restart()
        return self

    def to_workflow(self) -> CellOrder:
        """Leave the session: reorder and merge the cells into a new version in which cells share no variables.

        Cells that only import and define become a prelude, cells that pass variables to each other become one cell, and
        a cell comes after those it reads from. If no order gives the results of the session, nothing changes, and the
        conflicts in the answer say which cells disagree about which variable. Nothing runs.

        >>> nb = ws.notebook("to keep")
        >>> nb.mode = "session"
        >>> out = nb.append("python", source="ws['doubled'] = [{'n': n} for n in twice]")
        >>> made = nb.append("python", source="twice = [2 * n for n in range(3)]")
        >>> _ = nb.run(made).run(out).wait()
        >>> nb.session.to_workflow().cells
        ('c2', 'c1')
        >>> print(nb.cells[0].source)
        # cell c2
        twice = [2 * n for n in range(3)]
        <BLANKLINE>
        # cell c1
        ws['doubled'] = [{'n': n} for n in twice]
        >>> nb.mode, nb.run().wait() and ws["doubled"].to_arrow().to_pylist()
        ('auto', [{'n': 0}, {'n': 2}, {'n': 4}])
        """
        shared = self._shared
        if not shared.is_idle():
            raise UserError("The session is running a cell.", "Wait for it, or cancel it.")
        shared.check_all_ran()
        versions = self._notebook.cell_versions()
        found = to_workflow([_page_cell(entry, each) for entry, each in versions], shared.log)
        if found.conflicts:
            return CellOrder(conflicts=found.conflicts)
        self._notebook.become_workflow(_cells_of(found, {entry.cell: each for entry, each in versions}))
        return CellOrder(tuple(cell for unit in found.units for cell in unit.cells))

    @property
    def _shared(self) -> SharedSession:
        shared = self._find()
        if shared is None:
            raise UserError("This notebook is not in a session.", 'Set nb.mode = "session".')
        return shared

    def _id(self, cell: Cell | str) -> CellId:
        id = cell_id(cell)
        if self._notebook.cell(id).kind != SHARED_KIND:
            raise UserError(f"Cell {id} is not a Python cell, so it shares no variables.")
        return id


def _page_cell(entry: Entry, version: CellVersion) -> PageCell:
    """Return a cell as `to_workflow` sees it: a Python cell by its text, others by the datasets they read and write."""
    if version.is_draft:
        return PageCell(entry.cell, None)
    if version.kind == SHARED_KIND:
        return PageCell(entry.cell, str(version.values.get("source") or ""))
    footprint = find_kind(version.kind).footprint(version.values)
    names = (frozenset(name.lower() for name in each or ()) for each in (footprint.reads, footprint.writes))
    return PageCell(entry.cell, None, *names)


def _cells_of(found: Workflow, versions: dict[CellId, CellVersion]) -> list[tuple[CellId, CellVersion]]:
    """Return the cells of the workflow, each under the id of the first session cell in it."""
    return [(unit.cells[0], _unit_version(unit, versions[unit.cells[0]])) for unit in found.units]


def _unit_version(unit: Unit, was: CellVersion) -> CellVersion:
    """Return the cell of a unit of the workflow. A cell that stands alone stays as it was."""
    if unit.text is None or (len(unit.cells) == 1 and not unit.is_prelude and not was.values.get("prelude")):
        return was
    return CellVersion(SHARED_KIND, {"source": unit.text, **({"prelude": True} if unit.is_prelude else {})})
