"""Carries doubt flags through an operator: an output cell is in doubt if a cell it was made from is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from whence.caveats.influence import ROW, Part
from whence.lineage.lookup import Lookup
from whence.lineage.selection import Selection
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord, Doubt

Mask = npt.NDArray[np.bool_]


class FlaggedParts(Protocol):
    """The doubt flags of a dataset."""

    @property
    def masks(self) -> Mapping[Part, Mask]: ...
    @property
    def row_set(self) -> bool: ...


class FlagReader(Protocol):
    """Reads the doubt flags of datasets as they stand."""

    def current_flags(self, record: DatasetRecord) -> FlaggedParts: ...


@dataclass(frozen=True)
class InheritedDoubt:
    """The doubt of an output: flags of its values, flags of its rows, and whether rows may be missing."""

    values: Mask | None = None
    rows: Mask | None = None
    row_set: bool = False
    caveats: tuple[Caveat, ...] = ()

    def doubt(self, columns: Iterable[str]) -> Doubt:
        """Return which parts of the output carry any doubt flag."""
        has_values = self.values is not None and bool(self.values.any())
        has_rows = self.rows is not None and bool(self.rows.any())
        return Doubt(frozenset(columns) if has_values else frozenset(), has_rows, self.row_set)


def inherited(
    name: str,
    inputs: Sequence[DatasetRecord],
    known: Sequence[FlaggedParts],
    cells: int,
    forward: Callable[[int], Lookup] | None,
) -> InheritedDoubt:
    """Return the doubt of the output: flags of values follow lineage, doubt about rows reaches every cell.

    `forward` gives the forward lookup of an input; it is None where every cell may come from every cell.
    """
    doubtful = [number for number, each in enumerate(known) if each.masks or each.row_set]
    if not doubtful:
        return InheritedDoubt()
    # A row too many or too few moves all cells after it, so nothing is certain any more.
    if forward is None or any(known[number].row_set or ROW in known[number].masks for number in doubtful):
        every = np.ones(cells, dtype=bool)
        reasons = [f"Made from {inputs[number].label}, which is in doubt, by {name}." for number in doubtful]
        caveats = tuple(Caveat(reason, "coarse") for reason in reasons) if forward is None else ()
        return InheritedDoubt(every, every, True, caveats)
    mask = np.zeros(cells, dtype=bool)
    for number in doubtful:
        flagged = np.logical_or.reduce(list(known[number].masks.values()))
        mask |= forward(number).select(Selection.of_mask(flagged)).mask
    return InheritedDoubt(mask if mask.any() else None)
