"""What a run leaves to be written down: what it really read, what it made, what it showed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from whence.model.notebook import CellRun, Output
from whence.notebook.cell import CellResult
from whence.notebook.display import Display
from whence.notebook.display_log import DisplayLog
from whence.notebook.schedule.board import FILE, MARKS, Artifact
from whence.notebook.schedule.survey import Launch
from whence.store.store import Store


def with_result(store: Store, run: CellRun, launch: Launch, result: CellResult) -> CellRun:
    """The run with what it gave."""
    outputs = tuple(Output(name, record.id, store.fingerprint(record)) for name, record in result.datasets.items())
    functions = {name: {"source": f.source, "returns": f.returns} for name, f in result.functions.items()}
    return replace(
        run,
        reads=_reads(launch, result),
        outputs=outputs,
        dropped=tuple(sorted(result.dropped)),
        parameters=dict(result.parameters),
        functions=cast("dict[str, dict[str, object]]", functions),
    )


def _reads(launch: Launch, result: CellResult) -> dict[str, str | None]:
    """As predicted, or as the cell says it was."""
    if result.reads is None:
        return dict(launch.reads)
    really = {name.lower(): _fingerprint(launch.scope, name) for name in result.reads}
    # Marks count as they stood when the cell began.
    about = {MARKS, *(MARKS + name for name in really)}
    others = {key: mark for key, mark in launch.reads.items() if key.startswith(FILE) or key in about}
    return {**others, **really}


def _fingerprint(scope: Mapping[str, Artifact], name: str) -> str | None:
    seen = scope.get(name.lower())
    return None if seen is None else seen.fingerprint


def displays_of(result: CellResult, log: DisplayLog, error: BaseException | None) -> tuple[Display, ...]:
    """What it showed; of a cell that failed or was stopped, what it had shown until then."""
    return result.displays if error is None else log.displays
