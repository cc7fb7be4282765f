"""Column profiles of dataset versions, computed once and stored as derived files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import pyarrow as pa

from whence.model.dataset import DatasetRecord
from whence.model.errors import DamagedFile, UnknownColumn
from whence.model.ids import DatasetId
from whence.model.schema import Field
from whence.store.derived import Derived
from whence.store.measure import measure
from whence.store.pages import Pages
from whence.store.profile import Profile, read_profile, write_profile


class Profiles:
    """Computes profiles and caches them, in files and the last 4096 in memory."""

    def __init__(self, derived: Derived, pages: Callable[[DatasetId], Pages]) -> None:
        self._pages = pages
        self._derived = derived
        self._profile = lru_cache(maxsize=4096)(self._make)

    def profile(self, record: DatasetRecord, column: str) -> Profile:
        """Return the profile of one column."""
        position = record.schema.position(column)
        if position is None:
            raise UnknownColumn(f"{record.label} has no column {column}.", f"It has {', '.join(record.schema.names)}.")
        return self._profile(record.id, record.schema.fields[position])

    def clear(self) -> None:
        """Drop the profiles cached in memory."""
        self._profile.cache_clear()

    def _make(self, dataset: DatasetId, field: Field) -> Profile:
        path = self._derived.path("profiles", dataset, [field.name])
        try:
            return read_profile(path)
        except DamagedFile:  # or not there yet
            pages = self._pages(dataset)
            kind = pages.empty([field.name]).schema.field(0).type
            made = measure(field, kind, lambda: _values(pages, field.name))
            write_profile(path, made)
            return made


def _values(pages: Pages, column: str) -> Iterator[pa.Array]:
    for _, table in pages.scan([column]):
        yield from table.column(0).chunks
