"""Indexes kept as files beside the workspace's other derived files: opened at once, made again if anything is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from whence.lineage.block import Ids
from whence.lineage.index import IndexFacts, InMemory, Numbers, build_arrays, from_arrays
from whence.lineage.lookup import Lookup
from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile, UserError
from whence.store.derived import remove
from whence.store.index_file import IndexFile, write_index
from whence.store.store import Store

FORM = 1
"""Goes into the name of every file: one of another form is never opened."""

SMALL = 65_536
"""An edge with fewer pairs than this is indexed again in less time than a file takes to open."""

Pairs = Callable[[], tuple[Ids, Ids]]


class IndexCache:
    """The index files of one workspace."""

    def __init__(self, store: Store, small: int = SMALL) -> None:
        self._store = store
        self._small = small

    def lookup(
        self, record: DatasetRecord, source: int, pairs: Pairs, key_count: int, value_count: int, *, backward: bool
    ) -> Lookup:
        """The index of one direction of an edge; `pairs` gives (key, value) pairs where it has to be made."""
        path = self._path(record, source, backward=backward)
        try:
            return _open_lookup(path)
        except DamagedFile:
            remove(path)
        forgets = self._store.forgets
        arrays, facts = build_arrays(*pairs(), key_count, value_count)
        if sum(map(len, arrays.values())) >= self._small and self._write(path, arrays, facts, forgets):
            return _open_lookup(path)
        return from_arrays({name: InMemory(array) for name, array in arrays.items()}, facts)

    def drop(self, record: DatasetRecord, source: int, *, backward: bool) -> None:
        """Remove a file in which something was wrong."""
        remove(self._path(record, source, backward=backward))

    def _write(self, path: Path, arrays: dict[str, Numbers], facts: IndexFacts, forgets: int) -> bool:
        try:
            write_index(path, arrays, asdict(facts))
        except UserError:  # a full disk is no reason to leave a question unanswered
            return False
        if self._store.forgets != forgets:  # it may have been removed before it was there
            remove(path)
            return False
        return True

    def _path(self, record: DatasetRecord, source: int, *, backward: bool) -> Path:
        """Named by what it was made from, so that an index never outlives the block it belongs to."""
        block = sorted((name, file.sha256) for name, file in self._store.manifest(record).lineage.items())
        return self._store.derived.path("index", record.id, [FORM, source, backward, block])


def _open_lookup(path: Path) -> Lookup:
    file = IndexFile(path)
    return from_arrays(file.arrays, IndexFacts(**file.facts))
