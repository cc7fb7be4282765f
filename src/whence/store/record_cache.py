"""Dataset records looked up since the last write: pages are asked for far more often than anything changes."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from whence.model.dataset import DatasetRecord
from whence.store.database import Database

MOST = 10_000


class RecordCache:
    """Records by how they were asked for; safe to use from several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._found: tuple[int, dict[tuple[str, object], DatasetRecord]] = (-1, {})
        """By which write, and what; replaced as one: who still looks by an older state fills what nobody reads."""

    def find(self, question: tuple[str, object], look: Callable[[Connection], DatasetRecord]) -> DatasetRecord:
        """The answer to a question, which is asked again after a write; what is unknown is not remembered."""
        now = self._database.commits
        at, found = self._found
        if at != now or len(found) > MOST:
            found = {}
            self._found = now, found
        known = found.get(question)
        if known is None:
            with self._database.read() as connection:
                known = found[question] = look(connection)
        return known
