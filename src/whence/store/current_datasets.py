"""The current version of each dataset name, read from the database when it is accessed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId


class CurrentDatasets(Mapping[str, DatasetRecord]):
    """The dataset names at one moment, oldest first. It reads only the records asked for, perhaps few of thousands."""

    def __init__(self, ids: Mapping[str, DatasetId], find: Callable[[DatasetId], DatasetRecord]) -> None:
        self._ids = ids
        self._find = find

    def __getitem__(self, name: str) -> DatasetRecord:
        return self._find(self._ids[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)
