"""Lineage that was left for later and could not be worked out: an internal error of a rule makes it coarse."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from whence.engine.blame import is_own_error
from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.engine.report_failure import report_failure
from whence.lineage.strategy import FAILURE
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported
from whence.store.store import Store


class LineageLost(NotSupported):
    """Deferred lineage has just become coarse; whoever can do with coarse lineage asks again."""


class LostLineage:
    """Notes datasets whose deferred lineage an internal error cost, with a caveat and a report for each."""

    def __init__(self, store: Store, engine: Engine) -> None:
        self._store = store
        self._engine = engine
        self._noting = threading.Lock()

    def has(self, record: DatasetRecord) -> bool:
        """Whether the lineage of a dataset was lost."""
        return self._store.late_notes.has(record.id, FAILURE)

    @contextmanager
    def guard(self, record: DatasetRecord) -> Iterator[None]:
        """Raise an internal error of the block as `LineageLost`, once it is noted, and every other error as it is."""
        try:
            yield
        except Exception as error:
            if self._engine.raises_internal_errors or not is_own_error(error):
                raise
            self._note(record, error)
            raise LineageLost(f"The lineage of {record.label} is coarse: {FAILURE}.") from error

    def _note(self, record: DatasetRecord, error: Exception) -> None:
        """Note the loss once: a question may fail while the background job of the same dataset does."""
        with self._noting:
            if not self.has(record):
                report_failure(self._store.layout, self._engine, "defer", error, self._query(record))
                self._store.add_note(record, FAILURE)

    def _query(self, record: DatasetRecord) -> Query | None:
        """The query of a dataset; None if reading it is what fails."""
        try:
            return self._engine.recall(record)
        except Exception:
            return None
