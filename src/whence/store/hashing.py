"""A 64-bit hash of every value of an Arrow array. Equal values have equal hashes on every machine."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from whence.store.numbers import as_numbers

Hashes = npt.NDArray[np.uint64]

_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that its powers never die out
# A fixed seed: hashes must be equal in every process and on every machine.
_BYTES: Hashes = np.random.Generator(np.random.PCG64(7)).integers(0, 1 << 64, 256, dtype=np.uint64)


def hash_values(values: pa.Array) -> Hashes:
    """Return one hash per value of a simple type. No value may be null.

    >>> a, b, c = hash_values(pa.array(["fig", "gif", "fig"]))
    >>> bool(a == c), bool(a == b)
    (True, False)
    """
    kind = values.type
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        return _mixed(_of_bytes(pc.cast(values, pa.binary())))
    if pa.types.is_decimal(kind):
        halves = np.frombuffer(_copied(values).buffers()[1], dtype=np.uint64).reshape(-1, 2)[: len(values)]
        return _mixed(_mixed(halves[:, 0]) ^ halves[:, 1])
    return _mixed(as_numbers(values).view(np.uint64))


def _of_bytes(values: pa.Array) -> Hashes:
    """Return a polynomial hash of each value's bytes: weight all bytes at once, then sum them value by value."""
    values = _copied(values)
    _, offsets, content = values.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[: len(values) + 1].astype(np.int64)
    lengths = np.diff(ends)
    hashes = lengths.astype(np.uint64)
    if ends[-1] > 0:
        places = np.arange(ends[-1]) - np.repeat(ends[:-1], lengths)
        weights = np.cumprod(np.full(int(lengths.max()), _BASE), dtype=np.uint64)
        weighed = _BYTES[np.frombuffer(content, dtype=np.uint8)[: ends[-1]]] * weights[places]
        filled = np.flatnonzero(lengths)
        hashes[filled] += np.add.reduceat(weighed, ends[:-1][filled])
    return hashes


def _copied(values: pa.Array) -> pa.Array:
    """Return the same values in buffers that begin with the first of them, so that they can be read as raw memory."""
    return pa.concat_arrays([values, values.slice(0, 0)]) if values.offset == 0 else values.take(np.arange(len(values)))


def _mixed(bits: Hashes) -> Hashes:
    """Mix every bit into all others (the final step of SplitMix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Hashes = bits ^ (bits >> np.uint64(31))
    return mixed
