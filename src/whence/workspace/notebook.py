"""A notebook in the user's hands: cells that talk through datasets, every edit a version, nothing run that need not."""

from __future__ import annotations

import getpass
import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal, Self

from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.model.notebook import CellId, CellRun, CellRunId, CellVersion, Entry, Mode, NotebookRecord, VersionRecord
from whence.model.plural import counted
from whence.notebook.cells.parameters import read_parameters
from whence.notebook.cells.registry import CELL_KINDS
from whence.notebook.control import Progress
from whence.notebook.display import Display, from_json
from whence.notebook.exchange.jupyter import to_jupyter
from whence.notebook.exchange.script import ScriptStep, to_script
from whence.notebook.exchange.text import Content, to_text
from whence.notebook.export.export import export_dataset
from whence.notebook.run_cell import find_kind
from whence.notebook.schedule.estimate import Estimate
from whence.notebook.schedule.events import Listener
from whence.notebook.schedule.knowledge import Knowledge
from whence.notebook.schedule.runner import Runner
from whence.notebook.schedule.survey import CellState
from whence.notebook.session.interpreter import Interpreter
from whence.notebook.session.session import SharedSession
from whence.notebook.versions.book import Book, Command
from whence.notebook.versions.compare import compare_cells
from whence.notebook.versions.edits import (
    Cells,
    Delete,
    Edit,
    Freeze,
    Insert,
    Move,
    Replace,
    ReplaceAll,
    Thaw,
    position,
)
from whence.store import cell_runs, notebooks
from whence.store.shares import shares_of
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset
from whence.workspace.notebook_cell import Cell, Outputs
from whence.workspace.notebook_diff import NotebookDiff, compare_datasets
from whence.workspace.notebook_session import NotebookSession
from whence.workspace.notebook_snapshot import NotebookSnapshot
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
        self._context = context
        self._record = record
        store, engine = context().store, context().engine
        self._book = Book(store, record.id)
        knowledge = Knowledge(store, record.id, self._book, CELL_KINDS)
        self._knowledge = knowledge
        self.runner = Runner(
            store,
            engine,
            record.id,
            knowledge,
            CELL_KINDS,
            context().workers,
            lambda: context().ground,
            lambda: context().capture,
        )
        self.author = _user()
        self._version = self._book.head(record.branch)
        self._shared: SharedSession | None = None
        self._share()
        self.runner.show(self._entries)

    @property
    def name(self) -> str:
        """What the notebook is called."""
        return self._record.name

    @property
    def version(self) -> int:
        """The newest version of the branch checked out; 0 before the first edit."""
        return self._version

    @property
    def branch_name(self) -> str:
        """The branch checked out."""
        return self._record.branch

    @property
    def mode(self) -> Mode:
        """`auto` runs what an edit made stale, `lazy` only marks it; in a `session` Python cells share variables."""
        return self._record.mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        if mode not in ("auto", "lazy", "session"):
            raise UserError(f"A notebook cannot run {mode!r}.", "Use auto, lazy or session.")
        self._set(mode=mode)
        self._share()
        self.runner.show(self._entries)

    @property
    def session(self) -> NotebookSession:
        """The variables that Python cells share, if `mode` is "session": what is out of date, and the way back."""
        return NotebookSession(self, lambda: self._shared)

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
        return [Cell(self, entry.cell) for entry in self._entries]

    def cell(self, id: str) -> Cell:
        """The cell with this id."""
        position(self._entries, CellId(id))
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
        entries = self._book.cells(self._version if base_version is None else base_version)
        after = entries[-1].cell if entries else None
        said = _checked(kind, source, name, parameters)
        return self._inserted(said, after, "append", Command(self.author, base_version, command_id))

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
        entries = self._book.cells(self._version if base_version is None else base_version)
        said = _checked(kind, source, name, parameters)
        return self._inserted(
            said, _before(entries, position), "insert", Command(self.author, base_version, command_id)
        )

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
        entries = self._book.cells(self._version if base_version is None else base_version)
        after = _before(entries, len(entries) if position is None else position)
        action: Literal["append", "insert"] = "append" if position is None else "insert"
        return self._inserted(CellVersion(kind, {}), after, action, Command(self.author, base_version, command_id))

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
        entries = self._book.cells(self._version if base_version is None else base_version)
        was = self._said(entries[position(entries, id)])
        given = {key: value for key, value in (("source", source), ("name", name)) if value is not None}
        values = {**(was.values if kind in (None, was.kind) else {}), **given, **parameters}
        said = _said(kind or was.kind, {key: value for key, value in values.items() if value is not None})
        if not (was.is_draft and kind is not None and not values):  # a draft may change its kind before it is filled in
            find_kind(said.kind).check(said.values)
        self._commit(Replace(id, said.hash), said, Command(self.author, base_version, command_id))
        return Cell(self, id)

    def delete(self, cell: Cell | str, *, command_id: str | None = None, base_version: int | None = None) -> None:
        """Take a cell out; earlier versions keep it."""
        self._commit(Delete(_id(cell)), None, Command(self.author, base_version, command_id))

    def move(
        self, cell: Cell | str, position: int, *, command_id: str | None = None, base_version: int | None = None
    ) -> None:
        """Put a cell at another place, counted from 0 among the others."""
        id = _id(cell)
        entries = self._book.cells(self._version if base_version is None else base_version)
        others = tuple(entry for entry in entries if entry.cell != id)
        self._commit(Move(id, _before(others, position)), None, Command(self.author, base_version, command_id))

    def freeze(self, cell: Cell | str) -> None:
        """Let a cell keep what it gave, whatever changes around it."""
        run = self.state_of(_id(cell)).run
        kept = run if _gave(run) else self._knowledge.last.get(_id(cell))
        self._commit(Freeze(_id(cell), "" if kept is None else kept.id), None, Command(self.author))

    def thaw(self, cell: Cell | str) -> None:
        """Let a frozen cell run again."""
        self._commit(Thaw(_id(cell)), None, Command(self.author))

    def run(self, cell: Cell | str | None = None, *, again: bool = False) -> Self:
        """Run a cell and whatever above it is not ready; without a cell, all that is not ready.

        `again` runs the cell, or all cells, even if nothing changed.
        """
        if cell is None:
            states = self.runner.states()
            chosen = [entry.cell for entry in self._entries if again or states[entry.cell].status != "ready"]
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
        return self._book.made_by(command_id)

    def history(self) -> list[VersionRecord]:
        """Every version of every branch, oldest first."""
        return self._book.history()

    def branches(self) -> dict[str, int]:
        """The newest version of each branch."""
        return self._book.heads()

    def branch(self, name: str, at: int | None = None) -> None:
        """A new branch that begins at a version; `checkout` goes there."""
        self._book.branch(name, self._version if at is None else at)

    def checkout(self, name: str) -> Self:
        """Work on another branch: its cells, and in the workspace its datasets."""
        version = self._book.head(name)
        self._set(branch=name)
        self._version = version
        self.runner.show(self._entries, run=self.mode != "lazy")
        return self

    def restore(self, version: int) -> int:
        """Bring an earlier version back, as a new one; what it gave is still there."""
        self._commit(ReplaceAll(self._book.cells(version)), None, Command(self.author))
        return self._version

    def results(self, version: int | None = None) -> dict[str, Dataset]:
        """The datasets that a version, by default this one, ends with, by name and as far as it ran.

        >>> nb = ws.notebook("ending")
        >>> _ = nb.append("sql", source="select 1 as x", name="end")
        >>> nb.wait().results()
        {'end': <Dataset end@1: 1 row x 1 column>}
        """
        context = self._context()
        made = self.runner.datasets_of(self._book.cells(self._version if version is None else version))
        return {name: Dataset(context, context.store.by_id(id)) for name, id in made.items()}

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
        old, new = self._book.cells(before), self._book.cells(after)
        said = self._book.cell_versions({entry.hash for entry in (*old, *new)})
        context = self._context()
        was, now = (self.runner.datasets_of(cells) for cells in (old, new))
        changed = compare_datasets(context, was, now, lambda id: context.store.by_id(DatasetId(id)))
        return NotebookDiff(compare_cells(old, new, said), changed)

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
        chosen = self._version if version is None else version
        states = self.runner.states_of(self._book.cells(chosen))
        return make_share(lambda: self._context().store, self._record.id, chosen, states, days)

    def shares(self) -> list[Share]:
        """The links to versions of this notebook that still open, oldest first."""
        with self._context().store.database.read() as connection:
            records = shares_of(connection, self._record.id)
        return [Share(lambda: self._context().store, record) for record in records]

    @property
    def text(self) -> str:
        """The notebook as text that compares well line by line; `ws.read_notebook` takes it in again."""
        return to_text(self._content)

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
        content = self._content
        match target.suffix.lower():
            case ".ipynb":
                shown = [cell.outputs.displays for cell in self.cells] if outputs else None
                text = to_jupyter(content, shown)
            case ".py":
                text = self._script(target)
            case _:
                text = to_text(content)
        target.write_bytes(text.encode("utf-8"))

    def _script(self, target: Path) -> str:
        if self._shared is not None:
            raise UserError(
                "Cells of a session share variables, so no script says what they do.",
                "Leave it first: nb.session.to_workflow().",
            )
        store, states = self._context().store, self.runner.states()
        steps, reads = [], set[str]()
        for entry in self._entries:
            if self._said(entry).is_draft:
                continue
            run = states[entry.cell].run
            if run is None or run.state != "done":
                raise UserError(f"Cell {entry.cell} is {states[entry.cell].status}.", "Run the notebook first.")
            made = {each.name: store.by_id(each.dataset) for each in run.outputs}
            steps.append(ScriptStep(self._said(entry), made, run.dropped))
            reads |= set(run.reads)
        below = self._knowledge.below()
        read = {below[key].name: store.by_id(DatasetId(str(below[key].value))) for key in sorted(reads & set(below))}
        script = to_script(self.name, target.name, read, steps)
        folder = target.parent / "data"
        folder.mkdir(exist_ok=True)
        for file, record in script.data.items():
            export_dataset(store, record, folder / file)
        return script.text

    def replace(self, cells: Sequence[CellVersion], frozen: Collection[int] = ()) -> int:
        """Put other cells in the place of all, as one new version; cells that say the same keep what they gave.

        Nothing runs until somebody asks for it. Of `frozen`, the places of cells that are to be frozen, each keeps what
        a cell that says the same gave last; one of which no run is known keeps nothing until it is thawed.
        """
        free = list(self._entries)
        entries = []
        for number, said in enumerate(cells):
            was = next((entry for entry in free if entry.hash == said.hash), None)
            if was is not None:
                free.remove(was)
            entry = was or Entry(self._book.new_cell(), said.hash)
            entries.append(replace(entry, kept=self._to_keep(entry) if number in frozen else None))
        self._book.commit(self._record.branch, ReplaceAll(tuple(entries), "import"), cells, Command(self.author))
        self._version = self._book.head(self._record.branch)
        self.runner.show(self._entries)
        return self._version

    def _to_keep(self, entry: Entry) -> CellRunId | Literal[""]:
        """The run whose results a cell keeps that comes frozen."""
        if entry.kept is not None:
            return entry.kept
        known = self.runner.states().get(entry.cell)
        if known is not None and known.run is not None and _gave(known.run):
            return known.run.id
        with self._context().store.database.read() as connection:
            runs = cell_runs.runs_of(connection, [entry.hash]).get(entry.hash, [])
        return next((run.id for run in runs if run.state == "done"), "")

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
        context = self._context()
        made = self.runner.datasets_of(self._entries).values()
        records = [context.store.by_id(each) for each in made]
        return [Dataset(context, each) for each in records if not context.engine.marks.doubt(each).is_certain]

    def at(self, version: int) -> list[CellVersion]:
        """What the cells of a version say, from top to bottom."""
        return [self._said(entry) for entry in self._book.cells(version)]

    def outputs_of(self, run: CellRun | None) -> Outputs:
        """What a run made; of one that was cancelled, what it showed and the datasets its cell had made before."""
        if run is None or run.state == "running":
            return Outputs({})
        shown = self._displays_of(run)
        if run.state == "cancelled" and (before := self._knowledge.last.get(run.cell)) is not None:
            shown, run = shown or self._displays_of(before), before
        context = self._context()
        made = {each.name: Dataset(context, context.store.by_id(each.dataset)) for each in run.outputs}
        return Outputs(made, shown, run.parameters)

    def _displays_of(self, run: CellRun) -> tuple[Display, ...]:
        with self._context().store.database.read() as connection:
            return tuple(from_json(each) for each in cell_runs.displays_of(connection, run.id))

    def shown_by(self, cell: CellId) -> tuple[Display, ...] | None:
        """What a running cell has shown so far; None if it does not run."""
        return self.runner.shown(cell)

    def said_by(self, cell: CellId) -> CellVersion:
        """What a cell says now."""
        entries = self._entries
        return self._said(entries[position(entries, cell)])

    def state_of(self, cell: CellId) -> CellState:
        """How a cell stands."""
        entries = self._entries
        position(entries, cell)
        return self.runner.states_of(entries)[cell]

    def snapshot(self) -> NotebookSnapshot:
        """The newest version and how its cells stand, read at one moment."""
        version = self._version
        entries = self._book.cells(version)
        texts = {entry: self._said(entry) for entry in entries}
        return NotebookSnapshot(self, version, texts, self.runner.states_of(entries))

    def progress_of(self, cell: CellId) -> Progress | None:
        """How far a running cell is."""
        return self.runner.progress(cell)

    def close(self) -> None:
        """Stop all cells; the workspace does it when it is closed."""
        if self._shared is not None:
            self._shared.close()
        self.runner.close()

    def said_now(self) -> list[tuple[Entry, CellVersion]]:
        """The cells with what they say, from top to bottom."""
        return [(entry, self._said(entry)) for entry in self._entries]

    def become_workflow(self, cells: Sequence[tuple[CellId, CellVersion]]) -> None:
        """Leave the session with these cells, as a new version; nothing runs."""
        entries = tuple(Entry(cell, said.hash) for cell, said in cells)
        said = [each for _, each in cells]
        self._book.commit(self._record.branch, ReplaceAll(entries, "workflow"), said, Command(self.author))
        self._version = self._book.head(self._record.branch)
        self.mode = "auto"

    def _share(self) -> None:
        """Begin or end the session, as the mode says."""
        if self.mode == "session" and self._shared is None:
            context = self._context()
            with context.store.database.read() as connection:
                given = cell_runs.last_of_cells(connection, self._record.id, "shared")
            self._shared = SharedSession(self.runner, Interpreter(context.workers, context.engine), given)
        elif self.mode != "session" and self._shared is not None:
            self._shared.close()
            self._shared = None
        self.runner.shared = self._shared

    @property
    def _content(self) -> Content:
        """What the notebook says now."""
        frozen = frozenset(number for number, entry in enumerate(self._entries) if entry.kept is not None)
        return Content(self.name, tuple(self.at(self._version)), frozen)

    @property
    def _entries(self) -> Cells:
        return self._book.cells(self._version)

    def _said(self, entry: Entry) -> CellVersion:
        return self._book.cell_versions([entry.hash])[entry.hash]

    def _inserted(
        self, said: CellVersion, after: CellId | None, action: Literal["append", "insert"], command: Command
    ) -> Cell:
        edit = Insert(self._book.new_cell(), said.hash, after, action)
        made = self._commit(edit, said, command)
        return Cell(self, CellId(str(made.cell)))

    def _commit(self, edit: Edit, said: CellVersion | None, command: Command) -> VersionRecord:
        try:
            return self._book.commit(self._record.branch, edit, said, command)
        finally:
            self._version = self._book.head(self._record.branch)
            self.runner.show(self._entries, edited=edit.cell, run=self.mode != "lazy")

    def _set(self, **values: str) -> None:
        store = self._context().store
        with store.database.write("commit-notebook") as connection:
            notebooks.set_notebook(connection, self._record.id, **values)
            self._record = notebooks.notebook_by_id(connection, self._record.id)

    def __repr__(self) -> str:
        cells = counted(len(self._entries), "cell")
        return f"<Notebook {self.name}: {cells}, branch {self._record.branch}, version {self._version}>"


