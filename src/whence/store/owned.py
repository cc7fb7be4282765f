"""Which dataset names a notebook makes, and which version each means on the branch that is checked out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, update

from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.model.notebook import CellRunId, NotebookId
from whence.store import tables

DROPPED = "dropped"
"""Stands where the run of a cell stood that made a dataset, once its notebook was deleted."""


SCRATCH = "scratch"
"""Stands there from the beginning for what is only looked at, such as a chart on its way to the one that is wanted."""


@dataclass(frozen=True)
class Maker:
    """The run of a notebook's cell on whose behalf datasets are made."""

    notebook: NotebookId
    run: CellRunId


def claim(connection: Connection, name: str, maker: Maker | None) -> None:
    """Let a notebook's cell, or somebody at the workspace, make a version of this name; refused if it is not theirs."""
    owner = _owner(connection, name)
    if owner is None:
        if maker is not None:
            newest = _made_by_hand(connection, [name]).get(name.lower())
            row = {"name_key": name.lower(), "name": name, "notebook_id": maker.notebook, "dataset_id": newest}
            connection.execute(insert(tables.owned_names).values(row))
        return
    if maker is None or owner != maker.notebook:
        raise _refusal(connection, name, owner, is_cell=maker is not None)


def release(connection: Connection, name: str) -> None:
    """No notebook makes this name any more."""
    connection.execute(tables.owned_names.delete().where(tables.owned_names.c.name_key == name.lower()))


def owner_of(connection: Connection, name: str) -> NotebookId | None:
    """The notebook that makes this name."""
    return _owner(connection, name)


def set_heads(connection: Connection, notebook: NotebookId, heads: Mapping[str, DatasetId]) -> None:
    """What the notebook's names mean from now on; those that are not given mean nothing."""
    columns = tables.owned_names.c
    for name, dataset in connection.execute(
        select(columns.name_key, columns.dataset_id).where(columns.notebook_id == notebook)
    ).all():
        if heads.get(name) != dataset:
            chosen = update(tables.owned_names).where(columns.name_key == name)
            connection.execute(chosen.values(dataset_id=heads.get(name)))


def below(connection: Connection, notebook: NotebookId) -> dict[str, tuple[str, DatasetId]]:
    """What the first cell of a notebook sees, by name as compared: everything that it does not make itself."""
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
    """The newest version of each name that no cell of a notebook made."""
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
