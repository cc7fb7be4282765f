"""Files of operators' lineage that the planner stores after their runs. They can be deleted and made again."""

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
"""The version of the file format. It is part of every file's name, so a file of another version is never opened."""


class PlannedLineage:
    """The strategy that the plan chose for each dataset and direction, and the files of these strategies."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._use: dict[tuple[DatasetId, bool], Strategy] = {}
        self.epoch = 0
        """A number that grows when other files answer than before."""

    def use(self, record: DatasetRecord, ways: Mapping[str, Strategy]) -> None:
        """Answer questions about a dataset with these strategies from now on, by direction."""
        self.epoch += 1
        for backward in (True, False):
            self._use.pop((record.id, backward), None)
        for way, chosen in ways.items():
            if chosen.is_stored:
                self._use[record.id, way == "backward"] = chosen

    def strategy(self, record: DatasetRecord, *, backward: bool) -> Strategy | None:
        """Return the strategy a plan chose for a direction; None if no stored one was chosen."""
        return self._use.get((record.id, backward))

    def write(self, record: DatasetRecord, chosen: Strategy, arrays: Arrays) -> int:
        """Write the arrays; return the size of the file, 0 if there was no room."""
        forgets, path = self._store.forgets, self._path(record, chosen)
        try:
            write_index(path, narrowed(arrays), {})
        except UserError:  # a full disk is no reason to fail: the operator can be run again
            return 0
        # `ws.forget` ran meanwhile: the file may hold cells of a dataset that had to go.
        if self._store.forgets != forgets:
            remove(path)
            return 0
        return path.stat().st_size

    def arrays(self, record: DatasetRecord, chosen: Strategy) -> Arrays | None:
        """Return the stored arrays; None if the file is missing or damaged."""
        path = self._path(record, chosen)
        try:
            return {name: array.part(0, len(array)) for name, array in IndexFile(path).arrays.items()}
        except DamagedFile:
            remove(path)
            return None

    def bytes(self, record: DatasetRecord, chosen: Strategy) -> int:
        """Return the size of a file; 0 if there is none."""
        path = self._path(record, chosen)
        return path.stat().st_size if path.exists() else 0

    def drop(self, record: DatasetRecord, chosen: Strategy) -> None:
        """Remove the file of a strategy."""
        remove(self._path(record, chosen))

    def _path(self, record: DatasetRecord, chosen: Strategy) -> Path:
        return self._store.derived.path("deferred", record.id, ["operator", FORM, chosen.kind])