def _checked(kind: str, source: object, name: str | None, parameters: Mapping[str, object]) -> CellVersion:
    given = {key: value for key, value in (("source", source), ("name", name)) if value is not None}
    said = _said(kind, {**given, **{key: value for key, value in parameters.items() if value is not None}})
    find_kind(kind).check(said.values)
    return said


def _said(kind: str, values: Mapping[str, object]) -> CellVersion:
    """The values as they are stored, so that they compare equal when they are read again."""
    try:
        plain = json.loads(json.dumps(values, default=_plain))
    except (TypeError, ValueError) as error:
        raise UserError(f"A cell keeps only values that can stand in JSON: {error}.") from error
    return CellVersion(kind, find_kind(kind).completed(plain))


def _plain(value: object) -> object:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Dataset):
        return value.name
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} cannot")


def _before(entries: Sequence[Entry], position: int) -> CellId | None:
    """The cell behind which position `position` lies."""
    if not 0 <= position <= len(entries):
        raise UserError(f"There is no place {position}.", f"Places are 0 to {len(entries)}.")
    return entries[position - 1].cell if position else None


def _gave(run: CellRun | None) -> bool:
    """Whether a run ended well."""
    return run is not None and run.state in ("done", "shared") and run.error is None


def _id(cell: Cell | str) -> CellId:
    return cell.id if isinstance(cell, Cell) else CellId(cell)


def _user() -> str:
    with suppress(Exception):  # a process without a user has no name
        return getpass.getuser()
    return ""
