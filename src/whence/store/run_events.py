"""Run events: what a receiver of OpenLineage has yet to hear, written by the transactions that begin and end runs.

Temporary triggers of SQLite write the events. So an event is in the database exactly if what it says is, whatever
crashes, and no caller has to think of it. An event holds ids only; who sends it looks up what the run made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import Connection, delete, func, insert, or_, select, text, update

from whence.model.ids import DatasetId
from whence.store import tables
from whence.store.database import Database
from whence.store.owned import SCRATCH

RunKind = Literal["dataset", "cell", "notebook"]
EventType = Literal["START", "COMPLETE", "FAIL", "ABORT", "OTHER"]

_TIME = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
_END_OF_DATASET = "case {0}state when 'done' then 'COMPLETE' when 'abandoned' then 'FAIL' else 'ABORT' end"
_END_OF_CELL = (
    "case when {0}state in ('cancelled', 'superseded', 'interrupted') then 'ABORT' "
    "when {0}state in ('done', 'shared') and {0}error is null then 'COMPLETE' else 'FAIL' end"
)
# A notebook's run is one opening of the workspace in which at least one of its cells ran.
_NOTEBOOK_RUN = "new.notebook_id || ':' || new.epoch"

_MOST_WAITING = 100

_INSERT = "insert into run_events (kind, run_id, type, time, state)"
_TRIGGERS = (
    f"""create temp trigger dataset_run_begins after insert on main.runs when new.cell_run is not '{SCRATCH}' begin
        {_INSERT} values ('dataset', new.id, 'START', {_TIME}, 'pending'); end""",
    f"""create temp trigger dataset_run_ends after update of state on main.runs
        when new.state <> 'running' and new.cell_run is not '{SCRATCH}' begin
        {_INSERT} values ('dataset', new.id, {_END_OF_DATASET.format("new.")}, {_TIME}, 'pending'); end""",
    f"""create temp trigger cell_run_begins after insert on main.cell_runs begin
        {_INSERT} select 'notebook', {_NOTEBOOK_RUN}, 'START', {_TIME}, 'pending'
            where not exists (select 1 from run_events where run_id = {_NOTEBOOK_RUN});
        {_INSERT} values ('cell', new.id, 'START', {_TIME}, 'pending'); end""",
    f"""create temp trigger cell_run_ends after update of state on main.cell_runs when new.state <> 'running' begin
        {_INSERT} values ('cell', new.id, {_END_OF_CELL.format("new.")}, {_TIME}, 'pending'); end""",
)


@dataclass(frozen=True)
class RunEvent:
    """The beginning or the end of a run, or lineage that came after its end (`OTHER`)."""

    sequence: int
    kind: RunKind
    run: str
    type: EventType
    time: str


@dataclass(frozen=True)
class RunFacts:
    """What the workspace knows of a run, and of the run that it is part of."""

    kind: RunKind
    id: str
    name: str
    """The name of the dataset or the notebook, or the id of the cell."""
    origin: str
    """The call that makes a dataset; for others the kind of run."""
    reason: str | None = None
    """Why the run failed."""
    dataset: DatasetId | None = None
    """The version that it made."""
    parent: RunFacts | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    """The values that a cell of parameters gave; of a notebook those of all its cells."""


class RunEvents:
    """The events of one open workspace, oldest first."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def listen(self) -> None:
        """Write an event for each run that begins or ends from now on, and for each that a crash ended before."""
        self._database.add_triggers(_TRIGGERS)
        with self._database.write("commit-run-event", is_promised=False) as connection:
            _end_lost_runs(connection, self._database.epoch)

    def next(self) -> RunEvent | None:
        """Return the oldest event that is pending."""
        columns = tables.run_events.c
        wanted = select(tables.run_events).where(columns.state == "pending")
        with self._database.read() as connection:
            row = connection.execute(wanted.order_by(columns.sequence).limit(1)).first()
        return None if row is None else RunEvent(row.sequence, row.kind, row.run_id, row.type, row.time)

    def take(self, event: RunEvent) -> None:
        """Record that the receiver has an event. A beginning stays until the end of its run is taken, too."""
        columns = tables.run_events.c
        with self._database.write("commit-run-event", is_promised=False) as connection:
            if event.type == "START":
                mine = update(tables.run_events).where(columns.sequence == event.sequence)
                connection.execute(mine.values(state="taken"))
            else:
                is_over = (columns.run_id == event.run) & (columns.sequence <= event.sequence)
                connection.execute(delete(tables.run_events).where(is_over))

    def drop_run(self, event: RunEvent) -> None:
        """Remove every event of a run of which the workspace knows nothing any more."""
        with self._database.write("commit-run-event", is_promised=False) as connection:
            connection.execute(delete(tables.run_events).where(tables.run_events.c.run_id == event.run))

    def await_lineage(self, event: RunEvent) -> None:
        """Write down that another event about a run follows when its deferred lineage is there."""
        values = {"kind": event.kind, "run_id": event.run, "type": "OTHER", "time": event.time, "state": "waiting"}
        with self._database.write("commit-run-event", is_promised=False) as connection:
            connection.execute(insert(tables.run_events).values(values))

    def awaiting_lineage(self) -> list[RunEvent]:
        """Return the newest events that wait for deferred lineage. It may never come, as with lazy capture."""
        columns = tables.run_events.c
        wanted = select(tables.run_events).where(columns.state == "waiting").order_by(columns.sequence.desc())
        with self._database.read() as connection:
            rows = connection.execute(wanted.limit(_MOST_WAITING)).all()
        return [RunEvent(row.sequence, row.kind, row.run_id, row.type, row.time) for row in rows]

    def release(self, event: RunEvent) -> None:
        """Let an event go that waited for deferred lineage."""
        mine = tables.run_events.c.sequence == event.sequence
        with self._database.write("commit-run-event", is_promised=False) as connection:
            changed = {"state": "pending", "time": connection.scalar(text(f"select {_TIME}"))}
            connection.execute(update(tables.run_events).where(mine).values(changed))

    def end_notebook_runs(self) -> None:
        """Write down that the runs of notebooks are over: the workspace is about to close."""
        with self._database.write("commit-run-event", is_promised=False) as connection:
            _end_notebook_runs(connection, self._database.epoch, is_lost=False)

    def count(self) -> int:
        """Return how many events are pending."""
        with self._database.read() as connection:
            wanted = select(func.count()).where(tables.run_events.c.state == "pending")
            return connection.scalar(wanted) or 0

    def trim(self, most: int) -> int:
        """Remove the oldest events beyond a number of events, and return how many pending ones were removed."""
        columns = tables.run_events.c
        kept = select(columns.sequence).order_by(columns.sequence.desc()).limit(1).offset(most - 1)
        with self._database.read() as connection:
            oldest = connection.scalar(kept)
            if oldest is None or connection.scalar(select(func.min(columns.sequence))) == oldest:
                return 0
        with self._database.write("commit-run-event", is_promised=False) as connection:
            beyond = columns.sequence < oldest
            lost = connection.scalar(select(func.count()).where(beyond, columns.state == "pending")) or 0
            connection.execute(delete(tables.run_events).where(beyond))
        return lost

    def facts(self, event: RunEvent) -> RunFacts | None:
        """Return what is known of the run of an event; None if it was forgotten."""
        with self._database.read() as connection:
            if event.kind == "dataset":
                return _dataset_run(connection, event.run)
            return _cell_run(connection, event.run) if event.kind == "cell" else _notebook_run(connection, event.run)


