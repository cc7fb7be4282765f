"""The session of a notebook: which Python cells ran in its shared interpreter, which wait, and the state of each."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

from whence.model.errors import UserError
from whence.model.notebook import CellId, CellRun, CellVersion, Entry, new_cell_run_id
from whence.notebook.cell import CellContext
from whence.notebook.cell_error import CellError
from whence.notebook.control import Cancelled, RunControl
from whence.notebook.display import Display
from whence.notebook.schedule.shared_cells import SessionCellRun
from whence.notebook.schedule.survey import CellState
from whence.notebook.session.interpreter import Interpreter, Page
from whence.staleness.highlights import Highlights
from whence.staleness.upstream import Upstream

SHARED_KIND = "python"
"""The cell kind that a session runs."""
_CANCELLED = "Cancelled"
_PATIENCE = 0.05
"""Seconds that `highlights` waits for the interpreter before it checks whether a cell runs."""


class SessionRunner(Protocol):
    """The part of the notebook's runner that a session uses."""

    time_limit: float | None

    @property
    def lock(self) -> threading.Condition:
        """The lock that guards the state of the runner and of the session."""

    def begin_shared(self, run: CellRun, control: RunControl) -> CellContext:
        """Record that a run has begun, and return the context of its cell."""

    def run_shared(self, run: CellRun, control: RunControl, work: Callable[[], SessionCellRun]) -> SessionCellRun:
        """Do the work of a run, so that the datasets it makes belong to the notebook."""

    def seconds_waited(self, control: RunControl) -> float:
        """Return for how long the run of a cell has waited for Spark to start."""

    def finish_shared(self, run: CellRun, ran: SessionCellRun) -> None:
        """Record what a run gave, hand it to `keep`, and run the cells that this made stale."""

    def refresh(self) -> None:
        """Survey the cells again, and tell listeners what changed."""


@dataclass(frozen=True)
class LogEntry:
    """One run of the session: the text that ran, and the datasets it read and made."""

    cell: CellId
    text: str
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    showed: bool = False
    ok: bool = True

    @classmethod
    def of(cls, cell: CellId, text: str, ran: SessionCellRun) -> LogEntry:
        """Return the log entry of a run."""
        read = frozenset(name.lower() for name in ran.result.reads or ())
        made = frozenset(name.lower() for name in ran.result.datasets)
        return cls(cell=cell, text=text, reads=read, writes=made, showed=ran.showed, ok=ran.error is None)


@dataclass
class _Active:
    cell: CellId
    control: RunControl
    began: float
    is_late: bool = False


