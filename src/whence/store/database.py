"""Opens and writes meta.db: connection settings, the epoch, and the checks of a write transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
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
    "busy_timeout=10000",  # milliseconds
    "foreign_keys=ON",
    "secure_delete=ON",  # deleted content is overwritten, so that it cannot be found in a free page
    "wal_autocheckpoint=1000",
    "journal_size_limit=16777216",  # 16 MB: `room.FOR_METADATA` counts on it
)


class Database:
    """meta.db, opened for one epoch: the time during which one process holds the workspace's lock."""

    def __init__(self, path: Path, make_room: Callable[[], None] = lambda: None) -> None:
        self._make_room = make_room
        self.commits = 0
        """Counts write transactions. No other process writes while this one holds the workspace."""
        self.rewrites = 0
        """Counts those of them that may have changed or removed a dataset version."""
        self.on_commit: Callable[[], None] = lambda: None
        """Is called after each write transaction, by the thread that wrote."""
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
        """Yield a connection that sees one consistent state of the database."""
        with self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self, action: str, *, is_promised: bool = True, only_adds: bool = False) -> Iterator[Connection]:
        """Yield a connection for a transaction that is durable when the block ends.

        Raise `WorkspaceInUse` if another process has taken the workspace over. With `is_promised=False` the commit
        survives a killed process, but not a power cut until the next promised commit. With `only_adds=True` every
        dataset version that was there stays as it is.
        """
        self._make_room()
        writer = self._writer if is_promised else self._casual_writer
        with self._errors_in_words(), writer.connect() as connection, connection.begin():
            # A second check beside the lock file: every opening raises the epoch, so a process that was replaced stops
            # here.
            if connection.scalar(select(tables.workspace.c.epoch)) != self.epoch:
                raise WorkspaceInUse("Another process has taken this workspace over.", "Open it again to go on.")
            yield connection
            reach(f"before-{action}")
        self.rewrites += not only_adds
        self.commits += 1
        self.on_commit()
        reach(f"after-{action}")

    @contextmanager
    def _errors_in_words(self) -> Iterator[None]:
        try:
            yield
        except OperationalError as error:
            hint = "Free some space and try again." if "full" in str(error.orig) else "Try again."
            raise UserError(f"The workspace database cannot be written: {error.orig}.", hint) from error

    def close(self) -> None:
        """Close every connection. The last one folds the write-ahead log into the file."""
        self._engine.dispose()

    def add_triggers(self, statements: Sequence[str]) -> None:
        """Give every connection from now on these triggers, which must be temporary: the file never holds code."""

        def create(connection: sqlite3.Connection, _: object) -> None:
            for statement in statements:
                connection.execute(statement)

        event.listen(self._engine, "connect", create)
        self._engine.dispose()  # connections that are open have no such triggers yet

    def scrub(self) -> None:
        """Rewrite the file without deleted content, and empty the write-ahead log."""
        self._make_room()
        with self._errors_in_words():
            # A raw connection: SQLAlchemy would begin a transaction, and VACUUM cannot run inside one.
            connection = self._engine.raw_connection()
            try:
                cursor = connection.cursor()
                # The checkpoint syncs the log before the file. Until then the file has its old content, deleted or not.
                cursor.execute("PRAGMA synchronous=NORMAL")
                cursor.execute("PRAGMA temp_store=MEMORY")
                cursor.execute("VACUUM")
                (is_busy, *_) = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.OperationalError as error:
                raise OperationalError("VACUUM", None, error) from error
            finally:
                connection.close()
        if is_busy:
            raise UserError(
                "The workspace database is being read, so deleted text is still in its log.",
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
        """Create or migrate the tables and increase the epoch, all in one transaction."""
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
    """Return the current UTC time as text, for display only: rows are ordered by sequence, never by the clock."""
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
    if immediate:  # connections are reused, so it is set each time
        connection.exec_driver_sql(f"PRAGMA synchronous={options['safety']}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
