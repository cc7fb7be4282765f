"""`whence run`: finds the notebook, sets its parameters, runs it and prints the state of its cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from whence.model.errors import UserError
from whence.notebook.parameter_values import read_value
from whence.workspace.notebook import Notebook
from whence.workspace.notebook_cell import Cell
from whence.workspace.workspace import Workspace


def find_notebook(meant: str, workspace: Path | None) -> tuple[Path, Callable[[Workspace], Notebook]]:
    """Return the workspace to open, and a function that finds the notebook in it.

    `meant` is a file that holds a notebook as text, a name in `workspace`, or WORKSPACE/NAME.
    """
    file = Path(meant)
    if file.is_file():
        text = file.read_bytes().decode("utf-8")
        return workspace or file.with_suffix(".whence"), lambda opened: opened.read_notebook(text)
    place, name = (workspace, meant) if workspace is not None else (file.parent, file.name)
    if not (place / "meta.db").exists():
        raise UserError(f"There is no notebook {meant}.", "Give WORKSPACE/NAME, or a file that holds one as text.")
    return place, lambda opened: _existing(opened, name)


def parameters_from(given: Sequence[str]) -> dict[str, object]:
    """Parse parameters of the command line.

    >>> parameters_from(["least=3", "town=Ulm"])
    {'least': 3, 'town': 'Ulm'}
    """
    for each in given:
        if "=" not in each:
            raise UserError(f"{each} is not name=value.")
    return {name: read_value(value) for name, _, value in (each.partition("=") for each in given)}


def run_notebook(notebook: Notebook, parameters: Mapping[str, object], *, strict: bool) -> bool:
    """Run cells that are not ready, print the state of each cell, and return whether all is well."""
    notebook.set_parameters(parameters)
    notebook.run().wait()
    for cell in notebook.cells:
        print(_line(cell))
    doubtful = notebook.doubtful() if strict else []
    for dataset in doubtful:
        print(f"{dataset.record.label} is in doubt: whence caveats WORKSPACE {dataset.name} says why.")
    return not doubtful and all(cell.status in ("ready", "frozen", "draft") for cell in notebook.cells)


def _existing(opened: Workspace, name: str) -> Notebook:
    known = opened.notebooks()
    if name.lower() not in {each.lower() for each in known}:
        there = f"There are: {', '.join(known)}." if known else "There is none yet."
        raise UserError(f"{opened.path.name} has no notebook {name}.", there)
    return opened.notebook(name)


def _line(cell: Cell) -> str:
    error = cell.error
    if error is not None:
        said = f": {error.message} {error.hint}".rstrip()
    else:
        said = f" ({cell.reason})" if cell.reason else ""
        said += "".join(f"  {each.record.label}: {each.count} rows" for each in cell.outputs.datasets.values())
    return f"{cell.id} {cell.kind} {cell.status}{said}"