def remove_all_events(connection: Connection) -> None:
    """Remove every event. A copy of a workspace has nothing to tell of what the original did."""
    connection.execute(delete(tables.run_events))


def _dataset_run(connection: Connection, run: str) -> RunFacts | None:
    row = connection.execute(select(tables.runs).where(tables.runs.c.id == run)).first()
    if row is None:
        return None
    return RunFacts(
        "dataset",
        run,
        row.name,
        row.origin,
        reason=row.reason,
        dataset=DatasetId(row.dataset_id) if row.state == "done" else None,
        parent=None if row.cell_run is None else _cell_run(connection, row.cell_run),
    )


def _cell_run(connection: Connection, run: str) -> RunFacts | None:
    row = connection.execute(select(tables.cell_runs).where(tables.cell_runs.c.id == run)).first()
    if row is None:
        return None
    reason = None if row.error is None else str(row.error.get("message", ""))
    parent = _notebook_run(connection, f"{row.notebook_id}:{row.epoch}")
    return RunFacts("cell", run, row.cell, "cell", reason=reason, parent=parent, parameters=_parameters(row.gave))


def _notebook_run(connection: Connection, run: str) -> RunFacts | None:
    notebook, runs = tables.notebooks.c, tables.cell_runs.c
    identity, _, epoch = run.partition(":")
    name = connection.scalar(select(notebook.name).where(notebook.id == identity))
    if name is None:
        return None
    mine = select(runs.gave).where(runs.notebook_id == identity, runs.epoch == int(epoch)).order_by(runs.sequence)
    given = {key: value for gave in connection.scalars(mine) for key, value in _parameters(gave).items()}
    return RunFacts("notebook", run, name, "notebook", parameters=given)


def _parameters(gave: Mapping[str, Mapping[str, object]]) -> Mapping[str, object]:
    return gave.get("parameters", {})  # nothing is there while the cell runs


def _end_lost_runs(connection: Connection, epoch: int) -> None:
    """End the runs that began and of whose end nothing is written: a crash ended them, or another opening did."""
    began = "select run_id from run_events where kind = '{0}' group by run_id having max(type <> 'START') = 0"
    for kind, table, end in (("dataset", "runs", _END_OF_DATASET), ("cell", "cell_runs", _END_OF_CELL)):
        connection.execute(
            text(
                f"{_INSERT} select '{kind}', id, {end.format('')}, {_TIME}, 'pending' from {table} "
                f"where id in ({began.format(kind)}) and state <> 'running'"
            )
        )
    _end_notebook_runs(connection, epoch, is_lost=True)


def _end_notebook_runs(connection: Connection, epoch: int, *, is_lost: bool) -> None:
    """End the runs of notebooks in this opening, or those that a crash left open in earlier ones."""
    events, mine = tables.run_events.c, f":{epoch}"
    wanted = select(events.run_id).where(events.kind == "notebook").group_by(events.run_id)
    for run in connection.scalars(wanted.having(func.max(events.type != "START") == 0)).all():
        if run.endswith(mine) is not is_lost:
            ending = "ABORT" if is_lost else _outcome_of_cells(connection, *run.split(":"))
            connection.execute(
                text(f"{_INSERT} values ('notebook', :run, :type, {_TIME}, 'pending')"), {"run": run, "type": ending}
            )


def _outcome_of_cells(connection: Connection, notebook: str, epoch: str) -> EventType:
    """Return FAIL if the last run of a cell failed, else COMPLETE."""
    runs = tables.cell_runs.c
    last = select(func.max(runs.sequence)).where(runs.notebook_id == notebook, runs.epoch == int(epoch))
    failed = or_(runs.error.is_not(None), runs.state.in_(["failed", "lost"]))
    wanted = select(runs.id).where(runs.sequence.in_(last.group_by(runs.cell)), failed).limit(1)
    return "COMPLETE" if connection.scalar(wanted) is None else "FAIL"
