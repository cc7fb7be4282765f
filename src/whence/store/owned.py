"""Names that notebooks make: which notebook owns a dataset name, and which version its checked-out branch shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, update

from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.model.notebook import CellRunId, NotebookId
from whence.store import tables

DROPPED = "dropped"
"""Replaces the id of the cell run that made a dataset, once its notebook was deleted."""


SCRATCH = "scratch"
"""Stands in place of a cell run for datasets that are only looked at, such as charts drawn before the chosen one."""


REPLACEMENT = "replacement"
"""Stands in place of a cell run for versions that are about to replace others. The next opening removes unused ones."""


@dataclass(frozen=True)
class Maker:
    """The run of a notebook cell that makes datasets."""

    notebook: NotebookId
    run: CellRunId


def claim(connection: Connection, name: str, maker: Maker | None) -> None:
    """Let a cell, or a call on the workspace, make a version of this name. Raise an error if another owns the name."""
    owner = _owner(connection, name)
    if owner is None:
        if maker is not None:
            # Until a cell makes a version, the name keeps its newest version from outside notebooks.
            newest = _made_by_hand(connection, [name]).get(name.lower())
            row = {"name_key": name.lower(), "name": name, "notebook_id": maker.notebook, "dataset_id": newest}
            connection.execute(insert(tables.owned_names).values(row))
        return
    if maker is None or owner != maker.notebook:
        raise _refusal(connection, name, owner, is_cell=maker is not None)


def release(connection: Connection, name: str) -> None:
    """Give up a name: no notebook makes it any more."""
    connection.execute(tables.owned_names.delete().where(tables.owned_names.c.name_key == name.lower()))


def owner_of(connection: Connection, name: str) -> NotebookId | None:
    """Return the notebook that makes this name, or None."""
    return _owner(connection, name)


def owners(connection: Connection) -> dict[str, str]:
    """Return the names of the notebooks that make datasets, by the dataset's name in lower case."""
    owned, notebooks = tables.owned_names.c, tables.notebooks.c
    wanted = select(owned.name_key, notebooks.name).join(tables.notebooks, notebooks.id == owned.notebook_id)
    return {row.name_key: row.name for row in connection.execute(wanted)}


def set_heads(connection: Connection, notebook: NotebookId, heads: Mapping[str, DatasetId]) -> None:
    """Set the version that each of the notebook's names means. A name that is not given means none."""
    columns = tables.owned_names.c
    for name, dataset in connection.execute(
        select(columns.name_key, columns.dataset_id).where(columns.notebook_id == notebook)
    ).all():
        if heads.get(name) != dataset:
            chosen = update(tables.owned_names).where(columns.name_key == name)
            connection.execute(chosen.values(dataset_id=heads.get(name)))


def outer_datasets(connection: Connection, notebook: NotebookId) -> dict[str, tuple[str, DatasetId]]:
    """Return what the first cell of a notebook sees, by lower-case name: every dataset that it does not make itself."""
    owned, datasets = tables.owned_names.c, tables.datasets.c
    mine = set(connection.scalars(select(owned.name_key).where(owned.notebook_id == notebook)))
    heads = {
        key: dataset
        for key, dataset in connection.execute(select(owned.name_key, owned.dataset_id)).all()
        if key not in mine and dataset is not None
    }
    found = {**_made_by_hand(connection), **heads}
    taken = set(connection.scalars(select(owned.name_key))) - mine
    ids = [dataset for key, dataset in found.items() if key not in taken or key in heads]
    rows = connection.execute(select(datasets.name_key, datasets.name, datasets.id).where(datasets.id.in_(ids)))
    return {row.name_key: (row.name, DatasetId(row.id)) for row in rows}


def _made_by_hand(connection: Connection, names: Iterable[str] | None = None) -> dict[str, DatasetId]:
    """Return the newest version of each name that no notebook cell made."""
    datasets, runs = tables.datasets.c, tables.runs.c
    newest = select(func.max(datasets.sequence)).join(tables.runs, runs.id == datasets.run_id)
    newest = newest.where(runs.cell_run.is_(None)).group_by(datasets.name_key)
    if names is not None:
        newest = newest.where(datasets.name_key.in_([name.lower() for name in names]))
    rows = connection.execute(select(datasets.name_key, datasets.id).where(datasets.sequence.in_(newest)))
    return {row.name_key: DatasetId(row.id) for row in rows}


def _owner(connection: Connection, name: str) -> NotebookId | None:
    wanted = select(tables.owned_names.c.notebook_id).where(tables.owned_names.c.name_key == name.lower())
    found = connection.scalar(wanted)
    return None if found is None else NotebookId(found)


def _refusal(connection: Connection, name: str, owner: NotebookId, *, is_cell: bool) -> UserError:
    title = connection.scalar(select(tables.notebooks.c.name).where(tables.notebooks.c.id == owner))
    if is_cell:
        return UserError(
            f"The dataset {name} is made by the notebook {title}.", "Give this cell's result another name."
        )
    return UserError(
        f"The dataset {name} is made by the notebook {title}.", "Choose another name, or change the notebook's cells."
    )
