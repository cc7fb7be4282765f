"""Lists the cell numbers of boxes: most maps of array operators are boxes, in both directions."""

from __future__ import annotations

import numpy as np

from whence.arrays.shapes import Ids, Shape

_LARGE = 4096
"""Boxes of more cells than this on average are listed one at a time, which needs no division for each cell."""


def boxes(low: Ids, high: Ids, shape: Shape) -> tuple[Ids, Ids]:
    """Return how many cells each box low..high-1 has within the shape, and their numbers, sorted within each box.

    >>> lengths, ids = boxes(np.array([[0, 1]]), np.array([[2, 3]]), (2, 3))
    >>> lengths.tolist(), ids.tolist()
    ([4], [1, 2, 4, 5])
    """
    edge = np.asarray(shape, dtype=np.int64)
    low, high = np.clip(low, 0, edge), np.clip(high, 0, edge)
    sizes = np.maximum(high - low, 0)
    lengths: Ids = sizes.prod(axis=1, dtype=np.int64)
    total = int(lengths.sum())
    if total > _LARGE * max(len(lengths), 1):
        listed = [_box(*each, shape) for each in zip(low, high, strict=True)]
        return lengths, np.concatenate(listed)
    return lengths, _together(low, sizes, lengths, total, shape)


def _box(low: Ids, high: Ids, shape: Shape) -> Ids:
    ids = np.zeros((), dtype=np.int64)
    for axis, size in enumerate(shape):
        # Numbers in C order, ((i0 * size1 + i1) * size2 + i2) and so on, for all cells of the box at once.
        ids = (ids * size)[..., None] + np.arange(low[axis], max(high[axis], low[axis]), dtype=np.int64)
    return ids.ravel()


def _together(low: Ids, sizes: Ids, lengths: Ids, total: int, shape: Shape) -> Ids:
    if total == len(lengths) and (not total or lengths.max() == 1):
        # One cell in each box: the boxes themselves are the owners.
        owners: Ids | slice = slice(None)
        places = np.zeros(total, dtype=np.int64)
    else:
        owners = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
        places = np.arange(total, dtype=np.int64) - (np.cumsum(lengths) - lengths)[owners]
    ids = np.zeros(total, dtype=np.int64)
    stride = 1
    for axis in reversed(range(len(shape))):
        size = sizes[owners, axis]
        step, places = (places % np.maximum(size, 1), places // np.maximum(size, 1)) if total else (places, places)
        ids += (low[owners, axis] + step) * stride
        stride *= shape[axis]
    return ids
