"""Runs previews of cells: a newer preview of the same form, or a time limit, stops the one that runs."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from whence.engine.engine import Engine
from whence.model.errors import PreviewStopped, WhenceError
from whence.model.notebook import CellId
from whence.notebook.cell import CellKind
from whence.notebook.control import RunControl
from whence.notebook.schedule.runner import Runner
from whence.pipeline.preview import TransformationPreview

LIMIT = 30.0
"""Seconds after which a preview stops. The start of Spark does not count."""


class CellPreviews:
    """The previews of one notebook that run now, at most one for each form. Safe to use from several threads."""

    def __init__(self, engine: Engine, runner: Runner) -> None:
        self._engine = engine
        self._runner = runner
        self._running: dict[str, RunControl] = {}
        self._lock = threading.Lock()

    def preview(self, cell: CellId, kind: CellKind, values: Mapping[str, object], form: str) -> TransformationPreview:
        """Return what the cell would do with these values. `form` names who asks: its earlier preview stops."""
        with self._replacing(form or cell) as control:
            try:
                with self._engine.process.in_group(control.job_group, f"preview of cell {cell}"):
                    found = kind.preview(self._runner.context_of(cell, control), values)
                control.check()
            except WhenceError as error:
                # Spark words the end of a cancelled job as an error of the query.
                if control.is_cancelled():
                    raise _stopped_error() from error
                raise
            return found

    @contextmanager
    def _replacing(self, form: str) -> Iterator[RunControl]:
        """Stop the earlier preview of a form, and make the new one stop by itself after the time limit."""
        control = RunControl(f"whence-preview-{uuid.uuid4().hex}")
        control.on_cancel(lambda: self._engine.process.cancel_group(control.job_group))
        with self._lock:
            earlier, self._running[form] = self._running.get(form), control
        if earlier is not None:
            earlier.cancel()
        ended = threading.Event()
        threading.Thread(target=self._limit, args=(control, ended), name="whence-preview", daemon=True).start()
        try:
            yield control
        finally:
            ended.set()
            with self._lock:
                if self._running.get(form) is control:
                    del self._running[form]

    def _limit(self, control: RunControl, ended: threading.Event) -> None:
        """Stop a preview after the time limit, in which the start of Spark does not count."""
        process, waited = self._engine.process, 0.0
        while not ended.wait(LIMIT) and not control.is_cancelled():
            seconds = process.seconds_waited(control.job_group)
            if process.is_running and seconds == waited:
                control.cancel()
            waited = seconds


def _stopped_error() -> PreviewStopped:
    return PreviewStopped(
        f"The preview was stopped: a newer one replaced it, or it took more than {LIMIT:.0f} seconds.",
        "Run the cell to see what it does.",
    )
