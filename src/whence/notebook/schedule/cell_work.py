"""Runs one cell by its kind, and waits until Spark has ended the tasks of a run that was stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from whence.derive.policy import CapturePolicy
from whence.engine.engine import Engine
from whence.engine.interrupt import SETTLE
from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.model.notebook import CellId, CellRun, NotebookId
from whence.notebook.cell import CellContext, CellKind, CellResult, Function
from whence.notebook.control import RunControl
from whence.notebook.lazy_scope import LazyScope
from whence.notebook.schedule.active_run import ActiveRun
from whence.notebook.schedule.board import Artifact
from whence.notebook.schedule.knowledge import Knowledge
from whence.notebook.scope import Names
from whence.notebook.sheet.services import SheetServices
from whence.notebook.workers.pool import Pool
from whence.store import cell_runs
from whence.store.owned import Maker
from whence.store.store import Store

_LOOK = 0.2
"""Seconds between two looks at the tasks that Spark still runs."""


@dataclass(frozen=True)
class CellWork:
    """The services with which the cells of one notebook run."""

    store: Store
    engine: Engine
    notebook: NotebookId
    knowledge: Knowledge
    kinds: Mapping[str, CellKind]
    workers: Pool | None
    services: SheetServices | None
    capture: CapturePolicy

    def begin(self, run: CellRun) -> None:
        """Record in the database that a run has begun."""
        with self.store.database.write("commit-cell-run") as connection:
            cell_runs.begin_cell_run(connection, self.store.database.epoch, self.notebook, run)

    def run(self, active: ActiveRun) -> CellResult:
        """Run the cell by its kind. The datasets it makes belong to the notebook, its Spark jobs to the run's group."""
        version = self.knowledge.cell_version(active.launch.entry)
        kind = self.kinds.get(version.kind)
        if kind is None:
            raise UserError(f"There is no cell kind {version.kind}.", f"Kinds: {', '.join(sorted(self.kinds))}.")
        kind.check(version.values)
        active.control.check()  # it may have been cancelled while it waited for a thread
        with (
            self.store.making_for(Maker(self.notebook, active.run.id)),
            self.engine.process.in_group(active.control.job_group, f"cell {active.run.cell}"),
        ):
            try:
                return kind.run(self.context(active.run.cell, active.launch.scope, active.control), version.values)
            finally:
                active.seconds_waited = self.engine.process.seconds_waited(active.control.job_group)

    def await_tasks(self, active: ActiveRun, is_closed: Callable[[], bool]) -> None:
        """Wait until Spark runs no more tasks of a run that was told to stop, for they still hold its cores."""
        if active.cancelled_at is None or not self.engine.process.is_running:
            return
        # Before that, Spark's own lists may not show yet that the query was stopped.
        time.sleep(SETTLE)
        while not is_closed() and self.engine.process.active_tasks_of(active.control.job_group):
            time.sleep(_LOOK)

    def context(self, cell: CellId, scope: Mapping[str, Artifact], control: RunControl) -> CellContext:
        """Return what a cell sees and may use."""
        seen = scope.values()
        return CellContext(
            store=self.store,
            engine=self.engine,
            scope=LazyScope(
                self.store, {each.name: cast(DatasetId, each.value) for each in seen if each.kind == "dataset"}
            ),
            parameters=Names({each.name: each.value for each in seen if each.kind == "parameter"}),
            functions=Names({each.name: _function(each) for each in seen if each.kind == "function"}),
            files=self.store.layout.files,
            run=control,
            cell=cell,
            workers=self.workers,
            services=self.services,
            capture=self.capture,
        )


def _function(artifact: Artifact) -> Function:
    facts = cast("dict[str, str]", artifact.value)
    return Function(artifact.name, facts["source"], facts.get("returns", "string"))
