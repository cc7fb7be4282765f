"""Looks up by key in an unsorted array: offsets and places, made once by counting sort."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import _sparsetools

from whence.lineage.block import Ids


@dataclass(frozen=True)
class Index:
    """For each key 0..n-1 the values that stand beside it, as one slice of an array."""

    offsets: Ids
    values: Ids

    def of(self, keys: Ids) -> Ids:
        """All values of these keys, key by key."""
        starts, lengths = self.offsets[keys], self.lengths(keys)
        total = int(lengths.sum())
        if total == 0:
            return np.empty(0, dtype=np.int64)
        # Places of all slices at once: a running count, set back at the start of each slice.
        restart = np.repeat(starts - np.concatenate(([0], lengths.cumsum()[:-1])), lengths)
        found: Ids = self.values[np.arange(total, dtype=np.int64) + restart]
        return found

    def lengths(self, keys: Ids) -> Ids:
        """How many values each of these keys has."""
        lengths: Ids = self.offsets[keys + 1] - self.offsets[keys]
        return lengths


def build_index(keys: Ids, values: Ids, key_count: int) -> Index:
    """Sort values by key in linear time; the values of one key keep their order.

    SciPy's counting sort is private and 6 to 10 times faster than NumPy's stable argsort.
    """
    offsets = np.zeros(key_count + 1, dtype=np.int64)
    sorted_values = np.empty(len(values), dtype=np.int64)
    if len(keys):
        width = int(values.max()) + 1
        weight = np.zeros(len(values), dtype=np.int8)
        _sparsetools.coo_tocsr(
            key_count, width, len(keys), keys, values, weight, offsets, sorted_values, np.empty_like(weight)
        )
    return Index(offsets, sorted_values)
