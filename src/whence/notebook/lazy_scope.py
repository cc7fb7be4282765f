"""The datasets a cell sees, each fetched when the cell asks for it: of a thousand, a cell reads a few."""

from __future__ import annotations

from collections.abc import Mapping

from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.notebook.scope import Names, key_of
from whence.store.store import Store


class LazyScope(Names[DatasetRecord]):
    """A mapping of dataset names to records that holds only ids and fetches a record from the store when asked."""

    def __init__(self, store: Store, ids: Mapping[str, DatasetId]) -> None:
        super().__init__()
        self._store = store
        self._spelling = {key_of(name): name for name in ids}
        self._ids = {key_of(name): dataset for name, dataset in ids.items()}

    def __getitem__(self, name: str) -> DatasetRecord:
        return self._store.by_id(self._ids[key_of(name)])
