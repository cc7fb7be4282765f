"""The record of a run that has ended: its state, its error and what it showed."""

from __future__ import annotations

import time
from dataclasses import replace

from whence.engine.process import SparkProcess
from whence.model.notebook import CellRun, Json, RunState
from whence.notebook.cell import CellResult
from whence.notebook.cell_error import CellError
from whence.notebook.display import to_json
from whence.notebook.schedule.active_run import ActiveRun
from whence.notebook.schedule.outcome import displays_of, with_result
from whence.notebook.schedule.survey import BY_RESTART, RESTARTED
from whence.store.store import Store


def end_state(active: ActiveRun, error: BaseException | None, process: SparkProcess, *, is_closed: bool) -> RunState:
    """Return the state in which a run ended."""
    if error is None:
        return "done"
    # Closing the notebook cancels every run, so this comes before the check for a cancelled run.
    if is_closed:
        return "interrupted"
    if active.is_superseded:
        return "superseded"
    if active.control.is_cancelled() and not active.is_late:
        return "cancelled"
    return "lost" if process.is_loss(error) and not active.is_late else "failed"


def end_run(
    store: Store, active: ActiveRun, state: RunState, result: CellResult, error: BaseException | None
) -> tuple[CellRun, list[Json]]:
    """Return the run with its result, and its displays as JSON. A result that cannot be recorded is a failure."""
    run = replace(active.run, state=state, seconds=time.monotonic() - active.began - active.seconds_waited)
    try:
        if error is None:
            run = with_result(store, run, active.launch, result)
        displays = [to_json(display) for display in displays_of(result, active.control.log, error)]
    except Exception as raised:  # whatever it is, the run must end, or its cell would stay in state "running"
        run, displays, error = replace(run, state="failed"), [], raised
    return _with_error(run, active, error), displays


def _with_error(run: CellRun, active: ActiveRun, error: BaseException | None) -> CellRun:
    if run.state in ("failed", "lost") and error is not None:
        return replace(run, error=CellError.of(error).to_json())
    if run.state == "cancelled" and active.is_ended_by_restart:
        return replace(run, error=CellError(f"{BY_RESTART}.", kind=RESTARTED).to_json())
    return run
