"""Reads the results of a notebook: the final datasets of a version, the difference of two, and what a run made."""

from __future__ import annotations

from dataclasses import replace

from whence.model.ids import DatasetId
from whence.model.notebook import CellId, CellRun
from whence.notebook.display import Display, from_json
from whence.notebook.schedule.survey import CellState
from whence.notebook.versions.compare import compare_cells
from whence.notebook.versions.edits import Cells
from whence.store import cell_runs
from whence.workspace.dataset import Dataset
from whence.workspace.notebook_cell import Outputs
from whence.workspace.notebook_diff import NotebookDiff, compare_datasets
from whence.workspace.open_notebook import OpenNotebook


def read_results(notebook: OpenNotebook, version: int | None) -> dict[str, Dataset]:
    """Return the final datasets of a version, by name and as far as its cells ran."""
    context = notebook.context
    made = notebook.runner.datasets_of(notebook.entries_at(version))
    return {name: Dataset(context, context.store.by_id(id)) for name, id in made.items()}


def find_doubtful(notebook: OpenNotebook) -> list[Dataset]:
    """Return the final datasets of the notebook that have caveats which are not acknowledged."""
    context = notebook.context
    records = [context.store.by_id(each) for each in notebook.runner.datasets_of(notebook.entries).values()]
    return [Dataset(context, each) for each in records if not context.engine.flags.doubt(each).is_certain]


def compare_versions(notebook: OpenNotebook, before: int, after: int) -> NotebookDiff:
    """Compare two versions: their cells, and their final datasets as far as the cells ran."""
    old, new = notebook.book.cells(before), notebook.book.cells(after)
    texts = notebook.book.cell_versions({entry.hash for entry in (*old, *new)})
    context = notebook.context
    was, now = (notebook.runner.datasets_of(cells) for cells in (old, new))
    changed = compare_datasets(context, was, now, lambda id: context.store.by_id(DatasetId(id)))
    return NotebookDiff(compare_cells(old, new, texts), changed)


def read_past_states(notebook: OpenNotebook, cells: Cells) -> dict[CellId, CellState]:
    """Return the states of the cells of an earlier version.

    A cell whose inputs have changed since is stale, with the newest run of the same text.
    """
    states = notebook.runner.states_of(cells)
    with notebook.context.store.database.read() as connection:
        runs = cell_runs.runs_of(connection, {entry.hash for entry in cells})
    return {entry.cell: _with_newest_run(states[entry.cell], runs.get(entry.hash, [])) for entry in cells}


def _with_newest_run(state: CellState, runs: list[CellRun]) -> CellState:
    found = next((run for run in runs if run.state == "done"), None)
    return state if state.run is not None or state.status != "stale" else replace(state, run=found)


def read_outputs(notebook: OpenNotebook, run: CellRun | None) -> Outputs:
    """Return what a run made; for a cancelled one, what it showed and the datasets of the run before it."""
    if run is None or run.state == "running":
        return Outputs({})
    shown = _displays_of(notebook, run)
    if run.state == "cancelled" and (before := notebook.knowledge.last.get(run.cell)) is not None:
        shown, run = shown or _displays_of(notebook, before), before
    context = notebook.context
    made = {each.name: Dataset(context, context.store.by_id(each.dataset)) for each in run.outputs}
    return Outputs(made, shown, run.parameters)


def _displays_of(notebook: OpenNotebook, run: CellRun) -> tuple[Display, ...]:
    with notebook.context.store.database.read() as connection:
        return tuple(from_json(each) for each in cell_runs.displays_of(connection, run.id))
