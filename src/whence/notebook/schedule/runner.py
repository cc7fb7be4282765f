"""Runs the cells of one notebook: side by side if they are independent, and only those that must run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import cast

from whence.derive.policy import CapturePolicy
from whence.engine.engine import Engine
from whence.engine.interrupt import end_tasks
from whence.model.ids import DatasetId
from whence.model.notebook import CellId, CellRun, Entry, Json, NotebookId, new_cell_run_id
from whence.notebook.cell import CellContext, CellKind, CellResult
from whence.notebook.cell_error import CellError
from whence.notebook.control import Progress, RunControl
from whence.notebook.display import Display, to_json
from whence.notebook.place import place_of
from whence.notebook.schedule.active_run import ActiveRun
from whence.notebook.schedule.cell_work import CellWork
from whence.notebook.schedule.cells_to_run import after_edit, with_upstream
from whence.notebook.schedule.estimate import LONG, Estimate, estimate
from whence.notebook.schedule.events import Advanced, Changed, Estimated, Event, Listener, Shown
from whence.notebook.schedule.file_mark import file_mark
from whence.notebook.schedule.heads import Heads
from whence.notebook.schedule.knowledge import Knowledge
from whence.notebook.schedule.outcome import with_result
from whence.notebook.schedule.run_end import end_run, end_state
from whence.notebook.schedule.shared_cells import SessionCellRun, SharedCells
from whence.notebook.schedule.survey import CellState, Launch, RunIndex, Survey, survey
from whence.notebook.schedule.watchdog import Watchdog
from whence.notebook.sheet.services import SheetServices
from whence.notebook.versions.edits import Cells
from whence.notebook.workers.pool import Pool
from whence.store import cell_runs
from whence.store.owned import Maker
from whence.store.store import Store

AT_ONCE = 4
"""Cells that run side by side. Spark shares its cores among them, so more would only wait for each other."""
_LOOK_AGAIN = 0.5
"""Seconds for which `states` relies on its last look at files."""


class Runner:
    """The scheduler of one notebook, the only owner of the state of its cells. Safe to use from several threads."""

    def __init__(
        self,
        store: Store,
        engine: Engine,
        notebook: NotebookId,
        knowledge: Knowledge,
        kinds: Mapping[str, CellKind],
        workers: Pool | None = None,
        services: SheetServices | None = None,
        capture: CapturePolicy | None = None,
    ) -> None:
        self._store = store
        self._engine = engine
        self._notebook = notebook
        self._knowledge = knowledge
        self._work = CellWork(
            store=store,
            engine=engine,
            notebook=notebook,
            knowledge=knowledge,
            kinds=kinds,
            workers=workers,
            services=services,
            capture=capture or CapturePolicy(),
        )
        self._changed = threading.Condition(threading.RLock())
        self.shared: SharedCells | None = None
        """The session that runs Python cells in one interpreter; None if each cell has its own process."""
        self._cells: Cells = ()
        self._active: dict[CellId, ActiveRun] = {}
        self._wanted: set[CellId] = set()
        # Both are subsets of `_wanted`; `RunIndex` says what they mean.
        self._asked: set[CellId] = set()
        self._forced: set[CellId] = set()
        self._survey = survey((), {}, self._run_index())
        self._names = Heads(store, notebook, knowledge)
        self._told: Mapping[CellId, CellState] = {}
        self._listeners: list[Listener] = []
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="whence-cell")
        self._watchdog = Watchdog(engine.process, self)
        self._is_closed = False
        self._looked = ((-1, -1), 0.0)
        self.time_limit: float | None = None
        """Seconds after which the watchdog stops a cell; None for no limit."""

    @property
    def lock(self) -> threading.Condition:
        """The lock that guards the state of the runner; threads wait on it for changes."""
        return self._changed

    @property
    def active(self) -> Collection[ActiveRun]:
        """The runs in progress. The caller holds the lock."""
        return self._active.values()

    def show(self, cells: Cells, *, edited: CellId | None = None, run: bool = False) -> None:
        """Take these as the cells of the notebook. With `run`, also run the edited cell and those it made stale."""
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
        """Run these cells and what they wait for. With `again`, run them even if they are ready."""
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
        """Return the state of every cell, from a new survey if datasets changed or the last is half a second old."""
        with self._changed:
            changes, at = self._looked
            if changes != self._changes() or time.monotonic() - at > _LOOK_AGAIN:
                self._knowledge.learn(self._cells)
                self._survey = self._look()
            return self._survey.states

    def states_of(self, cells: Cells) -> Mapping[CellId, CellState]:
        """Return the state of these cells. Cells of another version are judged by recorded runs alone."""
        with self._changed:
            return self.states() if cells == self._cells else self._survey_of(cells).states

    def datasets_of(self, cells: Cells) -> dict[str, DatasetId]:
        """Return the datasets, by name, that a sequence of cells ends with: of any version, as far as it ran."""
        board = self._survey_of(cells).board
        below = self._knowledge.outer_datasets()
        found = {
            seen.name: cast(DatasetId, seen.value) for seen in board.artifacts().values() if seen.kind == "dataset"
        }
        return {name: id for name, id in found.items() if name.lower() not in below or below[name.lower()].value != id}

    def context_of(self, cell: CellId, control: RunControl) -> CellContext:
        """Return what a cell sees where it stands, as far as the cells above it have run."""
        with self._changed:
            place = next((n for n, entry in enumerate(self._cells) if entry.cell == cell), len(self._cells))
            seen = self._survey_of(self._cells[:place]).board.artifacts()
            return self._work.context(cell, seen, control)

    def _survey_of(self, cells: Cells) -> Survey:
        with self._changed:
            self._knowledge.learn(cells)
            known = replace(self._run_index(), active={}, wanted=frozenset(), asked=frozenset(), forced=frozenset())
            return survey(cells, self._knowledge.outer_datasets(), known)

    def progress(self, cell: CellId) -> Progress | None:
        """Return the progress of a running cell; None if it is not running."""
        with self._changed:
            active = self._active.get(cell)
            return None if active is None else active.progress

    def shown(self, cell: CellId) -> tuple[Display, ...] | None:
        """Return what a running cell has shown so far; None if it is not running."""
        with self._changed:
            active = self._active.get(cell)
            if active is not None:
                return active.control.log.displays
            return None if self.shared is None else self.shared.shown(cell)

    def estimate(self) -> Estimate:
        """Estimate how long the cells that wait or run will take, from their last runs."""
        with self._changed:
            return estimate(self._cells, self._survey.states, self._knowledge)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until no cell runs or waits. Return False if the timeout passes first."""
        with self._changed:
            return self._changed.wait_for(self._is_idle, timeout)

    def cancel(self, cells: Iterable[CellId] | None = None, *, hard: bool = False) -> None:
        """Stop these cells, or all. With `hard`, restart Spark if they do not stop, even while other cells use it."""
        with self._changed:
            chosen = set(self._active) | self._wanted if cells is None else set(cells)
            for each in (self._wanted, self._asked, self._forced):
                each -= chosen
            if self.shared is not None:
                self.shared.cancel(None if cells is None else chosen)
            for cell in chosen & set(self._active):
                self._active[cell].is_hard |= hard
                self.stop(self._active[cell])
            self._pump()

    def listen(self, listener: Listener) -> None:
        """Call this function with every event. It must be quick and not call the runner, whose lock may be held."""
        self._listeners.append(listener)

    def close(self) -> None:
        """Stop everything and wait until it has stopped."""
        with self._changed:
            self._is_closed = True
            for each in (self._wanted, self._asked, self._forced):
                each.clear()
            for active in self._active.values():
                self.stop(active)
        self._pool.shutdown(wait=True)
        self._watchdog.join()

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
        return survey(self._cells, self._knowledge.outer_datasets(), self._run_index())

    def _changes(self) -> tuple[int, int]:
        """Return counters that change when a dataset version comes or goes, and when caveats are acknowledged."""
        return self._store.changes, self._store.acknowledged.epoch

    def _is_idle(self) -> bool:
        waits = any(state.status == "waiting" for state in self._survey.states.values())
        return not self._active and not waits and (self.shared is None or self.shared.is_idle())

    def _pump(self) -> None:
        """Survey the cells, stop obsolete runs, start what can start, record names, and tell listeners what changed."""
        found = self._survey = self._look()
        states = {cell: state.status for cell, state in found.states.items()}
        self._wanted = {cell for cell in self._wanted if states.get(cell) in ("waiting", "running")}
        self._asked &= self._wanted
        self._forced &= self._wanted
        for cell in found.obsolete:
            self._active[cell].is_superseded = True
            self.stop(self._active[cell])
        if not self._is_closed:
            self._tell_estimate(found.launches)
            for launch in found.launches:
                self._start(launch)
            if found.launches:  # the cells that were waiting for this run now
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
        control.report = lambda progress: self.advance(entry.cell, progress)
        active = ActiveRun(run, launch, control, time.monotonic())
        self._active[entry.cell] = active
        self._pool.submit(self._run, active)
        self._watchdog.begin()

    def refresh(self) -> None:
        """Survey the cells again, and tell listeners what changed."""
        with self._changed:
            if not self._is_closed:
                self._pump()

    def begin_shared(self, run: CellRun, control: RunControl) -> CellContext:
        """Record that a session cell begins, and return its context: it sees what names mean after the last cell."""
        control.emit = lambda display: self._tell(Shown(run.cell, display))
        control.report = lambda progress: self.advance(run.cell, progress)
        self._work.begin(run)
        with self._changed:
            self._pump()
            self._watchdog.begin()
            return self._work.context(run.cell, self._look().board.artifacts(), control)

    def run_shared(self, run: CellRun, control: RunControl, work: Callable[[], SessionCellRun]) -> SessionCellRun:
        """Do the work of a session cell: its datasets belong to the notebook, its Spark jobs to the run's group."""
        with (
            self._store.making_for(Maker(self._notebook, run.id)),
            self._engine.process.in_group(control.job_group, f"cell {run.cell}"),
        ):
            ran = work()
            ran.seconds_waited = self.seconds_waited(control)
        if control.is_cancelled():
            ran.note = end_tasks(self._engine.process, control.job_group)
        return ran

    def seconds_waited(self, control: RunControl) -> float:
        """Return for how long the run of a cell has waited for Spark to start."""
        return self._engine.process.seconds_waited(control.job_group)

    def finish_shared(self, run: CellRun, ran: SessionCellRun) -> None:
        """Record what a session cell gave, and run the cells that this made stale."""
        if ran.error is None:
            # No fingerprints of its reads: a run of state "shared" is never taken as the result of another one.
            run = with_result(self._store, run, Launch(Entry(run.cell, run.hash), {}, {}), ran.result)
        with self._changed:
            before = self._survey.states
            with self._store.database.write("commit-cell-result") as connection:
                cell_runs.finish_cell_run(connection, run, [to_json(each) for each in ran.displays])
            assert self.shared is not None
            self.shared.keep(run)
            self._wanted |= after_edit(before, self._look().states, None)
            self._pump()

    def _run(self, active: ActiveRun) -> None:
        """Run one cell in a thread of the pool, and record its start and its end."""
        result, error = CellResult(), None
        try:
            self._work.begin(active.run)
            self._names.free(active.launch.entry)
            result = self._work.run(active)
        except BaseException as raised:  # whatever ends the cell, `_finish` must take it off the active runs
            error = raised
        self._work.await_tasks(active, lambda: self._is_closed)
        self._finish(active, result, error)

    def _finish(self, active: ActiveRun, result: CellResult, error: BaseException | None) -> None:
        state = end_state(active, error, self._engine.process, is_closed=self._is_closed)
        run, displays = end_run(self._store, active, state, result, error)
        if active.is_late and run.error is not None:
            late = CellError(f"The cell took longer than {self.time_limit:g} seconds and was stopped.")
            run = replace(run, error=late.to_json())
        with self._changed:
            # The survey must already know this run: `_record` commits the names as they are after it.
            self._active.pop(run.cell, None)
            self._end(run, active)
            self._knowledge.learn(self._cells)
            self._survey = self._look()
            try:
                self._record(run, displays)
            except Exception as raised:  # the disk is full, or another process has taken over the workspace
                self._knowledge.drop(run)
                self._end(replace(run, state="failed", outputs=(), error=CellError.of(raised).to_json()), active)
            self._pump()

    def _record(self, run: CellRun, displays: list[Json]) -> None:
        """Commit the run and the meaning of the notebook's names in one transaction, so that they always agree."""
        heads = self._names.current(self._cells, self._survey)
        with self._store.database.write("commit-cell-result") as connection:
            cell_runs.finish_cell_run(connection, run, displays)
            self._names.put(connection, heads)
        self._names.written(heads)

    def _end(self, run: CellRun, active: ActiveRun) -> None:
        """Add a run that is over, and drop the requests for its cell unless it was superseded: then it runs again."""
        self._knowledge.add(run)
        # By this flag, not by the run's state: a superseded run may be done before it can be stopped.
        if not active.is_superseded:
            for chosen in (self._wanted, self._asked, self._forced):
                chosen.discard(run.cell)

    def stop(self, active: ActiveRun) -> None:
        """Tell a run to stop. The caller holds the lock. A second call does nothing."""
        if active.cancelled_at is None:
            active.cancelled_at = time.monotonic()
            # In a thread of its own, because callbacks of a cell may take a while and callers hold the lock.
            threading.Thread(target=self._cancel, args=(active,), name="whence-cancel", daemon=True).start()

    def _cancel(self, active: ActiveRun) -> None:
        active.control.cancel()
        self._engine.process.cancel_group(active.control.job_group)

    def advance(self, cell: CellId, progress: Progress) -> None:
        """Record the progress of a cell and tell listeners."""
        with self._changed:
            active = self._active.get(cell)
            if active is None or active.progress == progress:
                return
            active.progress = progress
        self._tell(Advanced(cell, progress))

    def _tell_estimate(self, launches: Sequence[Launch]) -> None:
        found = self.estimate() if launches and self._listeners else None
        if found is not None and found.seconds >= LONG:
            self._tell(Estimated(found.seconds, found.cells))

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)