class SharedSession:
    """The cells that share an interpreter, and their state.

    The runner's lock guards everything but the interpreter, which `_talking` guards. A thread that needs both takes
    `_talking` first. It never waits for `_talking` with the runner's lock held, because a running cell holds it.
    """

    def __init__(
        self, stage: SessionRunner, interpreter: Interpreter, given: Mapping[CellId, CellRun] | None = None
    ) -> None:
        self._stage = stage
        self._interpreter = interpreter
        self._talking = threading.Lock()
        self._entries: dict[CellId, Entry] = {}
        self._texts: dict[CellId, str] = {}
        self._runs: dict[CellId, CellRun] = {}
        """The last run of each cell in the present interpreter."""
        self._given: dict[CellId, CellRun] = {}
        """For each cell the run whose datasets other cells see, in this interpreter or an earlier one."""
        for run in (given or {}).values():
            self._give(run)
        self._queue: deque[CellId] = deque()
        self._active: _Active | None = None
        self._looked = Highlights()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="whence-session")
        self._is_closed = False
        self.log: list[LogEntry] = []
        """Every run since the interpreter started."""
        self.lost = ""
        """Why the variables of an earlier interpreter are gone; empty if they are not."""

    @property
    def is_running(self) -> bool:
        """Whether there is an interpreter with variables."""
        return self._interpreter.is_running

    @property
    def page(self) -> Page:
        """The shared cells with their texts, from top to bottom."""
        return [(cell, text) for cell, text in self._texts.items()]

    def show(self, cells: Sequence[tuple[Entry, CellVersion]]) -> None:
        """Take these as the cells of the notebook. If a text changed, judge the cells again in the background."""
        shared = [(entry, said) for entry, said in cells if said.kind == SHARED_KIND and not said.is_draft]
        self._entries = {entry.cell: entry for entry, _ in shared}
        texts = {entry.cell: str(said.values.get("source") or "") for entry, said in shared}
        changed, self._texts = texts != self._texts, texts
        self._queue = deque(cell for cell in self._queue if cell in texts)
        if changed and self.is_running and not self._is_closed:
            self._thread.submit(self._look_again)

    def state(self, entry: Entry) -> CellState | None:
        """Return the state of a shared cell; None for any other cell."""
        cell = entry.cell
        if cell not in self._texts:
            return None
        run = self._runs.get(cell)
        if self._active is not None and self._active.cell == cell:
            return CellState("running", run=run or self._given.get(cell))
        if cell in self._queue:
            return CellState("waiting", run=run or self._given.get(cell))
        if run is None:
            given = self._given.get(cell)
            return CellState("stale", "edited" if given is None else "interrupted", run=given, is_needed=True)
        if run.hash != entry.hash:
            return CellState("stale", "edited", run=run, is_needed=True)
        return _judged(cell, run, self._looked)

    def shown(self, cell: CellId) -> tuple[Display, ...] | None:
        """Return what a running cell has shown so far; None if it is not running."""
        active = self._active
        return active.control.log.displays if active is not None and active.cell == cell else None

    def owns(self, cell: CellId) -> bool:
        """Whether the session runs this cell."""
        return cell in self._texts

    def request(self, cells: Iterable[CellId]) -> None:
        """Run these cells, one after the other, in the order given."""
        for cell in cells:
            if cell not in self._queue:
                self._queue.append(cell)
                # One call for each cell: if a cell is cancelled while it waits, the last call finds the queue empty.
                self._thread.submit(self._next)

    def is_idle(self) -> bool:
        """Whether no cell runs or waits."""
        return self._active is None and not self._queue

    def cancel(self, cells: Iterable[CellId] | None = None) -> None:
        """Stop these cells, or all for None. Variables stay, unless a cell does not react and must be killed."""
        chosen = None if cells is None else set(cells)
        self._queue = deque(cell for cell in self._queue if chosen is not None and cell not in chosen)
        if self._active is not None and (chosen is None or self._active.cell in chosen):
            # In a thread of its own, because callbacks may take a while and the caller holds the lock.
            threading.Thread(target=self._active.control.cancel, name="whence-cancel", daemon=True).start()

    def watch(self) -> None:
        """Stop a cell that exceeds the time limit. The watchdog calls this several times a second."""
        active, limit = self._active, self._stage.time_limit
        if active is None or limit is None or active.is_late:
            return
        if time.monotonic() - active.began - self._stage.seconds_waited(active.control) > limit:
            active.is_late = True
            self.cancel([active.cell])

    def highlights(self) -> Highlights:
        """Return the stale, fresh and refresher cells; while a cell runs, those from before its run."""
        while not self._talking.acquire(timeout=_PATIENCE):
            if self._active is not None:
                return self._looked
        try:
            found = self._interpreter.look(self.page)
        finally:
            self._talking.release()
        with self._stage.lock:
            self._looked = found
        return found

    def upstream(self, cell: CellId) -> Upstream:
        """Return the cells to run, in order and this one last, so that it uses nothing out of date."""
        with self._talking:
            return self._interpreter.upstream(cell, self.page)

    def restart(self, why: str = "the session was restarted") -> None:
        """End the interpreter and lose all variables. The next cell starts a new one."""
        with self._stage.lock:
            self.cancel()
        with self._talking:
            self._interpreter.end()
        with self._stage.lock:
            self._forget(why)
        self._stage.refresh()

    def close(self) -> None:
        """Stop all cells and end the interpreter for good."""
        with self._stage.lock:
            self._is_closed = True
            self.cancel()
        self._thread.shutdown(wait=True)
        with self._talking:
            self._interpreter.end()

    def _forget(self, why: str) -> None:
        had = bool(self._runs)
        self._runs, self.log, self._looked = {}, [], Highlights()
        self.lost = why if had else ""

    def _look_again(self) -> None:
        self.highlights()
        self._stage.refresh()

    def _next(self) -> None:
        """Run the cell at the head of the queue, in the session's thread."""
        with self._stage.lock:
            if not self._queue or self._is_closed:
                return
            entry = self._entries[self._queue.popleft()]
            page = self.page
            run = CellRun(new_cell_run_id(), entry.cell, entry.hash, "shared", {})
            control = RunControl(f"whence-{run.id}")
            active = self._active = _Active(entry.cell, control, time.monotonic())
        try:
            context = self._stage.begin_shared(run, control)
            with self._talking:
                ran = self._stage.run_shared(run, control, lambda: self._interpreter.run(context, entry.cell, page))
        except Exception as error:  # whatever it is, `_finish` must run, or the session would stay busy
            ran = SessionCellRun(error=error)
        self._finish(run, ran, active, dict(page)[entry.cell])

    def _finish(self, run: CellRun, ran: SessionCellRun, active: _Active, text: str) -> None:
        is_gone = not self._interpreter.is_running
        with self._stage.lock:
            if is_gone:
                self._forget("the interpreter ended while a cell ran")
            else:
                self.log.append(LogEntry.of(run.cell, text, ran))
            self._looked = self._interpreter.highlights
            run = replace(run, seconds=time.monotonic() - active.began - ran.seconds_waited)
            if ran.error is not None:
                run = replace(run, error=self._error_of(ran, active, is_gone=is_gone).to_json())
        try:
            self._stage.finish_shared(run, ran)
        except Exception as error:  # it could not be recorded: its cell shows why, and the session goes on
            with self._stage.lock:
                self.keep(replace(run, outputs=(), error=CellError.of(error).to_json()))
            self._stage.refresh()

    def keep(self, run: CellRun) -> None:
        """Take note of a run that has ended. If it failed, its cell keeps what it had given before."""
        before = self._given.get(run.cell)
        if run.error is not None and before is not None:
            run = replace(run, outputs=before.outputs, parameters=before.parameters, functions=before.functions)
        self._give(run)
        self._active = None
        self._runs[run.cell] = run

    def _give(self, run: CellRun) -> None:
        """Let other cells see what a run gave. If two cells make one name, the last to run keeps it."""
        made = {each.name.lower() for each in run.outputs}
        for runs in (self._given, self._runs):
            for cell, other in runs.items():
                kept = tuple(each for each in other.outputs if each.name.lower() not in made)
                runs[cell] = replace(other, outputs=kept)
        self._given[run.cell] = run

    def _error_of(self, ran: SessionCellRun, active: _Active, *, is_gone: bool) -> CellError:
        error = ran.error
        assert error is not None
        gone = "All variables are gone; the next cell begins a new session."
        if active.is_late:
            said = f"The cell took longer than {self._stage.time_limit:g} seconds and was stopped."
            return CellError(said, gone if is_gone else "")
        # A cancelled cell may end with the error of its query instead, which was stopped first.
        if isinstance(error, Cancelled) or active.control.is_cancelled():
            said = "The cell was cancelled" + (" and did not stop by itself." if is_gone else ".")
            return CellError(f"{said} {ran.note}".rstrip(), gone if is_gone else "", kind=_CANCELLED)
        told = CellError.of(error)
        return replace(told, hint=gone) if is_gone else told

    def check_all_ran(self) -> None:
        """Raise an error unless every cell ran successfully with the text that it has now."""
        waiting = [cell for cell in self._texts if cell not in self._runs or self._is_behind(cell)]
        if waiting:
            names = ", ".join(waiting)
            raise UserError(
                f"Not every cell has run well as it stands now: {names}.", "Run them in the session, or delete them."
            )

    def _is_behind(self, cell: CellId) -> bool:
        run = self._runs[cell]
        return run.hash != self._entries[cell].hash or run.error is not None


def _judged(cell: CellId, run: CellRun, looked: Highlights) -> CellState:
    """Return the state of a cell that ran with the text that it has now."""
    if run.error is not None:
        is_cancelled = run.error.get("kind") == _CANCELLED
        return CellState("cancelled" if is_cancelled else "error", run=run)
    if cell in looked.would_fail:
        return CellState("stale", "would fail", run=run, is_needed=True)
    if cell in looked.stale or cell in looked.fresh:
        return CellState("stale", "input changed", run=run, is_needed=True)
    return CellState("ready", run=run)
