"""The names under which this package speaks of NumPy arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

Columns = tuple[Floats, ...]
"""The measures an aggregate reads, one entry per row each; NaN stands for NULL."""
