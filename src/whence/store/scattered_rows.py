"""Fast access to rows scattered over a long dataset, through a copy in small blocks made in the background.

A page of a sorted view touches a hundred row groups, and decoding those takes half a second. The first such page is
read that way. Meanwhile a thread makes the copy, and later pages come from it. The copy is in tmp and safe to delete.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile, WhenceError
from whence.model.ids import DatasetId
from whence.store.block_file import BLOCK_ROWS, BlockFile, write_blocks
from whence.store.derived import Derived
from whence.store.pages import Pages, pick
from whence.store.parts import ROW_GROUP

Rids = npt.NDArray[np.int64]

FEW_GROUPS = 4
"""Number of row groups up to which a page is decoded from Parquet, without a copy."""

_BLOCKS_FOR_A_GROUP = 20
"""Number of blocks that can be read in the time it takes to decode a row group."""

_KEPT_FREE = 4
"""The copy is made only if this many copies would fit on the disk."""


class ScatteredRows:
    """Takes rows by row id, from Parquet or from a copy, whichever is faster. It makes the copies."""

    def __init__(self, derived: Derived, pages: Callable[[DatasetId], Pages]) -> None:
        self._derived = derived
        self._pages = pages
        self._files: dict[DatasetId, BlockFile | None] = {}
        self._threads: dict[DatasetId, threading.Thread] = {}
        self._lock = threading.Lock()
        self._is_closing = threading.Event()
        self._stopped: set[DatasetId] = set()
        """Datasets whose copies are not to be finished, as they would be dropped."""

    def take(self, record: DatasetRecord, rids: Rids, columns: Sequence[str]) -> pa.Table:
        """Return the rows of these row ids, in this order. A row id may repeat."""
        if not _is_scattered(rids):
            return self._pages(record.id).take(rids, columns)
        wanted, places = np.unique(rids, return_inverse=True)
        table = self._from_copy(record.id, wanted)
        if table is not None:
            return pick(table, columns).take(pa.array(places))
        answer = self._pages(record.id).take(rids, columns)
        self._begin(record.id)  # only now: making the copy would slow this answer down
        return answer

    def wait(self, dataset: DatasetId) -> None:
        """Return when no copy of this dataset is being made."""
        thread = self._threads.get(dataset)
        if thread is not None:
            thread.join()

    def close(self) -> None:
        """Stop making copies and close those that are open."""
        self._is_closing.set()
        self.drop_all()

    def drop_all(self) -> None:
        """Close every copy. Those that are being made stop, and begin anew when they are needed again."""
        for dataset in {*self._threads, *self._files}:
            self.drop(dataset)

    def drop(self, dataset: DatasetId) -> None:
        """Close a dataset's copy, or stop making it. The caller removes the file."""
        self._stopped.add(dataset)
        self.wait(dataset)
        self._stopped.discard(dataset)
        file = self._files.pop(dataset, None)
        if file is not None:
            file.close()

    def _from_copy(self, dataset: DatasetId, wanted: Rids) -> pa.Table | None:
        file = self._open(dataset)
        if file is None:
            return None
        try:
            return file.take(wanted)
        except DamagedFile:
            self._path(dataset).unlink(missing_ok=True)
            self.drop(dataset)
            return None

    def _open(self, dataset: DatasetId) -> BlockFile | None:
        """Return the copy if it exists."""
        with self._lock:
            if dataset not in self._files and not self._is_making(dataset):
                try:
                    self._files[dataset] = BlockFile(self._path(dataset))
                except DamagedFile:  # or not there yet
                    self._path(dataset).unlink(missing_ok=True)
            return self._files.get(dataset)

    def _is_making(self, dataset: DatasetId) -> bool:
        thread = self._threads.get(dataset)
        return thread is not None and thread.is_alive()

    def _begin(self, dataset: DatasetId) -> None:
        """Start making a copy, unless one is being made, there is no space for it, or it has failed before."""
        pages = self._pages(dataset)
        with self._lock:
            is_there = dataset in self._files or self._path(dataset).exists()
            if is_there or self._is_making(dataset) or self._is_closing.is_set():
                return
            if pages.raw_size() * _KEPT_FREE > shutil.disk_usage(self._derived.root).free:
                # None is remembered, so that the next page does not measure again.
                self._files[dataset] = None
                return
            thread = threading.Thread(target=self._make, args=(dataset, pages), name=f"copy-{dataset}", daemon=True)
            self._threads[dataset] = thread
            thread.start()

    def _make(self, dataset: DatasetId, pages: Pages) -> None:
        try:
            write_blocks(self._path(dataset), self._tables(dataset, pages), pages.schema)
        except (WhenceError, _StoppedError):  # pages are then read from Parquet. A damaged part raises its own error
            self._files[dataset] = None

    def _tables(self, dataset: DatasetId, pages: Pages) -> Iterator[pa.Table]:
        for _, table in pages.scan(pages.schema.names):
            for start in range(0, table.num_rows, ROW_GROUP):
                if self._is_closing.is_set() or dataset in self._stopped:
                    raise _StoppedError
                yield table.slice(start, ROW_GROUP)

    def _path(self, dataset: DatasetId) -> Path:
        return self._derived.path("rows", dataset, [])


def _is_scattered(wanted: Rids) -> bool:
    """Whether these are few rows of many row groups. Many rows of each group are faster to decode together."""
    groups = _count_different(wanted // ROW_GROUP)
    return groups > FEW_GROUPS and _count_different(wanted // BLOCK_ROWS) < groups * _BLOCKS_FOR_A_GROUP


def _count_different(places: Rids) -> int:
    """Count without sorting: a question may ask for millions of rows, of a few thousand places."""
    return int(np.count_nonzero(np.bincount(places)))


class _StoppedError(Exception):
    """Ends the copying thread when the workspace is being closed or the copy would be dropped."""
