"""Values of columns as numbers: equal values, and only these, get the same number, as GROUP BY sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from whence.lineage.block import Ids


@dataclass(frozen=True)
class Codes:
    """`numbers[i]` is the place of row i's value among `values`, which holds each value once."""

    numbers: Ids
    values: pa.Array

    @property
    def count(self) -> int:
        """How many values there are."""
        return len(self.values)

    def place(self, value: object) -> int | None:
        """The number of a value, None if no row has it."""
        wanted = pa.scalar(value, self.values.type)
        if not wanted.is_valid:
            found = np.flatnonzero(self.values.is_null(nan_is_null=False).to_numpy(zero_copy_only=False))
            return int(found[0]) if len(found) else None
        number = pc.index(self.values, wanted).as_py()
        return None if number < 0 else number


def encode(column: pa.ChunkedArray | pa.Array) -> Codes:
    """NULL is a value like others, NaN is equal to NaN and -0.0 to 0.0.

    >>> encode(pa.array(["b", None, "b"])).numbers.tolist()
    [0, 1, 0]
    """
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_floating(array.type):
        array = pc.add(array, pa.scalar(0.0, array.type))
    encoded = array.dictionary_encode(null_encoding="encode")
    return Codes(encoded.indices.to_numpy().astype(np.int64), encoded.dictionary)


def combine(codes: Sequence[Codes], rows: int) -> tuple[Ids, int]:
    """One number for each combination of values, below the product of their counts."""
    numbers, total = np.zeros(rows, dtype=np.int64), 1
    for each in codes:
        numbers = numbers * each.count + each.numbers
        total *= max(each.count, 1)
    return numbers, total


def compact(numbers: Ids) -> tuple[Ids, Ids]:
    """The numbers that occur, and for each row the place of its number among them."""
    found, places = np.unique(numbers, return_inverse=True)
    return found, places.astype(np.int64)
