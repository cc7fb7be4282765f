"""The datasets that names mean now, read from the database one by one as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId


class CurrentDatasets(Mapping[str, DatasetRecord]):
    """The names as of one moment, oldest first. A query names a few of perhaps thousands, so only those are read."""

    def __init__(self, ids: Mapping[str, DatasetId], find: Callable[[DatasetId], DatasetRecord]) -> None:
        self._ids = ids
        self._find = find

    def __getitem__(self, name: str) -> DatasetRecord:
        return self._find(self._ids[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)
