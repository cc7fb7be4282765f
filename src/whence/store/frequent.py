"""Counts frequent values: exactly while there are few, afterwards with a known error.

Above the bound the counts are a Misra-Gries summary: the total subtracted from all counts is the most by which any of
them is too low.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.store.distinct import ERROR, DistinctSketch
from whence.store.hashing import hash_values

BOUND = 65_536


class Frequent:
    """Counts of the values of a stream."""

    def __init__(self, kind: pa.DataType, bound: int = BOUND) -> None:
        self._values = pa.array([], kind)
        self._counts: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._bound = bound
        self._sketch: DistinctSketch | None = None
        self.error = 0
        """The most by which any count may be too low."""

    def add(self, values: pa.Array) -> None:
        """Add values, none of which may be null."""
        counted = pc.value_counts(values)
        if self._sketch is not None:
            self._sketch.add(hash_values(counted.field(0)))
        # Arrow's group_by would do this, but takes seconds where many doubles are whole numbers.
        together = pa.concat_arrays([self._values, counted.field(0)]).dictionary_encode()
        counts = np.concatenate([self._counts, counted.field(1).to_numpy()])
        self._values = together.dictionary
        self._counts = np.bincount(together.indices.to_numpy(), weights=counts).astype(np.int64)
        if len(self._counts) > self._bound:
            self._prune()

    @property
    def distinct(self) -> int:
        """Number of distinct values, exact or estimated."""
        return len(self._counts) if self._sketch is None else self._sketch.estimate()

    @property
    def distinct_error(self) -> float:
        """The standard error of `distinct` as a share of it. It is 0 where `distinct` is exact."""
        return 0.0 if self._sketch is None else ERROR

    def top(self, most: int) -> tuple[tuple[pa.Scalar, int], ...]:
        """Return the most frequent values with their counts. Of equally frequent values the smaller comes first."""
        table = pa.table({"value": self._values, "count": self._counts})
        order = pc.sort_indices(table, sort_keys=[("count", "descending"), ("value", "ascending")])[:most]
        best = table.take(order)
        return tuple(zip(best["value"], best["count"].to_pylist(), strict=True))

    def _prune(self) -> None:
        """Drop about half of the entries. Subtract the count of the most frequent dropped one from all others."""
        if self._sketch is None:
            self._sketch = DistinctSketch()
            self._sketch.add(hash_values(self._values))
        paid = int(np.partition(self._counts, -(self._bound // 2) - 1)[-(self._bound // 2) - 1])
        kept = np.flatnonzero(self._counts > paid)
        self._values, self._counts = self._values.take(pa.array(kept)), self._counts[kept] - paid
        self.error += paid
