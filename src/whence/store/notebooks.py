"""Notebooks as rows of meta.db: branches, versions, and the content of each cell version."""

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
"""Values in one statement: SQLite limits them."""


# Most versions store only their edit: ten thousand versions of a thousand cells stay small.
@dataclass(frozen=True)
class Step:
    """The edit that made one version, and all cells of that version if they were stored in full."""

    parent: int | None
    edit: Json
    content: list[list[object]] | None
    depth: int = 0
    """Number of versions back to the last one that stores all its cells in full."""


def all_notebooks(connection: Connection) -> list[NotebookRecord]:
    """Return every notebook, oldest first."""
    rows = connection.execute(select(tables.notebooks).order_by(tables.notebooks.c.created, tables.notebooks.c.id))
    return [_notebook(row) for row in rows]


def find_notebook(connection: Connection, name: str) -> NotebookRecord | None:
    """Return the notebook with this name, ignoring case, or None."""
    wanted = select(tables.notebooks).where(tables.notebooks.c.name_key == name.strip().lower())
    found = connection.execute(wanted).one_or_none()
    return None if found is None else _notebook(found)


def notebook_by_id(connection: Connection, notebook: NotebookId) -> NotebookRecord:
    """Return the notebook with this id, or raise an error if it was deleted."""
    found = connection.execute(select(tables.notebooks).where(tables.notebooks.c.id == notebook)).one_or_none()
    if found is None:
        raise _deleted()
    return _notebook(found)


def make_notebook(connection: Connection, name: str) -> NotebookRecord:
    """Create a notebook without cells, on the branch `main`."""
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


def rename_notebook(connection: Connection, notebook: NotebookId, name: str) -> None:
    """Give a notebook another name. Raise an error if another notebook has it."""
    if not name.strip():
        raise BadInput("A notebook needs a name.")
    other = find_notebook(connection, name)
    if other is not None and other.id != notebook:
        raise name_taken(other.name)
    set_notebook(connection, notebook, name=name.strip(), name_key=name.strip().lower())


def make_branch(connection: Connection, notebook: NotebookId, name: str, head: int) -> None:
    """Create a branch that starts at a version."""
    if not name.strip():
        raise BadInput("A branch needs a name.")
    if name in _heads(connection, notebook):
        raise UserError(f"There is a branch {name} already.", "Choose another name, or check it out.")
    connection.execute(insert(tables.branches).values(notebook_id=notebook, name=name, head=head, created=now()))


def heads(connection: Connection, notebook: NotebookId) -> dict[str, int]:
    """Return the newest version of each branch, oldest branch first. Raise an error if the notebook was deleted."""
    found = _heads(connection, notebook)
    if not found:
        raise _deleted()
    return found


def _heads(connection: Connection, notebook: NotebookId) -> dict[str, int]:
    branches = tables.branches.c
    wanted = select(branches.name, branches.head).where(branches.notebook_id == notebook)
    return {row.name: row.head for row in connection.execute(wanted.order_by(branches.created, branches.name))}


def set_notebook(connection: Connection, notebook: NotebookId, **values: str) -> None:
    """Set columns of a notebook, such as the branch that is checked out or the mode."""
    connection.execute(update(tables.notebooks).where(tables.notebooks.c.id == notebook).values(**values))


def next_cell(connection: Connection, notebook: NotebookId) -> str:
    """Return a cell id that no cell of this notebook ever had."""
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
    """Insert a version under the next number. Unless it is a side version, it becomes the head of its branch."""
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
    """Store the content of a cell under its hash, unless it is already stored."""
    row = {"hash": said.hash, "kind": said.kind, "values": dict(said.values)}
    connection.execute(insert(tables.cell_versions).prefix_with("OR IGNORE").values(row))
    return said.hash


def cell_versions(connection: Connection, hashes: Iterable[CellHash]) -> dict[CellHash, CellVersion]:
    """Return the content of these cell versions by hash."""
    found: dict[CellHash, CellVersion] = {}
    columns = tables.cell_versions.c
    wanted = select(columns.hash, columns.kind, columns["values"].label("said"))
    for some in in_batches(hashes):
        for row in connection.execute(wanted.where(columns.hash.in_(some))):
            found[CellHash(row.hash)] = CellVersion(row.kind, row.said)
    return found


def in_batches(values: Iterable[str]) -> Iterator[list[str]]:
    """Yield the distinct values in lists short enough for one SQL statement."""
    waiting = iter(dict.fromkeys(values))
    while some := list(islice(waiting, _AT_ONCE)):
        yield some


def by_command(connection: Connection, notebook: NotebookId, command_id: str) -> VersionRecord | None:
    """Return the version that this command made if it was received before, so that a retry makes no second one."""
    columns = tables.notebook_versions.c
    wanted = select(*_LISTED).where(columns.notebook_id == notebook, columns.command_id == command_id)
    found = connection.execute(wanted).one_or_none()
    return None if found is None else _version(found)


def history(connection: Connection, notebook: NotebookId) -> list[VersionRecord]:
    """Return every version, oldest first."""
    columns = tables.notebook_versions.c
    wanted = select(*_LISTED).where(columns.notebook_id == notebook).order_by(columns.version)
    return [_version(row) for row in connection.execute(wanted)]


def step(connection: Connection, notebook: NotebookId, version: int) -> Step:
    """Return how a version was made from its parent."""
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
    """Return the error for a notebook name that does not exist."""
    there = f"There are: {', '.join(known)}." if known else "There is none yet."
    return UnknownNotebook(f"There is no notebook {name}.", there)


def name_taken(name: str) -> UserError:
    """Return the error for a name that another notebook has."""
    return UserError(f"There is a notebook {name} already.", "Choose another name.")


def _deleted() -> UnknownNotebook:
    return UnknownNotebook("This notebook was deleted.", "Open another: ws.notebook(...).")


def _notebook(row: Row[Any]) -> NotebookRecord:
    return NotebookRecord(NotebookId(row.id), row.name, row.branch, row.mode)
