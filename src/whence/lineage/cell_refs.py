"""The cells behind a cell as a list: counted at once, written down only where it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, overload

import numpy as np

from whence.lineage.block import Ids
from whence.model.cellref import CellRef, Role
from whence.model.dataset import DatasetRecord
from whence.store.store import Store

CHUNK = 1 << 16
"""Iteration reads this many cells at a time: enough to pay for opening a file, few enough to stay small in memory."""

MOST_SHOWN = 5
"""How many cells `repr` prints."""


@dataclass(frozen=True)
class CellsOfRole:
    """Cells of one column that played the same role."""

    record: DatasetRecord
    column: str
    role: Role
    rows: Ids


class CellRefs(Sequence[CellRef]):
    """Behaves as a list of CellRef. Its length is known at once; a slice of it is as lazy as itself."""

    __hash__ = None  # type: ignore[assignment]  # as a list

    def __init__(self, store: Store, runs: Sequence[CellsOfRole], places: range | None = None) -> None:
        self._store = store
        self._runs = runs
        self._ends = np.cumsum([len(run.rows) for run in runs], dtype=np.int64)
        self._places = range(int(self._ends[-1]) if len(runs) else 0) if places is None else places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> CellRef: ...

    @overload
    def __getitem__(self, place: slice) -> CellRefs: ...

    def __getitem__(self, place: int | slice) -> CellRef | CellRefs:
        if isinstance(place, slice):
            return CellRefs(self._store, self._runs, self._places[place])
        at = self._places[place]
        (ref,) = self._read_cells(range(at, at + 1))
        return ref

    def __iter__(self) -> Iterator[CellRef]:
        for start in range(0, len(self), CHUNK):
            yield from self._read_cells(self._places[start : start + CHUNK])

    def __reversed__(self) -> Iterator[CellRef]:
        return iter(self[::-1])

    def __contains__(self, ref: object) -> bool:
        return any(each == ref for each in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | CellRefs):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __add__(self, other: Iterable[Any]) -> list[Any]:
        return [*self, *other]

    def __radd__(self, other: Iterable[Any]) -> list[Any]:
        return [*other, *self]

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, islice(self[:MOST_SHOWN], MOST_SHOWN)))
        return f"[{shown}]" if len(self) <= MOST_SHOWN else f"[{shown}, ... {len(self) - MOST_SHOWN} more]"

    def _read_cells(self, places: range) -> Iterator[CellRef]:
        """The cells at these places: one read for each stretch of them that lies in one run."""
        wanted = np.arange(places.start, places.stop, places.step, dtype=np.int64)
        of_run = np.searchsorted(self._ends, wanted, side="right")
        # Places only grow or only shrink, so those of one run lie side by side.
        for number in dict.fromkeys(of_run.tolist()):
            run = self._runs[number]
            first = int(self._ends[number]) - len(run.rows)
            yield from self._refs(run, run.rows[wanted[of_run == number] - first])

    def _refs(self, run: CellsOfRole, rows: Ids) -> Iterator[CellRef]:
        record = run.record
        values = self._store.take(record, rows, [run.column]).column(0).to_pylist()
        for row, value in zip(rows.tolist(), values, strict=True):
            yield CellRef(
                dataset=record.name, version=record.version, row=row, column=run.column, role=run.role, value=value
            )
