"""Chooses between or combines inputs cell by cell. All cells at a place count as lineage, whichever was chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from whence.arrays.builtin.elementwise import Array, Elementwise


@dataclass(frozen=True)
class Where(Elementwise):
    """The second input where the first is true, else the third."""

    def compute(self, *arrays: Array) -> Array:
        """Return the output cells."""
        return np.where(*arrays)


@dataclass(frozen=True)
class Merge(Elementwise):
    """All inputs as one: their mean, or by `how` their median, sum, min or max, cell by cell."""

    how: str = "mean"

    def compute(self, *arrays: Array) -> Array:
        """Return the output cells."""
        how: dict[str, Callable[..., Array]] = {"mean": np.mean, "sum": np.sum, "min": np.min, "max": np.max}
        combine = how.get(self.how, np.median)
        found: Array = combine(np.stack(np.broadcast_arrays(*arrays)), axis=0)
        return found
