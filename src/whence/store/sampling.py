"""Random samples of rows. Row ids are dense, so arithmetic on them is enough and no row is read."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from whence.model.errors import BadInput


def sample_rids(rows: int, n: int, seed: int) -> npt.NDArray[np.int64]:
    """Return at most n of the row ids 0..rows-1, sorted. Every set of them is equally likely.

    >>> sample_rids(5, 9, seed=1).tolist()
    [0, 1, 2, 3, 4]
    """
    if n < 0 or seed < 0:
        raise BadInput("A sample needs a number of rows and a seed that are not negative.")
    if n >= rows:
        return np.arange(rows, dtype=np.int64)
    return np.sort(np.random.default_rng(seed).choice(rows, n, replace=False, shuffle=False))
