"""A derivation block: which input rows each output row was made from, as aligned arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]

NO_ROW = -1
"""The row id in a source column where the source gave no row: the padded side of an outer join."""


@dataclass(frozen=True)
class Part:
    """Derivations of one kind: derivation i made output row `out[i]` from row `sources[s][i]` of each source s.

    `out` is None where derivation i simply made output row i. Rows that were joined stand beside each other. Ids of a
    block that a query has just given are as narrow as they were carried: most are only ever written down.
    """

    out: Ids | None
    sources: Mapping[int, Ids]

    def count(self, rows: int) -> int:
        """How many derivations there are, for so many output rows."""
        return rows if self.out is None else len(self.out)

    def out_ids(self, count: int) -> Ids:
        """The output row of each derivation."""
        return np.arange(count, dtype=np.int64) if self.out is None else self.out

    def pairs(self, source: int, rows: int) -> tuple[Ids, Ids]:
        """(output row, source row) for every derivation that used this source."""
        ids = self.sources[source].astype(np.int64, copy=False)
        used = ids != NO_ROW
        if used.all():  # as it is for most queries: nothing is copied
            return self.out_ids(rows), ids
        return self.out_ids(rows)[used], ids[used]


class Reading(Protocol):
    """Derivations through a window: worked out from stretches of its order when they are asked for."""

    @property
    def bytes(self) -> int:
        """What its arrays take at four bytes a number."""


@dataclass(frozen=True)
class Block:
    """All derivations of one dataset version. An output row is made from one choice out of each part that knows it."""

    rows: int
    parts: tuple[Part, ...] = field(default=())
    readings: tuple[Reading, ...] = field(default=())

    @property
    def bytes(self) -> int:
        """What its arrays take at four bytes a number, before they are compressed."""
        listed = (part.count(self.rows) * (len(part.sources) + (part.out is not None)) for part in self.parts)
        return 4 * sum(listed) + sum(reading.bytes for reading in self.readings)

    @property
    def derivations(self) -> int:
        """How many there are."""
        return sum(part.count(self.rows) for part in self.parts)

    def pairs(self, source: int) -> tuple[Ids, Ids]:
        """(output row, source row) for every derivation that used this source; repeats are possible.

        Pairs that windows read are not among them: `readings` answer for those.
        """
        found = [part.pairs(source, self.rows) for part in self.parts if source in part.sources]
        empty = np.empty(0, dtype=np.int64)
        if not found:
            return empty, empty
        if len(found) == 1:
            return found[0]
        return np.concatenate([outs for outs, _ in found]), np.concatenate([ids for _, ids in found])


def to_arrays(block: Block) -> dict[str, dict[str, Ids]]:
    """The block as files of named arrays, what is the identity left out."""
    files = {}
    for number, part in enumerate(block.parts):
        arrays = {} if part.out is None else {"out": part.out}
        arrays |= {f"source{source}": ids for source, ids in part.sources.items()}
        files[f"part{number}"] = arrays
    return files


def from_arrays(rows: int, files: list[Mapping[str, npt.NDArray[np.generic]]]) -> Block:
    """The block that `to_arrays` wrote."""
    parts = []
    for arrays in files:
        wide = {name: array.astype(np.int64, copy=False) for name, array in arrays.items()}
        sources = {int(name.removeprefix("source")): ids for name, ids in wide.items() if name != "out"}
        parts.append(Part(wide.get("out"), sources))
    return Block(rows, tuple(parts))
