"""Notebooks as rows of meta.db: branches, versions, and what each cell version says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from whence.model.errors import BadInput, UnknownNotebook, UserError
from whence.model.notebook import (
    CellHash,
    CellVersion,
    Json,
    NotebookId,
    NotebookRecord,
    VersionRecord,
    new_notebook_id,
)
from whence.store import tables
from whence.store.database import now

MAIN = "main"
_AT_ONCE = 500
"""SQLite takes a limited number of values in one statement."""


@dataclass(frozen=True)
class Step:
    """What one version changed, and all of its cells if they were written out."""

    parent: int | None
    edit: Json
    content: list[list[str | None]] | None
    depth: int = 0
    """How many versions back all cells were written out last."""


def all_notebooks(connection: Connection) -> list[NotebookRecord]:
    """Every notebook, oldest first."""
    rows = connection.execute(select(tables.notebooks).order_by(tables.notebooks.c.created, tables.notebooks.c.id))
    return [_notebook(row) for row in rows]


def find_notebook(connection: Connection, name: str) -> NotebookRecord | None:
    """The notebook of this name, ignoring case."""
    wanted = select(tables.notebooks).where(tables.notebooks.c.name_key == name.strip().lower())
    found = connection.execute(wanted).one_or_none()
    return None if found is None else _notebook(found)


def notebook_by_id(connection: Connection, notebook: NotebookId) -> NotebookRecord:
    """The notebook as it stands now."""
    found = connection.execute(select(tables.notebooks).where(tables.notebooks.c.id == notebook)).one_or_none()
    if found is None:
        raise _deleted()
    return _notebook(found)


def make_notebook(connection: Connection, name: str) -> NotebookRecord:
    """A notebook without cells, on its first branch."""
    if not name.strip():
        raise BadInput("A notebook needs a name.")
    record = NotebookRecord(new_notebook_id(), name.strip(), MAIN, "auto")
    connection.execute(
        insert(tables.notebooks).values(
            id=record.id,
            name=record.name,
            name_key=record.name.lower(),
            branch=MAIN,
            mode=record.mode,
            versions=0,
            cells=0,
            created=now(),
        )
    )
    make_branch(connection, record.id, MAIN, 0)
    return record


def make_branch(connection: Connection, notebook: NotebookId, name: str, head: int) -> None:
    """A branch that begins at a version."""
    if not name.strip():
        raise BadInput("A branch needs a name.")
    if name in _heads(connection, notebook):
        raise UserError(f"There is a branch {name} already.", "Choose another name, or check it out.")
    connection.execute(insert(tables.branches).values(notebook_id=notebook, name=name, head=head, created=now()))


def heads(connection: Connection, notebook: NotebookId) -> dict[str, int]:
    """The newest version of each branch, oldest branch first; a notebook always has one."""
    found = _heads(connection, notebook)
    if not found:
        raise _deleted()
    return found


def _heads(connection: Connection, notebook: NotebookId) -> dict[str, int]:
    branches = tables.branches.c
    wanted = select(branches.name, branches.head).where(branches.notebook_id == notebook)
    return {row.name: row.head for row in connection.execute(wanted.order_by(branches.created, branches.name))}


def set_notebook(connection: Connection, notebook: NotebookId, **values: str) -> None:
    """Check another branch out, or change how the notebook runs."""
    connection.execute(update(tables.notebooks).where(tables.notebooks.c.id == notebook).values(**values))


def next_cell(connection: Connection, notebook: NotebookId) -> str:
    """An id no cell of the notebook ever had."""
    mine = tables.notebooks.c.id == notebook
    connection.execute(update(tables.notebooks).where(mine).values(cells=tables.notebooks.c.cells + 1))
    count = connection.scalar(select(tables.notebooks.c.cells).where(mine))
    if count is None:
        raise _deleted()
    return f"c{count}"


def insert_version(
    connection: Connection,
    notebook: NotebookId,
    record: VersionRecord,
    step: Step,
    command_id: str | None,
) -> VersionRecord:
    """The version under the next number, and unless it stands aside, the head of its branch."""
    mine = tables.notebooks.c.id == notebook
    number = connection.scalars(select(tables.notebooks.c.versions).where(mine)).one() + 1
    connection.execute(update(tables.notebooks).where(mine).values(versions=number))
    made = VersionRecord(
        version=number,
        parent=record.parent,
        branch=record.branch,
        action=record.action,
        cell=record.cell,
        author=record.author,
        time=now(),
        is_side=record.is_side,
    )
    connection.execute(
        insert(tables.notebook_versions).values(
            notebook_id=notebook,
            version=number,
            parent=made.parent,
            branch=made.branch,
            action=made.action,
            cell=made.cell,
            author=made.author,
            time=made.time,
            command_id=command_id,
            is_side=made.is_side,
            edit=step.edit,
            content=step.content,
            depth=step.depth,
        )
    )
    if not made.is_side:
        branches = tables.branches.c
        head = update(tables.branches).where(branches.notebook_id == notebook, branches.name == made.branch)
        connection.execute(head.values(head=number))
    return made


def put_cell_version(connection: Connection, said: CellVersion) -> CellHash:
    """Keep what a cell says; the same is kept once."""
    row = {"hash": said.hash, "kind": said.kind, "values": dict(said.values)}
    connection.execute(insert(tables.cell_versions).prefix_with("OR IGNORE").values(row))
    return said.hash


def cell_versions(connection: Connection, hashes: Iterable[CellHash]) -> dict[CellHash, CellVersion]:
    """What these cell versions say."""
    found: dict[CellHash, CellVersion] = {}
    columns = tables.cell_versions.c
    wanted = select(columns.hash, columns.kind, columns["values"].label("said"))
    for some in in_batches(hashes):
        for row in connection.execute(wanted.where(columns.hash.in_(some))):
            found[CellHash(row.hash)] = CellVersion(row.kind, row.said)
    return found


def in_batches(values: Iterable[str]) -> Iterator[list[str]]:
    """The values, each once, as many at a time as one statement takes."""
    waiting = iter(dict.fromkeys(values))
    while some := list(islice(waiting, _AT_ONCE)):
        yield some


def by_command(connection: Connection, notebook: NotebookId, command_id: str) -> VersionRecord | None:
    """The version that this command made, if it came before."""
    columns = tables.notebook_versions.c
    wanted = select(*_LISTED).where(columns.notebook_id == notebook, columns.command_id == command_id)
    found = connection.execute(wanted).one_or_none()
    return None if found is None else _version(found)


def history(connection: Connection, notebook: NotebookId) -> list[VersionRecord]:
    """Every version, oldest first."""
    columns = tables.notebook_versions.c
    wanted = select(*_LISTED).where(columns.notebook_id == notebook).order_by(columns.version)
    return [_version(row) for row in connection.execute(wanted)]


def step(connection: Connection, notebook: NotebookId, version: int) -> Step:
    """How a version was made from its parent."""
    columns = tables.notebook_versions.c
    wanted = select(columns.parent, columns.edit, columns.content, columns.depth).where(
        columns.notebook_id == notebook, columns.version == version
    )
    found = connection.execute(wanted).one_or_none()
    if found is None:
        newest = connection.scalar(select(tables.notebooks.c.versions).where(tables.notebooks.c.id == notebook))
        raise UserError(f"The notebook has no version {version}.", f"Its versions are 1 to {newest}.")
    return Step(found.parent, found.edit, found.content, found.depth)


_LISTED = [
    tables.notebook_versions.c[name]
    for name in ("version", "parent", "branch", "action", "cell", "author", "time", "is_side")
]


def _version(row: Row[Any]) -> VersionRecord:
    return VersionRecord(
        version=row.version,
        parent=row.parent,
        branch=row.branch,
        action=row.action,
        cell=row.cell,
        author=row.author,
        time=row.time,
        is_side=row.is_side,
    )


def unknown_notebook(name: str, known: Sequence[str]) -> UnknownNotebook:
    """The error of whoever wants a notebook that is not there."""
    there = f"There are: {', '.join(known)}." if known else "There is none yet."
    return UnknownNotebook(f"There is no notebook {name}.", there)


def _deleted() -> UnknownNotebook:
    return UnknownNotebook("This notebook was deleted.", "Open another: ws.notebook(...).")


def _notebook(row: Row[Any]) -> NotebookRecord:
    return NotebookRecord(NotebookId(row.id), row.name, row.branch, row.mode)
