"""Why-provenance of a row: the sets of input rows that made it, and in how many ways, read from the block."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from math import prod

import numpy as np

from whence.lineage.block import NO_ROW, Ids, Part
from whence.lineage.edges import Edges
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported

Derivation = tuple[tuple[int, int], ...]
"""(source number, row) of the rows that made an output row together."""


class Derivations:
    """An output row is made by one choice out of each part of the block that knows it.

    A window makes no row: what its functions read is behind cells, and is left out here.
    """

    def __init__(self, edges: Edges) -> None:
        self._edges = edges

    def why(self, record: DatasetRecord, row: int, most: int) -> list[Derivation]:
        """The sets of input rows each of which made the row; the first `most` of them."""
        choices = [sorted(set(self._choices(record, part, row))) for part in self._parts(record)]
        combined = product(*(each for each in choices if each))
        found = (tuple(sorted(cell for choice in each for cell in choice)) for each in combined)
        return [each for each in islice(found, most) if each]

    def count(self, record: DatasetRecord, row: int) -> int:
        """In how many ways the row was made: a row that stands twice in a group counts twice."""
        counts = [len(self._places(part, row)) for part in self._parts(record)]
        known = [count for count in counts if count]
        return prod(known) if known else 0

    def _parts(self, record: DatasetRecord) -> tuple[Part, ...]:
        document = self._edges.document(record)
        if document is None:
            return ()
        if not document.is_exact:
            raise NotSupported(f"The lineage of {record.label} is coarse: which rows made which is not known.")
        return self._edges.block(record).parts

    def _choices(self, record: DatasetRecord, part: Part, row: int) -> Iterator[Derivation]:
        real = len(self._edges.sources(record))
        places = self._places(part, row)
        sources = {number: ids[places].tolist() for number, ids in part.sources.items() if number < real}
        for each in zip(*sources.values(), strict=True):
            yield tuple((number, rid) for number, rid in zip(sources, each, strict=True) if rid != NO_ROW)

    def _places(self, part: Part, row: int) -> Ids:
        return np.array([row], dtype=np.int64) if part.out is None else np.flatnonzero(part.out == row)
