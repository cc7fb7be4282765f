"""Sorted and filtered views: the row ids of a dataset version in another order, computed once, then read in pages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile, UnknownRow
from whence.model.ids import DatasetId
from whence.store.condition import Clause, clauses, passing
from whence.store.derived import Derived
from whence.store.external_sort import RID, Key, sorted_rids
from whence.store.order import SortKey, comparable, sort_keys
from whence.store.pages import Pages
from whence.store.rid_file import RidFile, Rids, write_rids
from whence.store.scattered_rows import ScatteredRows

SortLike = str | tuple[str, str] | tuple[str, str, str]
WhereLike = tuple[str, str] | tuple[str, str, object]


@dataclass(frozen=True)
class Definition:
    """The filter and the sort order of a view. Rows with equal sort keys stay in row id order."""

    dataset: DatasetId
    sort: tuple[SortKey, ...] = ()
    where: tuple[Clause, ...] = ()

    @property
    def columns(self) -> list[str]:
        """Return the columns that the filter and the sort read."""
        return list(dict.fromkeys([clause.column for clause in self.where] + [key.column for key in self.sort]))

    @property
    def question(self) -> list[object]:
        """Return what distinguishes this view from other views of its dataset. It names the view's file."""
        sort = [[key.column, key.is_ascending, key.nulls_first] for key in self.sort]
        return [sort, [clause.text for clause in self.where]]


class View:
    """Some rows of a dataset version in some order. Row i of the view is not row i of the dataset."""

    def __init__(self, record: DatasetRecord, definition: Definition, views: Views) -> None:
        self.record = record
        self.definition = definition
        self._views = views

    @property
    def count(self) -> int:
        """Number of rows in the view."""
        return self._views.count(self.record, self.definition)

    def rids(self, start: int = 0, stop: int | None = None) -> Rids:
        """Return the row ids of the view's rows start..stop-1. A stop beyond the end means the end."""
        if start < 0 or (stop is not None and stop < 0):
            raise UnknownRow(f"A view has no row {start if start < 0 else stop}.", "Its rows are counted from 0.")
        return self._views.rids(self.record, self.definition, start, self.count if stop is None else stop)

    def rows(self, start: int = 0, stop: int | None = None) -> pa.Table:
        """Return the view's rows start..stop-1 as an Arrow table, in the view's order."""
        return self._views.scattered.take(self.record, self.rids(start, stop), self.record.schema.names)

    def wait(self) -> None:
        """Return when the background copy that makes later pages faster is complete."""
        self._views.scattered.wait(self.record.id)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<view of {self.record.label}: {self.count} of {self.record.rows} rows>"


class Views:
    """Creates views and caches their row ids: in files, of which the last 64 stay memory-mapped."""

    def __init__(self, derived: Derived, pages: Callable[[DatasetId], Pages], scattered: ScatteredRows) -> None:
        self.scattered = scattered
        self._pages = pages
        self._derived = derived
        self._file = lru_cache(maxsize=64)(self._make)

    def view(self, record: DatasetRecord, sort: Sequence[object], where: Sequence[object]) -> View:
        """Return a view of a dataset version. Raise an error at once if a sort key or a condition is not valid."""
        types = self._pages(record.id).empty(record.schema.names).schema
        return View(record, Definition(record.id, sort_keys(types, sort), clauses(types, where)), self)

    def count(self, record: DatasetRecord, definition: Definition) -> int:
        """Return the number of rows in a view, which computes the view if its file does not exist."""
        return self._file(definition, record.rows).count if definition.columns else record.rows

    def rids(self, record: DatasetRecord, definition: Definition, start: int, stop: int) -> Rids:
        """Return part of a view's row ids. A damaged file is computed again."""
        if not definition.columns:
            return np.arange(min(start, record.rows), min(stop, record.rows), dtype=np.int64)
        try:
            return self._file(definition, record.rows).read(start, stop)
        except DamagedFile:
            self._derived.path("views", record.id, definition.question).unlink(missing_ok=True)
            self._file.cache_clear()
            return self._file(definition, record.rows).read(start, stop)

    def clear(self) -> None:
        """Close every memory-mapped file."""
        self._file.cache_clear()

    def _make(self, definition: Definition, rows: int) -> RidFile:
        path = self._derived.path("views", definition.dataset, definition.question)
        try:
            return RidFile(path)
        except DamagedFile:  # or not there yet
            # The suffix lets `Derived.tidy` remove the folder if a crash leaves it behind.
            scratch = path.with_name(f"{path.name}-{os.urandom(4).hex()}.sort")
            matching = self._matching(definition)
            if definition.sort:
                keys = [Key(f"k{n}", key.is_ascending, key.nulls_first) for n, key in enumerate(definition.sort)]
                write_rids(path, sorted_rids(_keyed(matching, definition), keys, scratch), rows)
            else:
                write_rids(path, (rids for rids, _ in matching), rows)
            return RidFile(path)

    def _matching(self, definition: Definition) -> Iterator[tuple[Rids, pa.Table]]:
        """Yield the row ids of matching rows with the columns to sort by, batch by batch."""
        wanted = [key.column for key in definition.sort]
        for start, table in self._pages(definition.dataset).scan(definition.columns):
            rids = np.arange(start, start + table.num_rows, dtype=np.int64)
            if definition.where:
                mask = passing(table, definition.where)
                rids, table = rids[mask.to_numpy()], table.select(wanted).filter(mask)
            yield rids, table


def _keyed(matching: Iterator[tuple[Rids, pa.Table]], definition: Definition) -> Iterator[pa.Table]:
    for rids, table in matching:
        keys = {f"k{n}": comparable(table[key.column]) for n, key in enumerate(definition.sort)}
        yield pa.table({**keys, RID: rids})
