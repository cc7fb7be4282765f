"""Which values are frequent and how many there are: exact while they are few, afterwards with a known error.

Above the bound the counts are a Misra-Gries summary: what is subtracted from all of them is the most any is too low by.
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
    """Counts values as they stream by."""

    def __init__(self, kind: pa.DataType, bound: int = BOUND) -> None:
        self._values = pa.array([], kind)
        self._counts: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._bound = bound
        self._sketch: DistinctSketch | None = None
        self.error = 0
        """Each count may be too low by at most this."""

    def add(self, values: pa.Array) -> None:
        """Take values in, none of them null."""
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
        """How many different values, exactly or about."""
        return len(self._counts) if self._sketch is None else self._sketch.estimate()

    @property
    def distinct_error(self) -> float:
        """The standard error of `distinct` as a share of it; 0 where it is exact."""
        return 0.0 if self._sketch is None else ERROR

    def top(self, most: int) -> tuple[tuple[pa.Scalar, int], ...]:
        """The most frequent values with their counts, the smaller of equally frequent ones first."""
        table = pa.table({"value": self._values, "count": self._counts})
        order = pc.sort_indices(table, sort_keys=[("count", "descending"), ("value", "ascending")])[:most]
        best = table.take(order)
        return tuple(zip(best["value"], best["count"].to_pylist(), strict=True))

    def _prune(self) -> None:
        """Half of the entries must go; all pay the count of the first that does."""
        if self._sketch is None:
            self._sketch = DistinctSketch()
            self._sketch.add(hash_values(self._values))
        paid = int(np.partition(self._counts, -(self._bound // 2) - 1)[-(self._bound // 2) - 1])
        kept = np.flatnonzero(self._counts > paid)
        self._values, self._counts = self._values.take(pa.array(kept)), self._counts[kept] - paid
        self.error += paid
