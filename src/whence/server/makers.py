"""Finds the notebook that makes a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.workspace.served import ServedWorkspace

if TYPE_CHECKING:
    from whence.workspace.notebook import Notebook


def find_maker(workspace: ServedWorkspace, dataset: str) -> tuple[Notebook, int] | None:
    """Return the notebook that makes the dataset of this name, and the position of the last cell that makes it.

    There is at most one: a second notebook that makes the same name is refused.
    """
    for name in workspace.notebooks():
        notebook = workspace.notebook(name)
        places = [place for place, cell in enumerate(notebook.cells) if dataset in cell.outputs.datasets]
        if places:
            return notebook, places[-1]
    return None
