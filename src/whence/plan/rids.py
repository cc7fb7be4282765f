"""Row ids as arrays: positions of rows in one dataset version."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Rids = npt.NDArray[np.int64]
