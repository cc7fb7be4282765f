"""Deletes a notebook, and finds the datasets that nothing uses afterwards.

One transaction deletes the notebook with its history, its runs and its names. The datasets its cells made stay on the
disk, hidden, because others may have been made from them. Those that nothing uses are garbage.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from sqlalchemy import Connection, delete, select, text, update

from whence.model.ids import DatasetId
from whence.model.notebook import NotebookId
from whence.store import tables
from whence.store.notebooks import in_batches
from whence.store.owned import DROPPED, SCRATCH

# Cells with the same content share their runs across notebooks: what such a run made is still in use.
_SHARED = text("""
    with mentioned(notebook, hash) as (
        select notebook_id, json_extract(edit, '$.hash') from notebook_versions
        union select v.notebook_id, json_extract(e.value, '$[1]')
            from notebook_versions v, json_each(v.edit, '$.entries') e
    )
    select r.id, min(m.notebook) as heir from cell_runs r join mentioned m on m.hash = r.hash
    where r.notebook_id = :notebook and m.notebook != :notebook group by r.id
""")

# Cell versions that no run and no notebook version mentions.
_UNSAID = text("""
    delete from cell_versions where hash not in (
        select hash from cell_runs
        union select json_extract(edit, '$.hash') from notebook_versions where json_extract(edit, '$.hash') is not null
        union select json_extract(e.value, '$[1]') from notebook_versions v, json_each(v.edit, '$.entries') e
    )
""")

# Datasets that nothing uses: not made outside notebooks, not shown by a cell, not named, not open in a sheet, and not a
# source of any of these.
_UNUSED = text("""
    with recursive used(id) as (
        select d.id from datasets d join runs r on r.id = d.run_id
            where r.cell_run is null or r.cell_run not in (:dropped, :scratch)
        union select dataset_id from cell_outputs
        union select dataset_id from owned_names where dataset_id is not null
        union select id from datasets where name_key || '@' || version in (select lower(value) from json_each(:edited))
        union select e.parent from edges e join used u on u.id = e.child
    )
    select id from datasets where id not in (select id from used) order by sequence
""")


def drop_notebook(connection: Connection, notebook: NotebookId) -> None:
    """Delete a notebook, with everything that only it uses."""
    _bequeath(connection, notebook)
    mine = tables.cell_runs.c.notebook_id == notebook
    runs = list(connection.scalars(select(tables.cell_runs.c.id).where(mine)))
    for some in in_batches(runs):
        made = tables.runs.c.cell_run.in_(some)
        connection.execute(update(tables.runs).where(made).values(cell_run=DROPPED))
        for table in (tables.cell_displays, tables.cell_outputs):
            connection.execute(delete(table).where(table.c.run_id.in_(some)))
    for table in (tables.shares, tables.cell_runs, tables.owned_names, tables.notebook_versions, tables.branches):
        connection.execute(delete(table).where(table.c.notebook_id == notebook))
    connection.execute(delete(tables.notebooks).where(tables.notebooks.c.id == notebook))
    connection.execute(_UNSAID)


def unused_datasets(connection: Connection, edited: Iterable[str] = ()) -> list[DatasetId]:
    """Return the scratch datasets and datasets of deleted notebooks that nothing uses.

    A dataset is in use if a notebook shows it or if anything left was made from it. `edited` holds labels of versions
    that are open in a sheet.
    """
    given = {"dropped": DROPPED, "scratch": SCRATCH, "edited": json.dumps(list(edited))}
    return [DatasetId(each) for each in connection.scalars(_UNUSED, given)]


def is_scratch(connection: Connection, ids: Iterable[DatasetId]) -> set[DatasetId]:
    """Return those of these datasets that are scratch."""
    made = select(tables.datasets.c.id).join(tables.runs, tables.runs.c.id == tables.datasets.c.run_id)
    found: set[DatasetId] = set()
    for some in in_batches(list(ids)):
        wanted = made.where(tables.runs.c.cell_run == SCRATCH, tables.datasets.c.id.in_(some))
        found.update(DatasetId(each) for each in connection.scalars(wanted))
    return found


def delete_datasets(connection: Connection, ids: list[DatasetId]) -> None:
    """Delete datasets that nothing uses from the catalogue."""
    datasets, runs = tables.datasets.c, tables.runs.c
    for some in in_batches(ids):  # edges first, all of them: their foreign keys hold both ends
        connection.execute(delete(tables.edges).where(tables.edges.c.child.in_(some)))
    for some in in_batches(ids):
        made_by = list(connection.scalars(select(datasets.run_id).where(datasets.id.in_(some))))
        connection.execute(delete(tables.dataset_files).where(tables.dataset_files.c.dataset_id.in_(some)))
        connection.execute(delete(tables.datasets).where(datasets.id.in_(some)))
        connection.execute(delete(tables.runs).where(runs.id.in_(made_by)))
    kept = select(datasets.name_key)
    connection.execute(delete(tables.acknowledgements).where(tables.acknowledgements.c.name_key.not_in(kept)))


def _bequeath(connection: Connection, notebook: NotebookId) -> None:
    """Hand runs that another notebook's cells share to that notebook, as runs of no particular cell."""
    for run, heir in connection.execute(_SHARED, {"notebook": notebook}).all():
        chosen = tables.cell_runs.c.id == run
        connection.execute(update(tables.cell_runs).where(chosen).values(notebook_id=heir, cell=""))
