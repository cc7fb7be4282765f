"""Gives a dataset another name in the notebooks that make and read it, and finds names that are free."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whence.model.errors import BadInput, UserError
from whence.notebook.exchange.text import Content
from whence.notebook.rename_datasets import mentions, rename_in_cell, rename_in_items, written_names
from whence.store.owned import owners

if TYPE_CHECKING:
    from whence.store.store import Store
    from whence.workspace.notebook import Notebook


@dataclass(frozen=True)
class RenamedDataset:
    """What a new name of a dataset changed: the cells of each notebook, and the Python cells that name the old one."""

    name: str
    changed: dict[str, list[str]]
    unchanged: dict[str, list[str]]


def rename_dataset(store: Store, name: str, new: str, notebooks: Iterable[Notebook]) -> RenamedDataset:
    """Give a dataset that a notebook makes another name, in all cells that make or read it."""
    new = new.strip()
    maker = _check(store, name, new)
    found = {each.name: each for each in notebooks}
    _check_cells(found[maker], name, new)
    store.acknowledged.copy(name, new)
    ordered = [found[maker], *(each for each in found.values() if each.name != maker)]
    # Cells of other notebooks do not run: the dataset has its new name only when its own cell has run.
    changed = {each.name: each.rename_datasets({name: new}, run=each.name == maker) for each in ordered}
    unchanged = {each.name: _python_cells(each, name) for each in ordered}
    return RenamedDataset(new, _without_empty(changed), _without_empty(unchanged))


def _check(store: Store, name: str, new: str) -> str:
    """Return the notebook that makes the dataset. Raise if there is none, or if the new name is taken."""
    with store.database.read() as connection:
        made = owners(connection)
    maker = made.get(name.strip().lower())
    if maker is None:
        store.current(name)  # raises if there is no such dataset
        raise UserError(f"No notebook makes {name}, so its name stays.", "Copy it under another name.")
    if not new:
        raise BadInput("A dataset needs a name.")
    # The notebook may have made the name before: then it is free again unless one of its cells makes it now.
    if made.get(new.lower(), maker) != maker or new.lower() in {each.lower() for each in store.current_datasets()}:
        raise _name_taken(new)
    return maker


def _check_cells(notebook: Notebook, name: str, new: str) -> None:
    """Raise if no cell of the notebook says this name in a way that can be changed, or if one makes the new name."""
    cells = [(entry, {each.lower() for each in written_names(version)}) for entry, version in notebook.cell_versions()]
    if any(new.lower() in written for _, written in cells):
        raise _name_taken(new)
    makes = [entry for entry, written in cells if name.lower() in written]
    if not makes:
        raise UserError(f"Python code of the notebook {notebook.name} makes {name}.", "Change the name in the code.")
    if any(entry.kept is not None for entry in makes):
        raise UserError(f"The cell that makes {name} is frozen.", "Thaw it first.")


def _name_taken(name: str) -> UserError:
    return UserError(f"There is a dataset {name} already.", "Choose another name.")


def _python_cells(notebook: Notebook, name: str) -> list[str]:
    return [entry.cell for entry, version in notebook.cell_versions() if mentions(version, name)]


def _without_empty(cells: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: some for name, some in cells.items() if some}


def taken_names(store: Store) -> set[str]:
    """Return every dataset name in use, in lower case."""
    with store.database.read() as connection:
        owned = owners(connection)
    return {*owned, *(name.lower() for name in store.current_datasets())}


def copy_content(content: Content, name: str, taken: Collection[str]) -> Content:
    """Return the cells of a notebook under another name, with names for their datasets that are not taken."""
    made = {one for each in content.cells for one in written_names(each)}
    names: dict[str, str] = {}
    for each in sorted(made):
        names[each.lower()] = free_name(each, {*taken, *(one.lower() for one in names.values())})
    items = {number: rename_in_items(each, names) for number, each in content.items.items()}
    return Content(name, tuple(rename_in_cell(each, names) for each in content.cells), frozenset(), items)


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name for a copy.

    >>> free_name("prices", {"prices", "prices_copy"})
    'prices_copy2'
    """
    found, number = f"{name}_copy", 2
    while found.lower() in taken:
        found, number = f"{name}_copy{number}", number + 1
    return found
