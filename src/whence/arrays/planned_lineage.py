"""Lineage of operators that a plan stores after their run: files that can be made again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from whence.arrays.encodings import Arrays, narrowed
from whence.arrays.strategy import Strategy
from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile, UserError
from whence.model.ids import DatasetId
from whence.store.derived import remove
from whence.store.index_file import IndexFile, write_index
from whence.store.store import Store

FORM = 1
"""Goes into the name of every file: one of another form is never opened."""


class PlannedLineage:
    """Which strategy answers which direction of a dataset, and the files behind them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._use: dict[tuple[DatasetId, bool], Strategy] = {}
        self.epoch = 0
        """Grows when other files answer than before."""

    def use(self, record: DatasetRecord, ways: Mapping[str, Strategy]) -> None:
        """From now on these strategies answer."""
        self.epoch += 1
        for backward in (True, False):
            self._use.pop((record.id, backward), None)
        for way, chosen in ways.items():
            if chosen.is_stored:
                self._use[record.id, way == "backward"] = chosen

    def strategy(self, record: DatasetRecord, *, backward: bool) -> Strategy | None:
        """What a plan wants; None if there is no plan."""
        return self._use.get((record.id, backward))

    def write(self, record: DatasetRecord, chosen: Strategy, arrays: Arrays) -> int:
        """Keep the arrays; return the size of the file, 0 if there was no room."""
        forgets, path = self._store.forgets, self._path(record, chosen)
        try:
            write_index(path, narrowed(arrays), {})
        except UserError:  # a full disk is no reason to fail: the operator can be run again
            return 0
        if self._store.forgets != forgets:
            remove(path)
            return 0
        return path.stat().st_size

    def arrays(self, record: DatasetRecord, chosen: Strategy) -> Arrays | None:
        """What was kept; None if it is not there or damaged."""
        path = self._path(record, chosen)
        try:
            return {name: array.part(0, len(array)) for name, array in IndexFile(path).arrays.items()}
        except DamagedFile:
            remove(path)
            return None

    def bytes(self, record: DatasetRecord, chosen: Strategy) -> int:
        """The size of a file; 0 if there is none."""
        path = self._path(record, chosen)
        return path.stat().st_size if path.exists() else 0

    def drop(self, record: DatasetRecord, chosen: Strategy) -> None:
        """Remove a file."""
        remove(self._path(record, chosen))

    def _path(self, record: DatasetRecord, chosen: Strategy) -> Path:
        return self._store.derived.path("deferred", record.id, ["operator", FORM, chosen.kind])
