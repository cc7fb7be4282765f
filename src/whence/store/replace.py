"""Replaces dataset versions by versions without some rows, under the same names and numbers, in one transaction.

The new versions are published first, hidden. One transaction then gives them the places of the old ones, deletes the
old ones and records what to remove. After a crash either nothing has changed and the next opening removes the new
versions, or the next opening finishes the removal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.store import tables
from whence.store.database import Database
from whence.store.derived import KINDS
from whence.store.dropped import delete_datasets
from whence.store.forget import delete_rows, dependants_of, finish, note_removals, refuse_while_running
from whence.store.layout import Layout
from whence.store.owned import REPLACEMENT


def replace_versions(
    database: Database, layout: Layout, replacements: Mapping[DatasetId, DatasetId], others: Sequence[DatasetId]
) -> None:
    """Put each new version in the place of the old one, and delete the old ones and `others` for good."""
    chosen = [*replacements, *others]
    with database.write("commit-forget") as connection:
        refuse_while_running(connection)
        _refuse_while_cells_run(connection)
        if not set(dependants_of(connection, list(replacements))).issubset(chosen):
            raise UserError("A dataset was made from these rows in the meantime.", "Forget again.")
        places = {row.id: row for row in connection.execute(_places(list(replacements)))}
        heads = _heads(connection, list(replacements))
        note_removals(connection, layout, chosen, [])
        delete_rows(connection, chosen)
        for old, new in replacements.items():
            _take_place(connection, places[old], new)
        for name, old in heads.items():
            owned = update(tables.owned_names).where(tables.owned_names.c.name_key == name)
            connection.execute(owned.values(dataset_id=replacements[old]))
    finish(database, layout)


def discard_replacements(database: Database, layout: Layout) -> None:
    """Remove versions that were to replace others and never did: a crash or an error came in between."""
    with database.read() as connection:
        if not _unplaced(connection):
            return
    with database.write("commit-replacements") as connection:
        ids = _unplaced(connection)
        paths = [f"{folder.name}/{each}" for each in ids for folder in (layout.datasets, layout.lineages)]
        paths += [f"{layout.temporary.name}/{kind}/{each}" for each in ids for kind in KINDS]
        for path in paths:
            connection.execute(insert(tables.removals).prefix_with("OR IGNORE").values(path=path))
        delete_datasets(connection, ids)
    finish(database, layout)


def refuse_while_busy(database: Database) -> None:
    """Raise an error if a dataset is being made or a cell runs."""
    with database.read() as connection:
        refuse_while_running(connection)
        _refuse_while_cells_run(connection)


def _refuse_while_cells_run(connection: Connection) -> None:
    running = select(tables.cell_runs.c.id).where(tables.cell_runs.c.state == "running").limit(1)
    if connection.scalar(running) is not None:
        raise UserError("A notebook cell is running.", "Wait until it ends or stop it, then forget.")


def _places(ids: list[DatasetId]) -> Any:  # noqa: ANN401 - SQLAlchemy's own type of a query says nothing more
    datasets, runs = tables.datasets.c, tables.runs.c
    place = (datasets.id, datasets.sequence, datasets.version, datasets.created)
    wanted = select(*place, runs.cell_run, runs.started).join(tables.runs, runs.id == datasets.run_id)
    return wanted.where(datasets.id.in_(ids))


def _heads(connection: Connection, ids: list[DatasetId]) -> dict[str, DatasetId]:
    """Return the names that notebooks own and that mean one of these versions."""
    owned = tables.owned_names.c
    rows = connection.execute(select(owned.name_key, owned.dataset_id).where(owned.dataset_id.in_(ids)))
    return {row.name_key: DatasetId(row.dataset_id) for row in rows}


def _take_place(connection: Connection, place: Row[Any], new: DatasetId) -> None:
    datasets, runs = tables.datasets.c, tables.runs.c
    run = connection.execute(select(datasets.run_id).where(datasets.id == new)).scalar_one()
    given = {"sequence": place.sequence, "version": place.version, "created": place.created}
    connection.execute(update(tables.datasets).where(datasets.id == new).values(given))
    connection.execute(update(tables.runs).where(runs.id == run).values(cell_run=place.cell_run, started=place.started))


def _unplaced(connection: Connection) -> list[DatasetId]:
    made = select(tables.datasets.c.id).join(tables.runs, tables.runs.c.id == tables.datasets.c.run_id)
    return [DatasetId(each) for each in connection.scalars(made.where(tables.runs.c.cell_run == REPLACEMENT))]
