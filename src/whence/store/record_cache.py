"""A cache of dataset records until a write that may change them: pages are read far more often than that."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from whence.model.dataset import DatasetRecord
from whence.store.database import Database

MOST = 10_000


class RecordCache:
    """Records by the question that found them. Several threads may use it."""

    def __init__(self, database: Database, writes: Callable[[], int]) -> None:
        self._database = database
        self._writes = writes
        """Counts the writes after which the records are looked up again."""
        self._found: tuple[int, dict[tuple[str, object], DatasetRecord]] = (-1, {})
        """The write count at which it was filled, and the records.

        Both are replaced as one tuple. A thread that still works with an older state fills a dictionary that no one
        reads.
        """

    def find(self, question: tuple[str, object], look: Callable[[Connection], DatasetRecord]) -> DatasetRecord:
        """Return the answer to a question. After a write it is looked up again. An unknown dataset is not cached."""
        # Taken before the lookup: if a write comes in between, the answer counts as older and is dropped at the next
        # question.
        now = self._writes()
        at, found = self._found
        if at != now or len(found) > MOST:
            found = {}
            self._found = now, found
        known = found.get(question)
        if known is None:
            with self._database.read() as connection:
                known = found[question] = look(connection)
        return known
