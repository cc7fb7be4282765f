"""Results of queries that agents did not name: they stay while agents may ask about them, and no longer."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from whence.model.errors import UnknownDataset
from whence.model.ids import DatasetId
from whence.store.store import Store

KEPT = timedelta(hours=1)
"""How long a result stays after the query that gave it: over HTTP, nothing says that an agent is done."""


@dataclass
class UnnamedResults:
    """The results that agents were given, each with the time of the latest query that gave it."""

    _given: dict[DatasetId, datetime] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, dataset: DatasetId) -> None:
        """Remember a result that an agent was given now."""
        with self._lock:
            self._given[dataset] = datetime.now(UTC)

    def drop(self, store: Store, older: timedelta = KEPT) -> None:
        """Drop results of at least this age, unless something was made from them. What is in use stays for later."""
        latest = datetime.now(UTC) - older
        with self._lock:
            old = {dataset for dataset, given in self._given.items() if given <= latest}
        if old:
            store.drop_scratch(timedelta(0), only=old)
            gone = {dataset for dataset in old if not _is_there(store, dataset)}
            with self._lock:
                self._given = {dataset: given for dataset, given in self._given.items() if dataset not in gone}


def _is_there(store: Store, dataset: DatasetId) -> bool:
    try:
        store.by_id(dataset)
    except UnknownDataset:
        return False
    return True
