"""Names for the NumPy array types of this package."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

Columns = tuple[Floats, ...]
"""The measures that an aggregate reads: one array each, one entry per row, NaN for NULL."""
