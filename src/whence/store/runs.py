"""Runs: attempts to make a dataset, each recorded before it writes its first byte."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, insert, update

from whence.model.dataset import Origin
from whence.model.errors import BadInput, WhenceError
from whence.model.ids import DatasetId, RunId, new_dataset_id, new_run_id
from whence.store import tables
from whence.store.database import Database, now
from whence.store.layout import Layout
from whence.store.owned import Maker, claim


@dataclass(frozen=True)
class Run:
    """One attempt to make a dataset version. It writes only into `staging`."""

    id: RunId
    dataset_id: DatasetId
    name: str
    origin: Origin
    staging: Path


def begin(
    database: Database,
    layout: Layout,
    origin: Origin,
    name: str,
    maker: Maker | None = None,
    *,
    hidden: str | None = None,
) -> Run:
    """Record that a run has started, then create its staging folder.

    A hidden run makes a version that no list shows, and claims no name. `hidden` says what for, such as `SCRATCH`.
    """
    if not name.strip():
        raise BadInput("A dataset needs a name.", "Pass name=...")
    identity = new_run_id()
    run = Run(identity, new_dataset_id(), name.strip(), origin, layout.staging(identity))
    # The start of a run is not acknowledged to anyone, so it needs no fsync. Publishing has a transaction of its own.
    with database.write("commit-run", is_promised=False, only_adds=True) as connection:
        if hidden is None:
            claim(connection, run.name, maker)
        connection.execute(
            insert(tables.runs).values(
                id=run.id,
                dataset_id=run.dataset_id,
                name=run.name,
                origin=origin,
                epoch=database.epoch,
                state="running",
                started=now(),
                cell_run=hidden or (None if maker is None else maker.run),
            )
        )
    run.staging.mkdir()
    return run


def finish(connection: Connection, run: RunId, state: str, reason: str | None = None) -> None:
    """Record how a run ended, inside the caller's transaction."""
    ended = update(tables.runs).where(tables.runs.c.id == run).values(state=state, reason=reason, finished=now())
    connection.execute(ended)


def abandon(database: Database, run: Run, reason: str) -> None:
    """Abandon a run: remove what it wrote, and record the reason."""
    shutil.rmtree(run.staging, ignore_errors=True)
    # The cause may also keep the database from being written. The next start then closes the run.
    with suppress(WhenceError), database.write("commit-run") as connection:
        finish(connection, run.id, "abandoned", reason)
