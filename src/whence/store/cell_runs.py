"""Runs of notebook cells as rows of meta.db: what each run read and produced, so that its results can be reused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, text, update

from whence.model.ids import DatasetId
from whence.model.notebook import CellHash, CellId, CellRun, CellRunId, Json, NotebookId, Output, RunState
from whence.store import tables
from whence.store.database import Database, now
from whence.store.notebooks import in_batches


@dataclass(frozen=True)
class MakingCell:
    """The notebook cell that made a dataset."""

    notebook: NotebookId
    cell: CellId


def making_cell(connection: Connection, dataset: DatasetId) -> MakingCell | None:
    """Return the cell that made a dataset; None for one that no cell made. A later cell may only have renamed it."""
    runs, outputs = tables.cell_runs.c, tables.cell_outputs.c
    wanted = select(runs.notebook_id, runs.cell).join(tables.cell_outputs, outputs.run_id == runs.id)
    row = connection.execute(wanted.where(outputs.dataset_id == dataset).order_by(runs.sequence)).first()
    return None if row is None else MakingCell(NotebookId(row.notebook_id), CellId(row.cell))


def begin_cell_run(connection: Connection, epoch: int, notebook: NotebookId, run: CellRun) -> None:
    """Record that a cell has started, with the datasets it is expected to read."""
    connection.execute(
        insert(tables.cell_runs).values(
            id=run.id,
            notebook_id=notebook,
            cell=run.cell,
            hash=run.hash,
            epoch=epoch,
            state=run.state,
            started=now(),
            seconds=0.0,
            reads=dict(run.reads),
            gave={},
        )
    )


def finish_cell_run(connection: Connection, run: CellRun, displays: Sequence[Json] = ()) -> None:
    """Record how a run ended, what it read, and everything it produced."""
    gave = {"dropped": list(run.dropped), "parameters": dict(run.parameters), "functions": dict(run.functions)}
    connection.execute(
        update(tables.cell_runs)
        .where(tables.cell_runs.c.id == run.id)
        .values(state=run.state, seconds=run.seconds, reads=dict(run.reads), gave=gave, error=run.error)
    )
    for position, output in enumerate(run.outputs):
        connection.execute(
            insert(tables.cell_outputs).values(
                run_id=run.id,
                position=position,
                name=output.name,
                dataset_id=output.dataset,
                fingerprint=output.fingerprint,
            )
        )
    for position, content in enumerate(displays):
        connection.execute(insert(tables.cell_displays).values(run_id=run.id, position=position, content=content))


def runs_of(connection: Connection, hashes: Iterable[CellHash]) -> dict[CellHash, list[CellRun]]:
    """Return the runs of these cell versions, newest first, without runs whose datasets are gone."""
    columns, found = tables.cell_runs.c, defaultdict[CellHash, list[CellRun]](list)
    for some in in_batches(hashes):
        rows = connection.execute(
            select(tables.cell_runs).where(columns.hash.in_(some)).order_by(columns.sequence.desc())
        ).all()
        for run in _with_outputs(connection, rows):
            found[run.hash].append(run)
    return dict(found)


def runs_by_id(connection: Connection, ids: Iterable[CellRunId]) -> dict[CellRunId, CellRun]:
    """Return these runs by id, without runs whose datasets are gone."""
    found = {}
    for some in in_batches(ids):
        rows = connection.execute(select(tables.cell_runs).where(tables.cell_runs.c.id.in_(some))).all()
        found.update({run.id: run for run in _with_outputs(connection, rows)})
    return found


def last_of_cells(connection: Connection, notebook: NotebookId, state: RunState = "done") -> dict[CellId, CellRun]:
    """Return the newest run of each cell in this state and without error, for any version of the cell, oldest first."""
    columns = tables.cell_runs.c
    newest = (
        select(func.max(columns.sequence))
        .where(columns.notebook_id == notebook, columns.state == state, columns.error.is_(None))
        .group_by(columns.cell)
    )
    chosen = select(tables.cell_runs).where(columns.sequence.in_(newest)).order_by(columns.sequence)
    return {run.cell: run for run in _with_outputs(connection, connection.execute(chosen).all())}


def displays_of(connection: Connection, run: CellRunId) -> list[Json]:
    """Return what a run displayed, in order."""
    columns = tables.cell_displays.c
    return list(connection.scalars(select(columns.content).where(columns.run_id == run).order_by(columns.position)))


def interrupt_old_cell_runs(database: Database) -> None:
    """Mark runs that an earlier process did not finish as interrupted."""
    columns = tables.cell_runs.c
    cut_off = (columns.state == "running") & (columns.epoch < database.epoch)
    with database.read() as connection:
        # The usual case, in which opening writes nothing.
        if connection.scalar(select(columns.id).where(cut_off).limit(1)) is None:
            return
    with database.write("commit-cell-run") as connection:
        connection.execute(update(tables.cell_runs).where(cut_off).values(state="interrupted"))


def forget_cell_runs(connection: Connection, datasets: Sequence[DatasetId], names: Iterable[str]) -> None:
    """Delete the runs that made or read these datasets, because what they displayed may contain their values."""
    outputs, runs = tables.cell_outputs.c, tables.cell_runs.c
    gone = set(connection.scalars(select(outputs.run_id).where(outputs.dataset_id.in_(datasets))))
    reads = text("select r.id from cell_runs r, json_each(r.reads) e where e.key = :name")
    for name in names:
        gone.update(connection.scalars(reads, {"name": name}))
    for some in in_batches(sorted(gone)):
        for table in (tables.cell_outputs, tables.cell_displays):
            connection.execute(delete(table).where(table.c.run_id.in_(some)))
        connection.execute(delete(tables.cell_runs).where(runs.id.in_(some)))


def _with_outputs(connection: Connection, rows: Sequence[Row[Any]]) -> list[CellRun]:
    outputs, lost = defaultdict[str, list[Output]](list), set[str]()
    there = tables.datasets.c
    for some in in_batches(row.id for row in rows):
        wanted = (
            select(tables.cell_outputs, there.id.label("there"), there.missing)
            .outerjoin(tables.datasets, there.id == tables.cell_outputs.c.dataset_id)
            .where(tables.cell_outputs.c.run_id.in_(some))
            .order_by(tables.cell_outputs.c.run_id, tables.cell_outputs.c.position)
        )
        for row in connection.execute(wanted):
            outputs[row.run_id].append(Output(row.name, DatasetId(row.dataset_id), row.fingerprint))
            if row.there is None or row.missing:
                lost.add(row.run_id)
    return [_run(row, tuple(outputs[row.id])) for row in rows if row.id not in lost]


def _run(row: Row[Any], outputs: tuple[Output, ...]) -> CellRun:
    gave = row.gave
    return CellRun(
        id=CellRunId(row.id),
        cell=CellId(row.cell),
        hash=CellHash(row.hash),
        state=row.state,
        reads=row.reads,
        outputs=outputs,
        dropped=tuple(gave.get("dropped", ())),
        parameters=gave.get("parameters", {}),
        functions=gave.get("functions", {}),
        error=row.error,
        seconds=row.seconds,
    )
