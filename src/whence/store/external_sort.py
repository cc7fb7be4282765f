"""External sort: sorts more rows than memory holds, in sorted runs on disk that are merged block by block.

The tables have the key columns and `RID`. Rows with equal keys keep the order in which they came.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.store.durable import writing

Rids = npt.NDArray[np.int64]

RID = "rid"
BUDGET = 256 * 1024 * 1024
"""Bytes of keys and row ids that are sorted in memory at once."""

_BLOCK = 65_536


@dataclass(frozen=True)
class Key:
    """One column to sort by."""

    column: str
    is_ascending: bool
    nulls_first: bool


def sorted_rids(tables: Iterable[pa.Table], keys: Sequence[Key], scratch: Path, budget: int = BUDGET) -> Iterator[Rids]:
    """Yield the row ids of all tables in key order. Create the folder `scratch` if needed, and remove it at the end."""
    try:
        runs: list[_Run] = []
        for run in _runs(tables, budget):
            ordered = run.take(_order(run, keys))
            # Only the last run can be within the budget. It stays in memory.
            runs.append(_spill(ordered, scratch / f"run-{len(runs)}.arrow") if run.nbytes > budget else _Run([ordered]))
        if len(runs) == 1:
            yield from (_rids(block) for block in runs[0].rest())
        else:
            yield from _merge(runs, keys)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _runs(tables: Iterable[pa.Table], budget: int) -> Iterator[pa.Table]:
    """Gather tables until they exceed the budget."""
    waiting: list[pa.Table] = []
    size = 0
    for table in tables:
        waiting.append(table)
        size += table.nbytes
        if size > budget:
            yield pa.concat_tables(waiting)
            waiting, size = [], 0
    if waiting:
        yield pa.concat_tables(waiting)


def _order(table: pa.Table, keys: Sequence[Key]) -> pa.Array:
    """Return the row indices in sorted order. Arrow's sort is stable.

    Arrow puts nulls last, and the way to ask for anything else changed in its version 25. So nulls that go first get a
    sort key of their own.
    """
    wanted = []
    for key in keys:
        if key.nulls_first and table[key.column].null_count:
            name = f"{key.column} is there"
            table = table.append_column(name, pc.cast(table[key.column].is_valid(), pa.int8()))
            wanted.append((name, "ascending"))
        wanted.append((key.column, "ascending" if key.is_ascending else "descending"))
    return pc.sort_indices(table, sort_keys=wanted)


class _Run:
    """An iterator over the sorted blocks of one run."""

    def __init__(self, blocks: Iterable[pa.Table]) -> None:
        self._blocks = iter(blocks)
        self._next = next(self._blocks, None)

    @property
    def has_more(self) -> bool:
        return self._next is not None

    def read(self) -> pa.Table:
        block, self._next = self._next, next(self._blocks, None)
        return block

    def rest(self) -> Iterator[pa.Table]:
        while self.has_more:
            yield self.read()


def _spill(table: pa.Table, path: Path) -> _Run:
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table.combine_chunks(), max_chunksize=_BLOCK)
    return _Run(_blocks(path))


def _blocks(path: Path) -> Iterator[pa.Table]:
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        for number in range(reader.num_record_batches):
            yield pa.Table.from_batches([reader.get_batch(number)])


def _merge(runs: list[_Run], keys: Sequence[Key]) -> Iterator[Rids]:
    """Merge sorted runs.

    It sorts the loaded blocks together. Rows up to the first "last loaded row" of a run that has more blocks are final,
    because later blocks hold nothing smaller.
    """
    loaded: list[pa.Table | None] = [None] * len(runs)
    while any(run.has_more for run in runs) or any(loaded):
        for number, run in enumerate(runs):
            if not loaded[number] and run.has_more:
                loaded[number] = run.read()
        present = [block for block in loaded if block]
        together = pa.concat_tables(present)
        order = _order(together, keys).to_numpy()
        ends = np.cumsum([block.num_rows for block in loaded if block]) - 1
        open_ends = [end for end, run in zip(ends, _with_rows(runs, loaded), strict=True) if run.has_more]
        settled = int(np.flatnonzero(np.isin(order, open_ends))[0]) + 1 if open_ends else len(order)
        yield _rids(together.select([RID]).take(order[:settled]))
        loaded = _remaining(loaded, order[:settled])


def _with_rows(runs: list[_Run], loaded: list[pa.Table | None]) -> list[_Run]:
    return [run for run, block in zip(runs, loaded, strict=True) if block]


def _remaining(loaded: list[pa.Table | None], settled: npt.NDArray[np.uint64]) -> list[pa.Table | None]:
    """Return what was not yielded: the end of each block, because every block is sorted."""
    places = np.sort(settled)
    start, rest = 0, []
    for block in loaded:
        count = block.num_rows if block else 0
        given = int(np.searchsorted(places, start + count) - np.searchsorted(places, start))
        rest.append(block.slice(given) if block and given < count else None)
        start += count
    return rest


def _rids(table: pa.Table) -> Rids:
    rids: Rids = table[RID].to_numpy()
    return rids
