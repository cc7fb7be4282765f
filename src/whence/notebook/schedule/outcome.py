"""The part of a run's result that is recorded: what the cell really read, made and showed."""

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
    """Return the run with what it read and what it gave."""
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
    """Return what the cell says it read; if it says nothing, what was predicted."""
    if result.reads is None:
        return dict(launch.reads)
    really = {name.lower(): _fingerprint(launch.scope, name) for name in result.reads}
    # Files and acknowledged caveats count as they were at the start: they may have changed while the cell ran.
    about = {MARKS, *(MARKS + name for name in really)}
    others = {key: mark for key, mark in launch.reads.items() if key.startswith(FILE) or key in about}
    return {**others, **really}


def _fingerprint(scope: Mapping[str, Artifact], name: str) -> str | None:
    seen = scope.get(name.lower())
    return None if seen is None else seen.fingerprint


def displays_of(result: CellResult, log: DisplayLog, error: BaseException | None) -> tuple[Display, ...]:
    """Return what the cell showed. If it failed or was stopped, that is what it had shown until then."""
    return result.displays if error is None else log.displays
