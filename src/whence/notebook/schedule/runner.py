"""Runs the cells of one notebook: as many at once as have nothing to wait for, and none that need not run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import cast

from whence.derive.policy import CapturePolicy
from whence.engine.engine import Engine
from whence.engine.interrupt import PATIENCE, SETTLE, end_tasks
from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.model.notebook import CellId, CellRun, Entry, Json, NotebookId, RunState, new_cell_run_id
from whence.notebook.cell import CellContext, CellKind, CellResult, Function
from whence.notebook.cell_error import CellError
from whence.notebook.control import Progress, RunControl
from whence.notebook.display import Display, to_json
from whence.notebook.lazy_scope import LazyScope
from whence.notebook.place import place_of
from whence.notebook.schedule.board import Artifact
from whence.notebook.schedule.cells_to_run import after_edit, with_upstream
from whence.notebook.schedule.events import Advanced, Changed, Estimated, Event, Listener, Shown
from whence.notebook.schedule.file_mark import file_mark
from whence.notebook.schedule.heads import Heads
from whence.notebook.schedule.knowledge import Knowledge
from whence.notebook.schedule.outcome import displays_of, with_result
from whence.notebook.schedule.shared_cells import Ran, SharedCells
from whence.notebook.schedule.survey import (
    BY_RESTART,
    RESTARTED,
    CellState,
    Launch,
    Reason,
    RunIndex,
    Survey,
    survey,
)
from whence.notebook.scope import Names
from whence.notebook.sheet.ground import Ground
from whence.notebook.versions.edits import Cells
from whence.notebook.workers.pool import Pool
from whence.store import cell_runs
from whence.store.owned import Maker
from whence.store.store import Store

AT_ONCE = 4
"""Cells that run side by side: Spark shares its cores among them, more would only wait for each other."""
LONG = 10.0
"""Seconds from which on it is worth saying how long a run took the last time."""
HARD_AFTER = PATIENCE
"""Seconds after which Spark is restarted to stop a cancelled cell that still runs there."""
_LOOK = 0.2
_PROGRESS = 1.0
"""Seconds between two questions of how far a cell is: each costs Spark as much as a small query."""
_LOOK_AGAIN = 0.5


@dataclass
class Active:
    """A run under way."""

    run: CellRun
    launch: Launch
    control: RunControl
    began: float
    progress: Progress = field(default_factory=lambda: Progress(0))
    asked: float = field(default_factory=time.monotonic)
    """When it was last asked how far it is."""
    is_superseded: bool = False
    is_late: bool = False
    """It ran longer than the time limit."""
    is_hard: bool = False
    cancelled_at: float | None = None
    is_waiting_for_others: bool = False
    """Spark must restart to stop it, and does so when no other cell uses it any more."""
    is_ended_by_restart: bool = False

    @property
    def reason(self) -> Reason:
        """Why it still runs although it was told to stop."""
        if self.cancelled_at is None:
            return ""
        return "still ending, as other cells use Spark" if self.is_waiting_for_others else "stopping"


@dataclass(frozen=True)
class Estimate:
    """How long the cells that are about to run took the last time, all in all; cells that never ran count nothing."""

    seconds: float
    cells: tuple[CellId, ...]


class Runner:
    """The one mutable owner of how a notebook's cells stand. Safe to use from several threads."""

    def __init__(
        self,
        store: Store,
        engine: Engine,
        notebook: NotebookId,
        knowledge: Knowledge,
        kinds: Mapping[str, CellKind],
        workers: Pool | None = None,
        ground: Callable[[], Ground] | None = None,
        capture: Callable[[], CapturePolicy] = CapturePolicy,
    ) -> None:
        """`ground` and `capture` are asked for each run: forgetting a dataset makes them anew."""
        self._store = store
        self._engine = engine
        self._notebook = notebook
        self._knowledge = knowledge
        self._kinds = kinds
        self._workers = workers
        self._ground = ground
        self._capture = capture
        self._changed = threading.Condition(threading.RLock())
        self.shared: SharedCells | None = None
        """Who runs Python cells in one interpreter; None if each has its own."""
        self._cells: Cells = ()
        self._active: dict[CellId, Active] = {}
        self._wanted: set[CellId] = set()
        self._asked: set[CellId] = set()
        self._forced: set[CellId] = set()
        self._survey = survey((), {}, self._run_index())
        self._names = Heads(store, notebook, knowledge)
        self._told: Mapping[CellId, CellState] = {}
        self._listeners: list[Listener] = []
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="whence-cell")
        self._watch: threading.Thread | None = None
        self._is_closed = False
        self._looked = ((-1, -1), 0.0)
        self.time_limit: float | None = None
        """Seconds after which a cell is stopped."""

    @property
    def lock(self) -> threading.Condition:
        """Held while anything changes."""
        return self._changed

    def show(self, cells: Cells, *, edited: CellId | None = None, run: bool = False) -> None:
        """These are the cells now; run those that an edit made stale, if that is wanted."""
        with self._changed:
            before = self._survey.states
            self._cells = cells
            self._knowledge.learn(cells)
            if self.shared is not None:
                self.shared.show([(entry, self._knowledge.cell_version(entry)) for entry in cells])
            self._wanted &= {entry.cell for entry in cells}
            if run:
                self._wanted |= after_edit(before, self._look().states, edited)
            self._pump()

    def request(self, cells: Iterable[CellId], *, again: bool = False) -> None:
        """Run these cells and what they wait for; `again` runs them even if they are ready."""
        with self._changed:
            chosen = set(cells)
            if self.shared is not None:
                here = {cell for cell in chosen if self.shared.owns(cell)}
                self.shared.request(entry.cell for entry in self._cells if entry.cell in here)
                chosen -= here
            if again:
                self._forced |= chosen
            self._asked |= chosen
            self._wanted |= chosen
            self._wanted |= with_upstream(chosen, self._look().states)
            self._pump()

    def states(self) -> Mapping[CellId, CellState]:
        """How every cell stands; files and datasets outside the notebook are looked at twice a second at most."""
        with self._changed:
            changes, at = self._looked
            if changes != self._changes() or time.monotonic() - at > _LOOK_AGAIN:
                self._knowledge.learn(self._cells)
                self._survey = self._look()
            return self._survey.states

    def states_of(self, cells: Cells) -> Mapping[CellId, CellState]:
        """How these cells stand; others than those shown, as they would by the runs that are known."""
        with self._changed:
            return self.states() if cells == self._cells else self._survey_of(cells).states

    def datasets_of(self, cells: Cells) -> dict[str, DatasetId]:
        """The datasets that other cells of this notebook end with, by name, as far as they ran."""
        board = self._survey_of(cells).board
        below = self._knowledge.below()
        found = {
            seen.name: cast(DatasetId, seen.value) for seen in board.artifacts().values() if seen.kind == "dataset"
        }
        return {name: id for name, id in found.items() if name.lower() not in below or below[name.lower()].value != id}

    def _survey_of(self, cells: Cells) -> Survey:
        with self._changed:
            self._knowledge.learn(cells)
            known = replace(self._run_index(), active={}, wanted=frozenset(), asked=frozenset(), forced=frozenset())
            return survey(cells, self._knowledge.below(), known)

    def progress(self, cell: CellId) -> Progress | None:
        """How far a running cell is."""
        with self._changed:
            active = self._active.get(cell)
            return None if active is None else active.progress

    def shown(self, cell: CellId) -> tuple[Display, ...] | None:
        """What a running cell has shown so far; None if it does not run."""
        with self._changed:
            active = self._active.get(cell)
            if active is not None:
                return active.control.log.displays
            return None if self.shared is None else self.shared.shown(cell)

    def estimate(self) -> Estimate:
        """What the cells that wait or run will take, going by the last time."""
        with self._changed:
            return self._estimate()

    def wait(self, timeout: float | None = None) -> bool:
        """Return when no cell runs or is about to; False if that took longer than the timeout."""
        with self._changed:
            return self._changed.wait_for(self._is_idle, timeout)

    def cancel(self, cells: Iterable[CellId] | None = None, *, hard: bool = False) -> None:
        """Stop these cells, or all; `hard` ends the Java process if they do not stop, even while others run."""
        with self._changed:
            chosen = set(self._active) | self._wanted if cells is None else set(cells)
            for each in (self._wanted, self._asked, self._forced):
                each -= chosen
            if self.shared is not None:
                self.shared.cancel(None if cells is None else chosen)
            for cell in chosen & set(self._active):
                self._active[cell].is_hard |= hard
                self._stop(self._active[cell])
            self._pump()

    def listen(self, listener: Listener) -> None:
        """Tell this function what happens; it must be quick and must not ask back."""
        self._listeners.append(listener)

    def close(self) -> None:
        """Stop everything and wait until it has stopped."""
        with self._changed:
            self._is_closed = True
            for each in (self._wanted, self._asked, self._forced):
                each.clear()
            for active in self._active.values():
                self._stop(active)
        self._pool.shutdown(wait=True)
        if self._watch is not None:
            self._watch.join()

    def _run_index(self) -> RunIndex:
        return RunIndex(
            runs=self._knowledge.runs,
            predict=self._knowledge.predict,
            mark=lambda path: file_mark(place_of(path, self._store.root)),
            kept=self._knowledge.kept,
            active={cell: active.run for cell, active in self._active.items()},
            wanted=self._wanted,
            asked=self._asked,
            forced=self._forced,
            shared=self.shared.state if self.shared is not None else lambda _: None,
            acknowledged=self._knowledge.acknowledged,
            is_draft=self._knowledge.is_draft,
            stopping={cell: active.reason for cell, active in self._active.items()},
        )

    def _look(self) -> Survey:
        self._looked = self._changes(), time.monotonic()
        return survey(self._cells, self._knowledge.below(), self._run_index())

    def _changes(self) -> tuple[int, int]:
        """Grows when a dataset version comes or goes, and when caveats are acknowledged."""
        return self._store.changes, self._store.acknowledged.epoch

    def _is_idle(self) -> bool:
        waits = any(state.status == "waiting" for state in self._survey.states.values())
        return not self._active and not waits and (self.shared is None or self.shared.is_idle())

    def _pump(self) -> None:
        """Look, start what can start, stop what nobody needs, say what changed."""
        found = self._survey = self._look()
        states = {cell: state.status for cell, state in found.states.items()}
        self._wanted = {cell for cell in self._wanted if states.get(cell) in ("waiting", "running")}
        self._asked &= self._wanted
        self._forced &= self._wanted
        for cell in found.obsolete:
            self._active[cell].is_superseded = True
            self._stop(self._active[cell])
        if not self._is_closed:
            self._tell_estimate(found.launches)
            for launch in found.launches:
                self._start(launch)
            if found.launches:
                found = self._survey = self._look()
        self._names.write(self._names.current(self._cells, self._survey))
        told, self._told = self._told, found.states
        for cell, state in found.states.items():
            if told.get(cell) != state:
                self._tell(Changed(cell, state))
        self._changed.notify_all()

    def _start(self, launch: Launch) -> None:
        entry, identity = launch.entry, new_cell_run_id()
        run = CellRun(identity, entry.cell, entry.hash, "running", launch.reads)
        control = RunControl(f"whence-{identity}", emit=lambda display: self._tell(Shown(entry.cell, display)))
        control.report = lambda progress: self._advance(entry.cell, progress)
        active = Active(run, launch, control, time.monotonic())
        self._active[entry.cell] = active
        self._pool.submit(self._work, active)
        self._begin_to_watch()

    def _begin_to_watch(self) -> None:
        if self._watch is None or not self._watch.is_alive():
            self._watch = threading.Thread(target=self._look_after, name="whence-watch", daemon=True)
            self._watch.start()

    def refresh(self) -> None:
        """Look again at how cells stand, and say what changed."""
        with self._changed:
            if not self._is_closed:
                self._pump()

    def begin_shared(self, run: CellRun, control: RunControl) -> CellContext:
        """A cell of a session begins: write it down, and say what it sees, which is what stands after the last cell."""
        control.emit = lambda display: self._tell(Shown(run.cell, display))
        control.report = lambda progress: self._advance(run.cell, progress)
        with self._store.database.write("commit-cell-run") as connection:
            cell_runs.begin_cell_run(connection, self._store.database.epoch, self._notebook, run)
        with self._changed:
            self._pump()
            self._begin_to_watch()
            return self._context(run.cell, self._look().board.artifacts(), control)

    def run_shared(self, run: CellRun, control: RunControl, work: Callable[[], Ran]) -> Ran:
        """What this thread makes meanwhile is the notebook's."""
        with (
            self._store.making_for(Maker(self._notebook, run.id)),
            self._engine.process.in_group(control.job_group, f"cell {run.cell}"),
        ):
            ran = work()
        if control.is_cancelled():
            ran.note = end_tasks(self._engine.process, control.job_group)
        return ran

    def finish_shared(self, run: CellRun, ran: Ran) -> None:
        """Write down what a cell of a session gave; cells that read what it made run again."""
        if ran.error is None:
            run = with_result(self._store, run, Launch(Entry(run.cell, run.hash), {}, {}), ran.result)
        with self._changed:
            before = self._survey.states
            with self._store.database.write("commit-cell-result") as connection:
                cell_runs.finish_cell_run(connection, run, [to_json(each) for each in ran.displays])
            assert self.shared is not None
            self.shared.keep(run)
            self._wanted |= after_edit(before, self._look().states, None)
            self._pump()

    def _work(self, active: Active) -> None:
        """In a thread of the pool: everything about one run, from its first row in the database to its last."""
        result, error = CellResult(), None
        try:
            with self._store.database.write("commit-cell-run") as connection:
                cell_runs.begin_cell_run(connection, self._store.database.epoch, self._notebook, active.run)
            self._names.free(active.launch.entry)
            result = self._run(active)
        except BaseException as raised:
            error = raised
        self._await_tasks(active)
        self._finish(active, result, error)

    def _await_tasks(self, active: Active) -> None:
        """Wait until Spark runs nothing any more of a run that was told to stop: its tasks hold the cores."""
        if active.cancelled_at is None or not self._engine.process.is_running:
            return
        time.sleep(SETTLE)
        while not self._is_closed and self._engine.process.active_tasks_of(active.control.job_group):
            time.sleep(_LOOK)

    def _run(self, active: Active) -> CellResult:
        said = self._knowledge.cell_version(active.launch.entry)
        kind = self._kinds.get(said.kind)
        if kind is None:
            raise UserError(f"There is no cell kind {said.kind}.", f"Kinds: {', '.join(sorted(self._kinds))}.")
        kind.check(said.values)
        active.control.check()
        with (
            self._store.making_for(Maker(self._notebook, active.run.id)),
            self._engine.process.in_group(active.control.job_group, f"cell {active.run.cell}"),
        ):
            return kind.run(self._context(active.run.cell, active.launch.scope, active.control), said.values)

    def _context(self, cell: CellId, scope: Mapping[str, Artifact], control: RunControl) -> CellContext:
        seen = scope.values()
        return CellContext(
            store=self._store,
            engine=self._engine,
            scope=LazyScope(
                self._store, {each.name: cast(DatasetId, each.value) for each in seen if each.kind == "dataset"}
            ),
            parameters=Names({each.name: each.value for each in seen if each.kind == "parameter"}),
            functions=Names({each.name: _function(each) for each in seen if each.kind == "function"}),
            files=self._store.layout.files,
            run=control,
            cell=cell,
            workers=self._workers,
            ground=None if self._ground is None else self._ground(),
            capture=self._capture(),
        )

    def _finish(self, active: Active, result: CellResult, error: BaseException | None) -> None:
        run = replace(active.run, state=self._state_of(active, error), seconds=time.monotonic() - active.began)
        try:
            if error is None:
                run = with_result(self._store, run, active.launch, result)
            displays = [to_json(display) for display in displays_of(result, active.control.log, error)]
        except Exception as raised:
            run, displays, error = replace(run, state="failed"), [], raised
        if run.state in ("failed", "lost") and error is not None:
            said = CellError.of(error)
            if active.is_late:
                said = CellError(f"The cell took longer than {self.time_limit:g} seconds and was stopped.")
            run = replace(run, error=said.to_json())
        if run.state == "cancelled" and active.is_ended_by_restart:
            run = replace(run, error=CellError(f"{BY_RESTART}.", kind=RESTARTED).to_json())
        with self._changed:
            self._active.pop(run.cell, None)
            self._end(run, active)
            self._knowledge.learn(self._cells)
            self._survey = self._look()
            try:
                self._record(run, displays)
            except Exception as raised:  # the disk is full, or another process has the workspace now
                self._knowledge.drop(run)
                self._end(replace(run, state="failed", outputs=(), error=CellError.of(raised).to_json()), active)
            self._pump()

    def _record(self, run: CellRun, displays: list[Json]) -> None:
        """In one transaction what the run gave, and what names mean from now on."""
        heads = self._names.current(self._cells, self._survey)
        with self._store.database.write("commit-cell-result") as connection:
            cell_runs.finish_cell_run(connection, run, displays)
            self._names.put(connection, heads)
        self._names.written(heads)

    def _state_of(self, active: Active, error: BaseException | None) -> RunState:
        if error is None:
            return "done"
        if self._is_closed:
            return "interrupted"
        if active.is_superseded:
            return "superseded"
        if active.control.is_cancelled() and not active.is_late:
            return "cancelled"
        return "lost" if self._engine.process.is_loss(error) and not active.is_late else "failed"

    def _end(self, run: CellRun, active: Active) -> None:
        """A run is over: nobody need want the cell again, unless it says something else by now."""
        self._knowledge.add(run)
        if not active.is_superseded:  # however it ended: it may have been done before it could be stopped
            for chosen in (self._wanted, self._asked, self._forced):
                chosen.discard(run.cell)

    def _stop(self, active: Active) -> None:
        if active.cancelled_at is None:
            active.cancelled_at = time.monotonic()
            # From a thread of its own: what a cell does when it is cancelled may take a while, and the lock is held.
            threading.Thread(target=self._cancel, args=(active,), name="whence-cancel", daemon=True).start()

    def _cancel(self, active: Active) -> None:
        active.control.cancel()
        self._engine.process.cancel_group(active.control.job_group)

    def _look_after(self) -> None:
        """While cells run: how far they are, and whether those that were told to stop do."""
        while True:
            time.sleep(_LOOK)
            with self._changed:
                running = list(self._active.values())
                if self.shared is not None:
                    self.shared.watch()
            if not running and (self.shared is None or self.shared.is_idle()):
                return
            for active in running:
                if active.cancelled_at is not None:
                    # A job that was submitted after the last call was not stopped by it.
                    self._engine.process.cancel_group(active.control.job_group)
                    self._end_java_if_needed(active)
                elif self.time_limit is not None and time.monotonic() - active.began > self.time_limit:
                    active.is_late = True
                    self._stop(active)
                elif time.monotonic() - active.asked > _PROGRESS:
                    active.asked = time.monotonic()
                    done, total = self._engine.process.tasks_of(active.control.job_group)
                    if total:
                        self._advance(active.run.cell, Progress(done, total))

    def _end_java_if_needed(self, active: Active) -> None:
        """Restart Spark if it does not stop the run by itself, unless other cells would lose their work by that."""
        assert active.cancelled_at is not None
        process = self._engine.process
        waited = time.monotonic() - active.cancelled_at
        if waited < HARD_AFTER or not process.active_tasks_of(active.control.job_group):
            return
        if process.can_restart or active.is_hard:
            self._restart()
        elif not active.is_waiting_for_others:
            active.is_waiting_for_others = True
            self.refresh()

    def _restart(self) -> None:
        with self._changed:
            for each in self._active.values():
                each.is_superseded |= each.cancelled_at is None  # it is not to blame, and runs again
                each.is_ended_by_restart |= each.cancelled_at is not None
        self._engine.process.restart()

    def _advance(self, cell: CellId, progress: Progress) -> None:
        with self._changed:
            active = self._active.get(cell)
            if active is None or active.progress == progress:
                return
            active.progress = progress
        self._tell(Advanced(cell, progress))

    def _estimate(self) -> Estimate:
        states = self._survey.states
        chosen = [entry for entry in self._cells if states[entry.cell].status in ("waiting", "running")]
        return Estimate(sum(self._took(entry) for entry in chosen), tuple(entry.cell for entry in chosen))

    def _took(self, entry: Entry) -> float:
        same = next((run.seconds for run in self._knowledge.runs(entry.hash) if run.state == "done"), None)
        last = self._knowledge.last.get(entry.cell)
        return same if same is not None else last.seconds if last is not None else 0.0

    def _tell_estimate(self, launches: Sequence[Launch]) -> None:
        found = self._estimate() if launches and self._listeners else None
        if found is not None and found.seconds >= LONG:
            self._tell(Estimated(found.seconds, found.cells))

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)


def _function(artifact: Artifact) -> Function:
    facts = cast("dict[str, str]", artifact.value)
    return Function(artifact.name, facts["source"], facts.get("returns", "string"))
