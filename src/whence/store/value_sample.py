"""A uniform random sample of a stream: every value gets a random number, and those with the smallest stay."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pyarrow as pa

BOUND = 1 << 20


class ValueSample:
    """All values while there are few, afterwards a sample of `bound` of them."""

    def __init__(self, kind: pa.DataType, bound: int = BOUND) -> None:
        self._values = pa.array([], kind)
        self._numbers: npt.NDArray[np.float64] = np.empty(0)
        # A fixed seed, so that the same column has the same profile every time.
        self._random = np.random.default_rng(0)
        self._bound = bound
        self._seen = 0

    def add(self, values: pa.Array) -> None:
        """Add values."""
        self._seen += len(values)
        self._numbers = np.concatenate([self._numbers, self._random.random(len(values))])
        self._values = pa.concat_arrays([self._values, values])
        # Shrinking at twice the bound makes the cost per value constant.
        if len(self._numbers) > 2 * self._bound:
            self._shrink()

    @property
    def is_whole(self) -> bool:
        """Whether the sample holds every value."""
        return self._seen <= self._bound

    @property
    def error(self) -> float:
        """How far the share of values below a quantile may be off, in 19 of 20 cases. It is 0 for a whole sample."""
        return 0.0 if self.is_whole else 1.96 * 0.5 / math.sqrt(self._bound)

    def quantiles(self, shares: tuple[float, ...]) -> tuple[tuple[float, pa.Scalar], ...]:
        """Return for each share the smallest value that at least this share of the values does not exceed."""
        self._shrink()
        if not len(self._values):
            return ()
        ordered = self._values.sort()
        places = [max(math.ceil(share * len(ordered)) - 1, 0) for share in shares]
        return tuple((share, ordered[place]) for share, place in zip(shares, places, strict=True))

    @property
    def values(self) -> pa.Array:
        """The sampled values."""
        self._shrink()
        return self._values

    def _shrink(self) -> None:
        if len(self._numbers) > self._bound:
            kept = np.argpartition(self._numbers, self._bound)[: self._bound]
            self._numbers, self._values = self._numbers[kept], self._values.take(pa.array(kept))
