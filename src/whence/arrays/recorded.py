"""The lineage an operator recorded: regions (output cells with the same input cells) and payloads of output cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.arrays import payloads
from whence.arrays.payloads import Payload, Values
from whence.arrays.shapes import Ids
from whence.lineage.index import build_index

Members = tuple[Ids, Ids]
"""Cells, and beside each the region it belongs to; a cell may belong to several."""


@dataclass(frozen=True)
class Regions:
    """Sets of cells: every output cell of region r was made from every input cell of region r."""

    count: int
    outs: Ids
    out_regions: Ids
    ins: tuple[Members, ...]

    def fan_out(self) -> float:
        """Return how many output cells a region has on average."""
        return len(self.outs) / max(self.count, 1)

    def pairs(self, number: int) -> tuple[Ids, Ids]:
        """Return all pairs of an output cell and a cell of one input, as two arrays; a pair may repeat."""
        cells, owners = self.ins[number]
        members = build_index(owners, cells, self.count)
        lengths = members.lengths(self.out_regions)
        return np.repeat(self.outs, lengths), members.of(self.out_regions)

    def pair_count(self, number: int) -> int:
        """Return the number of pairs without listing them."""
        sizes = np.bincount(self.ins[number][1], minlength=self.count)
        return int(sizes[self.out_regions].sum())


@dataclass(frozen=True)
class PayloadNotes:
    """Output cells, the number of each cell's payload, and the payloads; a cell may have several."""

    outs: Ids
    codes: Ids
    values: Values

    @classmethod
    def of(cls, pieces: list[tuple[Ids, Payload]]) -> PayloadNotes:
        """Join the payloads of several `emit.pay` calls; a payload shared within a call is kept once."""
        values = payloads.joined([payload.values for _, payload in pieces])
        outs = np.concatenate([np.empty(0, dtype=np.int64), *(cells for cells, _ in pieces)])
        codes, first = [np.empty(0, dtype=np.int64)], 0
        for cells, payload in pieces:
            own = np.zeros(len(cells), dtype=np.int64) if payload.shared else np.arange(len(cells), dtype=np.int64)
            codes.append(own + first)
            first += len(payload.values)
        return cls(outs, np.concatenate(codes), values)

    @property
    def each(self) -> Values:
        """One payload for each output cell."""
        found: Values = self.values[self.codes]
        return found

    def shared(self) -> PayloadNotes:
        """Return the same notes with each distinct payload kept once."""
        kinds, codes = payloads.distinct(self.values)
        return PayloadNotes(self.outs, codes[self.codes], kinds)
