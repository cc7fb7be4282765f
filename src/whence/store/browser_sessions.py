"""Browser sessions as rows of meta.db: the hash of each session's secret, and when it ends."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from whence.store import tables
from whence.store.database import Database


class BrowserSessions:
    """The browser sessions of a workspace. They survive a restart, and no secret is stored that opens one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self) -> dict[str, float]:
        """Return when each session ends, in seconds since 1970, by the hash of its secret."""
        with self._database.read() as connection:
            return {row.digest: row.expires for row in connection.execute(select(tables.browser_sessions))}

    def add(self, digest: str, expires: float, now: float) -> None:
        """Store a new session and delete those that have ended."""
        columns = tables.browser_sessions.c
        with self._database.write("commit-notebook") as connection:
            connection.execute(delete(tables.browser_sessions).where(columns.expires <= now))
            connection.execute(insert(tables.browser_sessions).values(digest=digest, expires=expires))

    def remove(self, digest: str) -> None:
        """End one session."""
        with self._database.write("commit-notebook") as connection:
            connection.execute(delete(tables.browser_sessions).where(tables.browser_sessions.c.digest == digest))

    def clear(self) -> None:
        """End every session."""
        with self._database.write("commit-notebook") as connection:
            remove_all_sessions(connection)


def remove_all_sessions(connection: Connection) -> None:
    """End every session. An imported workspace trusts no browser yet."""
    connection.execute(delete(tables.browser_sessions))
