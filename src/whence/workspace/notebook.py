"""A notebook in the user's hands: cells that talk through datasets, every edit a version, nothing run that need not."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Literal, Self

from whence.model.errors import UserError
from whence.model.notebook import CellId, CellRun, CellVersion, Entry, Mode, NotebookRecord, VersionRecord
from whence.model.plural import counted
from whence.notebook.cells.parameters import read_parameters
from whence.notebook.control import Progress
from whence.notebook.display import Display
from whence.notebook.exchange.jupyter import to_jupyter
from whence.notebook.exchange.text import to_text
from whence.notebook.run_cell import find_kind
from whence.notebook.schedule.estimate import Estimate
from whence.notebook.schedule.events import Listener
from whence.notebook.schedule.survey import CellState
from whence.notebook.versions.book import Command
from whence.notebook.versions.edits import Delete, Replace, ReplaceAll, Thaw, position
from whence.store.shares import shares_of
from whence.workspace.cell_values import change_cell, check_cell
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset
from whence.workspace.notebook_cell import Cell, Outputs
from whence.workspace.notebook_diff import NotebookDiff
from whence.workspace.notebook_edits import NotebookEdits
from whence.workspace.notebook_files import read_content, write_script
from whence.workspace.notebook_results import compare_versions, find_doubtful, read_outputs, read_results
from whence.workspace.notebook_session import NotebookSession
from whence.workspace.notebook_snapshot import NotebookSnapshot
from whence.workspace.open_notebook import OpenNotebook
from whence.workspace.share import Share, make_share


class Notebook:
    """Edit any cell, and exactly what depends on it runs again.

    >>> tour = ws.notebook("tour")
    >>> numbers = tour.append("sql", source="select explode(sequence(1, 4)) as n", name="numbers")
    >>> total = tour.append("sql", source="select sum(n) as total from numbers", name="total")
    >>> tour.wait()
    <Notebook tour: 2 cells, branch main, version 2>
    >>> ws["total"].to_arrow().to_pylist(), total.status
    ([{'total': 10}], 'ready')
    """

    is_read_only: Literal[False] = False

    def __init__(self, context: Callable[[], Context], record: NotebookRecord) -> None:
        self._open = OpenNotebook(context, record)
        self._edits = NotebookEdits(self._open)
        self.runner = self._open.runner

    @property
    def name(self) -> str:
        """What the notebook is called."""
        return self._open.record.name

    @property
    def version(self) -> int:
        """The newest version of the branch checked out; 0 before the first edit."""
        return self._open.version

    @property
    def branch_name(self) -> str:
        """The branch checked out."""
        return self._open.record.branch

    @property
    def mode(self) -> Mode:
        """`auto` runs what an edit made stale, `lazy` only marks it; in a `session` Python cells share variables."""
        return self._open.record.mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        if mode not in ("auto", "lazy", "session"):
            raise UserError(f"A notebook cannot run {mode!r}.", "Use auto, lazy or session.")
        self._open.set_mode(mode)

    @property
    def session(self) -> NotebookSession:
        """The variables that Python cells share, if `mode` is "session": what is out of date, and the way back."""
        return NotebookSession(self, lambda: self._open.shared)

    @property
    def time_limit(self) -> float | None:
        """Seconds after which a cell is stopped; None lets it run."""
        return self.runner.time_limit

    @time_limit.setter
    def time_limit(self, seconds: float | None) -> None:
        self.runner.time_limit = seconds

    @property
    def cells(self) -> list[Cell]:
        """The cells, from top to bottom."""
        return [Cell(self, entry.cell) for entry in self._open.entries]

    def cell(self, id: str) -> Cell:
        """The cell with this id."""
        position(self._open.entries, CellId(id))
        return Cell(self, CellId(id))

    def append(
        self,
        kind: str,
        source: object = None,
        name: str | None = None,
        *,
        command_id: str | None = None,
        base_version: int | None = None,
        **parameters: object,
    ) -> Cell:
        """A new cell behind all others; it runs at once, unless the notebook is lazy."""
        version = check_cell(kind, source, name, parameters)
        return Cell(self, self._edits.append(version, self._command(base_version, command_id)))

    def insert(
        self,
        position: int,
        kind: str,
        source: object = None,
        name: str | None = None,
        *,
        command_id: str | None = None,
        base_version: int | None = None,
        **parameters: object,
    ) -> Cell:
        """A new cell at a place, counted from 0.

        >>> nb = ws.notebook("places")
        >>> second = nb.append("markdown", source="second")
        >>> first = nb.insert(0, "markdown", source="first")
        >>> [cell.source for cell in nb.cells]
        ['first', 'second']
        """
        version = check_cell(kind, source, name, parameters)
        return Cell(self, self._edits.insert(version, position, self._command(base_version, command_id)))

    def add_draft(
        self,
        kind: str,
        position: int | None = None,
        *,
        command_id: str | None = None,
        base_version: int | None = None,
    ) -> Cell:
        """Put in an empty cell, behind all others or at a place counted from 0; `update` fills it in.

        A draft is kept and versioned like any other cell, but it does not run, and no cell waits for it.

        >>> nb = ws.notebook("later")
        >>> cell = nb.add_draft("markdown")
        >>> cell.status, nb.update(cell, source="# Done").status == "draft"
        ('draft', False)
        """
        find_kind(kind)
        draft, command = CellVersion(kind, {}), self._command(base_version, command_id)
        if position is None:
            return Cell(self, self._edits.append(draft, command))
        return Cell(self, self._edits.insert(draft, position, command))

    def update(
        self,
        cell: Cell | str,
        source: object = None,
        name: str | None = None,
        *,
        kind: str | None = None,
        command_id: str | None = None,
        base_version: int | None = None,
        **parameters: object,
    ) -> Cell:
        """Change what a cell says; parameters that are not given stay, one given as None goes.

        If somebody else changed the cell since `base_version`, `EditConflict` carries both texts, and this one is kept
        as a version to the side.
        """
        id = _id(cell)
        entries = self._open.entries_at(base_version)
        was = self._open.cell_version(entries[position(entries, id)])
        version = change_cell(was, kind, source, name, parameters)
        self._open.commit(Replace(id, version.hash), version, self._command(base_version, command_id))
        return Cell(self, id)

    def delete(self, cell: Cell | str, *, command_id: str | None = None, base_version: int | None = None) -> None:
        """Take a cell out; earlier versions keep it."""
        self._open.commit(Delete(_id(cell)), None, self._command(base_version, command_id))

    def move(
        self, cell: Cell | str, position: int, *, command_id: str | None = None, base_version: int | None = None
    ) -> None:
        """Put a cell at another place, counted from 0 among the others."""
        self._edits.move(_id(cell), position, self._command(base_version, command_id))

    def freeze(self, cell: Cell | str) -> None:
        """Let a cell keep what it gave, whatever changes around it."""
        self._edits.freeze(_id(cell), self.state_of(_id(cell)).run)

    def thaw(self, cell: Cell | str) -> None:
        """Let a frozen cell run again."""
        self._open.commit(Thaw(_id(cell)), None, self._command())

    def run(self, cell: Cell | str | None = None, *, again: bool = False) -> Self:
        """Run a cell and whatever above it is not ready; without a cell, all that is not ready.

        `again` runs the cell, or all cells, even if nothing changed.
        """
        if cell is None:
            states = self.runner.states()
            chosen = [entry.cell for entry in self._open.entries if again or states[entry.cell].status != "ready"]
            self.runner.request(
                [each for each in chosen if states[each].status not in ("frozen", "draft")], again=again
            )
        else:
            said = self.said_by(_id(cell))
            if said.is_draft:
                find_kind(said.kind).check(said.values)  # says what is missing
            self.runner.request([_id(cell)], again=again)
        return self

    def run_stale(self) -> Self:
        """Run every cell that is stale; errors that would only repeat stay."""
        states = self.runner.states()
        self.runner.request([cell for cell, state in states.items() if state.is_needed])
        return self

    def cancel(self, cell: Cell | str | None = None, *, hard: bool = False) -> None:
        """Stop a cell, or all; `hard` restarts Spark if need be, even while other cells run, which then run again."""
        self.runner.cancel(None if cell is None else [_id(cell)], hard=hard)

    def wait(self, timeout: float | None = None) -> Self:
        """Return when every cell that was to run has run."""
        if not self.runner.wait(timeout):
            raise UserError(f"The notebook {self.name} is still running after {timeout:g} seconds.")
        return self

    def estimate(self) -> Estimate:
        """How long the cells that wait or run took the last time."""
        return self.runner.estimate()

    def listen(self, listener: Listener) -> None:
        """Call this with every change of a cell, its progress, what it shows, and long runs ahead."""
        self.runner.listen(listener)

    def made_by(self, command_id: str) -> VersionRecord | None:
        """The version that the edit with this id made, if it came before."""
        return self._open.book.made_by(command_id)

    def history(self) -> list[VersionRecord]:
        """Every version of every branch, oldest first."""
        return self._open.book.history()

    def branches(self) -> dict[str, int]:
        """The newest version of each branch."""
        return self._open.book.heads()

    def branch(self, name: str, at: int | None = None) -> None:
        """A new branch that begins at a version; `checkout` goes there."""
        self._open.book.branch(name, self.version if at is None else at)

    def checkout(self, name: str) -> Self:
        """Work on another branch: its cells, and in the workspace its datasets."""
        self._open.checkout(name)
        return self

    def restore(self, version: int) -> int:
        """Bring an earlier version back, as a new one; what it gave is still there."""
        self._open.commit(ReplaceAll(self._open.book.cells(version)), None, self._command())
        return self.version

    def results(self, version: int | None = None) -> dict[str, Dataset]:
        """The datasets that a version, by default this one, ends with, by name and as far as it ran.

        >>> nb = ws.notebook("ending")
        >>> _ = nb.append("sql", source="select 1 as x", name="end")
        >>> nb.wait().results()
        {'end': <Dataset end@1: 1 row x 1 column>}
        """
        return read_results(self._open, version)

    def compare(self, before: int, after: int) -> NotebookDiff:
        """What two versions differ in: cells with their texts, and the datasets they end with, as far as they ran.

        >>> nb = ws.notebook("comparing")
        >>> cell = nb.append("sql", source="select 1 as x", name="one")
        >>> _ = nb.wait().update(cell, source="select 2 as x")
        >>> found = nb.wait().compare(1, 2)
        >>> print(found.cells[0].diff.replace("@@ -1,3 +1,3 @@\\n", ""))
         sql
         name = "one"
        -select 1 as x
        +select 2 as x
        >>> found.datasets[0].rows, found.datasets[0].diff
        ((1, 1), <one@2 against one@1: 0 rows added, 0 removed, 1 cells changed>)
        """
        return compare_versions(self._open, before, after)

    def share(self, version: int | None = None, *, days: float | None = 30) -> Share:
        """A link through which others read one version and its results, as they are now, and nothing else.

        >>> nb = ws.notebook("for others")
        >>> _ = nb.append("markdown", source="# Prices")
        >>> link = nb.wait().share(days=7)
        >>> link.version, [each.id == link.id for each in nb.shares()]
        (1, [True])
        >>> link.revoke()
        >>> nb.shares()
        []
        """
        chosen = self.version if version is None else version
        states = self.runner.states_of(self._open.book.cells(chosen))
        return make_share(lambda: self._open.context().store, self._open.record.id, chosen, states, days)

    def shares(self) -> list[Share]:
        """The links to versions of this notebook that still open, oldest first."""
        with self._open.context().store.database.read() as connection:
            records = shares_of(connection, self._open.record.id)
        return [Share(lambda: self._open.context().store, record) for record in records]

    @property
    def text(self) -> str:
        """The notebook as text that compares well line by line; `ws.read_notebook` takes it in again."""
        return to_text(read_content(self._open))

    def export(self, path: str | os.PathLike[str], *, outputs: bool = False) -> None:
        """Write the notebook to a file: as a Jupyter notebook (.ipynb), as a plain PySpark script (.py), else as text.

        A script reads what no query can make from a folder `data`, which is written beside it. What cells showed goes
        into a Jupyter notebook only if `outputs` says so.

        >>> nb = ws.notebook("exported")
        >>> _ = nb.append("sql", source="select 1 as x", name="one")
        >>> nb.wait().export("one.py")
        >>> Path("one.py").read_text().splitlines()[-1]
        "name('one', spark.sql('select 1 as x'))"
        """
        target = Path(path)
        content = read_content(self._open)
        match target.suffix.lower():
            case ".ipynb":
                shown = [cell.outputs.displays for cell in self.cells] if outputs else None
                text = to_jupyter(content, shown)
            case ".py":
                text = write_script(self._open, target)
            case _:
                text = to_text(content)
        target.write_bytes(text.encode("utf-8"))

    def replace(self, cells: Sequence[CellVersion], frozen: Collection[int] = ()) -> int:
        """Put other cells in the place of all, as one new version; cells that say the same keep what they gave.

        Nothing runs until somebody asks for it. Of `frozen`, the places of cells that are to be frozen, each keeps what
        a cell that says the same gave last; one of which no run is known keeps nothing until it is thawed.
        """
        self._edits.replace_all(cells, frozen)
        return self.version

    def set_parameters(self, values: Mapping[str, object]) -> None:
        """Give parameters other values, in the last parameters cell that sets each; one that none sets is an error."""
        waiting = dict(values)
        for cell in reversed(self.cells):
            if cell.kind == "parameters" and cell.status != "draft" and waiting:
                given = read_parameters(cell.values["source"])
                mine = {name: waiting.pop(name) for name in list(waiting) if name in given}
                if any(given[name] != value for name, value in mine.items()):
                    self.update(cell, source={**given, **mine})
        if waiting:
            raise UserError(f"No parameters cell of {self.name} sets {', '.join(waiting)}.")

    def doubtful(self) -> list[Dataset]:
        """The datasets the notebook ends with in which something is in doubt that nobody has acknowledged."""
        return find_doubtful(self._open)

    def at(self, version: int) -> list[CellVersion]:
        """What the cells of a version say, from top to bottom."""
        return [self._open.cell_version(entry) for entry in self._open.book.cells(version)]

    def outputs_of(self, run: CellRun | None) -> Outputs:
        """What a run made; of one that was cancelled, what it showed and the datasets its cell had made before."""
        return read_outputs(self._open, run)

    def shown_by(self, cell: CellId) -> tuple[Display, ...] | None:
        """What a running cell has shown so far; None if it does not run."""
        return self.runner.shown(cell)

    def said_by(self, cell: CellId) -> CellVersion:
        """What a cell says now."""
        return self._open.current_version(cell)

    def state_of(self, cell: CellId) -> CellState:
        """How a cell stands."""
        entries = self._open.entries
        position(entries, cell)
        return self.runner.states_of(entries)[cell]

    def snapshot(self) -> NotebookSnapshot:
        """The newest version and how its cells stand, read at one moment."""
        version = self.version
        entries = self._open.book.cells(version)
        texts = {entry: self._open.cell_version(entry) for entry in entries}
        return NotebookSnapshot(self, version, texts, self.runner.states_of(entries))

    def progress_of(self, cell: CellId) -> Progress | None:
        """How far a running cell is."""
        return self.runner.progress(cell)

    def close(self) -> None:
        """Stop all cells; the workspace does it when it is closed."""
        self._open.close()

    def said_now(self) -> list[tuple[Entry, CellVersion]]:
        """The cells with what they say, from top to bottom."""
        return [(entry, self._open.cell_version(entry)) for entry in self._open.entries]

    def become_workflow(self, cells: Sequence[tuple[CellId, CellVersion]]) -> None:
        """Leave the session with these cells, as a new version; nothing runs."""
        entries = tuple(Entry(cell, said.hash) for cell, said in cells)
        self._open.commit_all(ReplaceAll(entries, "workflow"), [each for _, each in cells])
        self.mode = "auto"

    def _command(self, base_version: int | None = None, command_id: str | None = None) -> Command:
        return Command(self._open.author, base_version, command_id)

    def __repr__(self) -> str:
        cells = counted(len(self._open.entries), "cell")
        return f"<Notebook {self.name}: {cells}, branch {self.branch_name}, version {self.version}>"


def _id(cell: Cell | str) -> CellId:
    return cell.id if isinstance(cell, Cell) else CellId(cell)
