"""The caveats that a dataset's own query or load raised, grouped by family, column and site."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from whence.caveats.document import part_name
from whence.caveats.influence import ROW, ROW_SET, Influences, Part
from whence.lineage.block import Block, Ids, from_arrays
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.store.memory_cache import MemoryCache
from whence.store.store import Store

Mask = npt.NDArray[np.bool_]

SUMMARIES = frozenset({"coarse"})
"""Caveats that only say where others came from."""
NOTES = frozenset({"lineage"})
"""Caveats that put nothing in doubt."""
MISSING_ROWS = "missing"
"""The family of caveats that say that rows may be missing."""


@dataclass(frozen=True)
class CaveatSet:
    """Caveats of one family, column and site; `places` are their numbers among all caveats of the dataset."""

    family: str
    column: str | None
    site: int | None
    places: Ids
    rows: Ids | None
    """The row each sits on; None if they sit on no row."""


class OwnCaveats:
    """Reads and sorts them, once for each dataset version that is asked about."""

    def __init__(self, store: Store, influences: Influences) -> None:
        self._store = store
        self._influences = influences
        self._sets = MemoryCache(store, self._sort, most=128)
        self._block = MemoryCache(store, self._read_block, most=32)

    def sets(self, record: DatasetRecord) -> tuple[CaveatSet, ...]:
        """All of them."""
        return self._sets(record.id)

    def reaches(self, record: DatasetRecord, each: CaveatSet, part: Part) -> bool:
        """Whether caveats of this set put this part of their own dataset in doubt."""
        if each.family in NOTES:
            return False
        if each.site is not None:
            is_open = self._influences.about(record).extent == "all"
            return is_open or each.site in self._influences.sites(record, part)
        if each.column is not None:
            return part == each.column
        if each.family in SUMMARIES:
            return self._influences.passes_blindly(record, part)
        if each.family == MISSING_ROWS:
            return part == ROW_SET
        return part == ROW if each.rows is not None else True

    def source_rows_of(self, record: DatasetRecord, each: CaveatSet) -> Block | None:
        """For caveats raised inside the query: the source rows each was raised on, if they were found."""
        parts = self._influences.about(record).parts
        if each.site is None or each.site not in parts:
            return None
        return self._block(record.id, each.site, parts[each.site], len(each.places))

    def rows_behind(self, record: DatasetRecord, each: CaveatSet, part: Part, holds: Mask, edges: Edges) -> Ids | slice:
        """The rows made from those that these caveats of the set, raised inside the query, were raised on."""
        about, block = self._influences.about(record), self.source_rows_of(record, each)
        if block is None or part == ROW_SET or about.decides_elsewhere(each.site):
            return slice(None)
        found = np.zeros(0, dtype=np.int64)
        for source in sorted({number for one in block.parts for number in one.sources}):
            caveats, raised_on = block.pairs(source)
            found = np.union1d(found, edges.forward(record, source, np.unique(raised_on[holds[caveats]])))
        return found

    def _sort(self, dataset: DatasetId) -> tuple[CaveatSet, ...]:
        table = self._store.caveat_table(self._store.by_id(dataset))
        if table.num_rows == 0:
            return ()
        rows = pc.fill_null(table["row"], -1).to_numpy()
        families, columns = (table[name].combine_chunks().dictionary_encode() for name in ("family", "column"))
        sites = pc.fill_null(table["site"], -1).to_numpy()
        codes = [
            pc.fill_null(families.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64),
            pc.fill_null(columns.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64),
            sites.astype(np.int64),
            (rows >= 0).astype(np.int64),
        ]
        kinds, first, owners = _kinds(codes)
        names, titles = families.dictionary.to_pylist(), columns.dictionary.to_pylist()
        order = np.argsort(owners, kind="stable")
        ends = np.cumsum(np.bincount(owners, minlength=len(kinds)))
        sets = []
        for number in np.argsort(first):
            family, column, site, has_row = kinds[number]
            places = order[ends[number] - int((owners == number).sum()) : ends[number]]
            sets.append(
                CaveatSet(
                    names[family],
                    None if column < 0 else titles[column],
                    None if site < 0 else int(site),
                    places,
                    rows[places] if has_row else None,
                )
            )
        return tuple(sets)

    def _read_block(self, dataset: DatasetId, site: int, parts: int, count: int) -> Block:
        record = self._store.by_id(dataset)
        files = [self._store.arrays(record, part_name(site, part)) for part in range(parts)]
        return from_arrays(count, [file for file in files if file is not None])


def _kinds(codes: list[npt.NDArray[np.int64]]) -> tuple[npt.NDArray[np.int64], Ids, Ids]:
    """The distinct combinations, where each first occurs, and which of them each item is."""
    combined, first, owners = np.unique(_combine_codes(codes), return_index=True, return_inverse=True)
    assert len(combined) == len(first)
    return np.stack([code[first] for code in codes], axis=1), first, owners.astype(np.int64)


def _combine_codes(codes: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    """One number for each combination of codes."""
    mixed = np.zeros(len(codes[0]), dtype=np.int64)
    for code in codes:
        mixed = mixed * (int(code.max()) + 2) + code + 1
    return mixed
