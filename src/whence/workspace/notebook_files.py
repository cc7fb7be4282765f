"""Writes a notebook as a file: the content of its cells, or a PySpark script with the data that no query can make."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.model.notebook import CellRun, Entry
from whence.notebook.exchange.script import ScriptStep, to_script
from whence.notebook.exchange.text import Content
from whence.notebook.export.export import export_dataset
from whence.notebook.schedule.survey import CellState
from whence.workspace.open_notebook import OpenNotebook


def read_content(notebook: OpenNotebook) -> Content:
    """Return the cells of the newest version, and which of them are frozen."""
    entries = notebook.entries
    frozen = frozenset(number for number, entry in enumerate(entries) if entry.kept is not None)
    items = {number: entry.items for number, entry in enumerate(entries) if entry.items}
    return Content(notebook.record.name, tuple(notebook.cell_version(entry) for entry in entries), frozen, items)


def write_script(notebook: OpenNotebook, target: Path) -> str:
    """Return the notebook as a script, and write the data that the script reads into the folder `data` beside it."""
    if notebook.shared is not None:
        raise UserError(
            "Cells of a session share variables, so no script says what they do.",
            "Leave it first: nb.session.to_workflow().",
        )
    store, states = notebook.context.store, notebook.runner.states()
    steps, reads = [], set[str]()
    for entry in notebook.entries:
        version = notebook.cell_version(entry)
        if version.is_draft:
            continue
        run = _finished_run(entry, states[entry.cell])
        made = {each.name: store.by_id(each.dataset) for each in run.outputs}
        steps.append(ScriptStep(version, made, run.dropped))
        reads |= set(run.reads)
    script = to_script(notebook.record.name, target.name, _read_from_below(notebook, reads), steps)
    folder = target.parent / "data"
    folder.mkdir(exist_ok=True)
    for file, record in script.data.items():
        export_dataset(store, record, folder / file)
    return script.text


def _finished_run(entry: Entry, state: CellState) -> CellRun:
    """Return the run of a cell. Raise if the cell has not run to its end."""
    if state.run is None or state.run.state != "done":
        raise UserError(f"Cell {entry.cell} is {state.status}.", "Run the notebook first.")
    return state.run


def _read_from_below(notebook: OpenNotebook, reads: Iterable[str]) -> dict[str, DatasetRecord]:
    """Return the datasets from outside the notebook that its cells read, by name."""
    store, below = notebook.context.store, notebook.knowledge.outer_datasets()
    return {below[key].name: store.by_id(DatasetId(str(below[key].value))) for key in sorted(set(reads) & set(below))}
