"""How meta.db is opened and written: settings of every connection, the epoch, and what a write transaction checks."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import URL, Connection, create_engine, event, insert, select, text, update
from sqlalchemy.exc import DatabaseError, OperationalError

from whence.model.errors import DamagedFile, UserError, WorkspaceInUse
from whence.store import tables
from whence.store.faults import reach
from whence.store.migrations import back_up, format_of, migrate, newest_format

_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",  # NORMAL may lose acknowledged commits when the power goes
    "busy_timeout=10000",
    "foreign_keys=ON",
    "secure_delete=ON",  # what is deleted is overwritten, so that nobody finds it in a free page
    "wal_autocheckpoint=1000",
    "journal_size_limit=16777216",
)


class Database:
    """meta.db, opened for one epoch: one process that holds the workspace's lock."""

    def __init__(self, path: Path, make_room: Callable[[], None] = lambda: None) -> None:
        self._make_room = make_room
        self.commits = 0
        """Grows with every write; nobody else writes while this process holds the workspace."""
        self._engine = create_engine(URL.create("sqlite", database=str(path)))
        event.listen(self._engine, "connect", _configure)
        event.listen(self._engine, "begin", _begin)
        self._writer = self._engine.execution_options(immediate=True, safety="FULL")
        self._casual_writer = self._engine.execution_options(immediate=True, safety="NORMAL")
        try:
            self._back_up_before_migrating(path)
            self.epoch = self._start_epoch(path.parent)
            self._check()
        except DatabaseError as error:
            self.close()
            raise DamagedFile(f"The workspace database {path} cannot be read: {error.orig}.") from error
        except BaseException:
            self.close()
            raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One consistent view of the database."""
        with self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self, action: str, *, is_promised: bool = True) -> Iterator[Connection]:
        """A transaction that lasts once the block ends; refused if another process has taken the workspace over.

        One that is not promised to anybody outlives a kill as well, but it is on the disk only with the next one.
        """
        self._make_room()
        writer = self._writer if is_promised else self._casual_writer
        with self._errors_in_words(), writer.connect() as connection, connection.begin():
            if connection.scalar(select(tables.workspace.c.epoch)) != self.epoch:
                raise WorkspaceInUse("Another process has taken this workspace over.", "Open it again to go on.")
            yield connection
            reach(f"before-{action}")
        self.commits += 1
        reach(f"after-{action}")

    @contextmanager
    def _errors_in_words(self) -> Iterator[None]:
        try:
            yield
        except OperationalError as error:
            hint = "Free some space and try again." if "full" in str(error.orig) else "Try again."
            raise UserError(f"The workspace database cannot be written: {error.orig}.", hint) from error

    def close(self) -> None:
        """Close every connection; the last one folds the write-ahead log into the file."""
        self._engine.dispose()

    def scrub(self) -> None:
        """Rewrite the file without anything that was deleted, and empty the write-ahead log."""
        self._make_room()
        with self._errors_in_words():
            connection = self._engine.raw_connection()
            try:
                cursor = connection.cursor()
                cursor.execute("VACUUM")
                (is_busy, *_) = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.OperationalError as error:
                raise OperationalError("VACUUM", None, error) from error
            finally:
                connection.close()
        if is_busy:
            raise UserError(
                "Somebody is reading the workspace database, so deleted text is still in its log.",
                "It goes when the workspace is opened next.",
            )

    def _back_up_before_migrating(self, path: Path) -> None:
        with self.read() as connection:
            found = format_of(connection, path.parent)
        if found is not None and found < newest_format():
            raw = self._engine.raw_connection()
            try:
                back_up(raw.cursor(), path, found)
            finally:
                raw.close()

    def _start_epoch(self, folder: Path) -> int:
        """Make or migrate the tables, and count this opening, all in one transaction."""
        with self._writer.connect() as connection, connection.begin():
            found = format_of(connection, folder)
            if found is None:
                tables.metadata.create_all(connection)
                connection.execute(insert(tables.workspace).values(only=1, format=newest_format(), epoch=0))
            elif found < newest_format():
                migrate(connection, found)
            epoch: int = connection.scalars(select(tables.workspace.c.epoch)).one() + 1
            connection.execute(update(tables.workspace).values(epoch=epoch))
            reach("before-commit-format")
        reach("after-commit-format")
        return epoch

    def _check(self) -> None:
        with self.read() as connection:
            found = connection.scalar(text("PRAGMA quick_check"))
        if found != "ok":
            raise DamagedFile(f"The workspace database is damaged: {found}.", "Restore meta.db from a copy.")


def now() -> str:
    """The time as stored: UTC, for display only."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _configure(connection: sqlite3.Connection, _: object) -> None:
    # Python's sqlite3 opens transactions on its own and too late (none before a SELECT), so it is told not to.
    connection.isolation_level = None
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    # A writer takes its lock at once: one that begins as a reader can fail half-way with "database is locked".
    options = connection.get_execution_options()
    immediate = options.get("immediate", False)
    if immediate:  # connections are used again, so each time
        connection.exec_driver_sql(f"PRAGMA synchronous={options['safety']}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
