"""How meta.db grows: every change of its form, in order, each written once and never edited.

A short list instead of Alembic: a workspace is one SQLite file with one owner and one line of versions, so there are no
branches, no downgrades and no environment to configure; and a step must run inside the very transaction that raises the
workspace's format, which Alembic's own version table would split in two.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Column, Connection, Integer, LargeBinary, MetaData, String, Table, inspect, text
from sqlalchemy.engine.interfaces import DBAPICursor

from whence.model.errors import NotSupported
from whence.store.durable import hash_file, sync_directory, writing
from whence.store.faults import around
from whence.store.format_4 import NOTEBOOK_TABLES


def _remember_what_was_forgotten(connection: Connection) -> None:
    """Format 2: a forgotten dataset leaves its id and row count, and a list of what is still to be removed."""
    frozen = MetaData()
    Table(
        "forgotten",
        frozen,
        Column("id", String, primary_key=True),
        Column("rows", Integer, nullable=False),
        Column("at", String, nullable=False),
    )
    Table("removals", frozen, Column("path", String, primary_key=True))
    frozen.create_all(connection)


def _remember_what_was_acknowledged(connection: Connection) -> None:
    """Format 3: caveats can be acknowledged."""
    frozen = MetaData()
    Table(
        "acknowledgements",
        frozen,
        Column("id", String, primary_key=True),
        Column("name_key", String, nullable=False, index=True),
        Column("note", String, nullable=False),
        Column("at", String, nullable=False),
        Column("keys", LargeBinary, nullable=False),
    )
    frozen.create_all(connection)


def _keep_notebooks(connection: Connection) -> None:
    """Format 4: notebooks with versions and branches, what their cells' runs gave, and which names are theirs."""
    connection.execute(text("alter table runs add column cell_run varchar"))
    for statement in NOTEBOOK_TABLES:
        connection.execute(text(statement))


def _keep_shares(connection: Connection) -> None:
    """Format 5: links to versions of notebooks."""
    connection.execute(
        text(
            """
            CREATE TABLE shares (
                id VARCHAR NOT NULL,
                digest VARCHAR NOT NULL,
                notebook_id VARCHAR NOT NULL,
                version INTEGER NOT NULL,
                created VARCHAR NOT NULL,
                expires VARCHAR,
                runs JSON NOT NULL,
                PRIMARY KEY (id),
                UNIQUE (digest),
                FOREIGN KEY(notebook_id) REFERENCES notebooks (id)
            )
            """
        )
    )
    connection.execute(text("CREATE INDEX ix_shares_notebook_id ON shares (notebook_id)"))


def _keep_browser_sessions(connection: Connection) -> None:
    """Format 6: browsers stay signed in when the server restarts."""
    connection.execute(
        text("CREATE TABLE browser_sessions (digest VARCHAR NOT NULL, expires FLOAT NOT NULL, PRIMARY KEY (digest))")
    )


STEPS: tuple[Callable[[Connection], None], ...] = (
    _remember_what_was_forgotten,
    _remember_what_was_acknowledged,
    _keep_notebooks,
    _keep_shares,
    _keep_browser_sessions,
)
"""Step n brings a workspace of format n (counted from 1) to format n + 1."""

FORMAT = len(STEPS) + 1


def format_of(connection: Connection) -> int | None:
    """The format of a workspace; None for a database that holds none yet."""
    if not inspect(connection).has_table("workspace"):
        return None
    found: int | None = connection.scalar(text("select format from workspace"))
    if found is not None and found > FORMAT:
        raise NotSupported(
            f"This workspace has format {found}; this whence reads up to {FORMAT}.", "Use a newer whence."
        )
    return found


def migrate(connection: Connection, found: int) -> None:
    """Bring a workspace to the newest format, inside the caller's transaction."""
    for step in STEPS[found - 1 :]:
        step(connection)
    connection.execute(text("update workspace set format = :format"), {"format": FORMAT})


def back_up(cursor: DBAPICursor, database: Path, found: int) -> Path:
    """Keep the database as it is before it is changed, with its hash beside it."""
    folder = database.parent / "backups"
    target = folder / f"meta-format-{found}.db"
    waiting = target.with_suffix(".new")
    with writing(target), around("back-up-database"):
        folder.mkdir(exist_ok=True)
        waiting.unlink(missing_ok=True)
        cursor.execute("VACUUM INTO ?", (str(waiting),))
        target.with_suffix(".sha256").write_text(hash_file(waiting) + "\n")
        waiting.replace(target)
        sync_directory(folder)
    return target
