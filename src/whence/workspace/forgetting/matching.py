"""The rows of one version that are to be forgotten."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from whence.lineage.block import Ids
from whence.model.dataset import DatasetRecord
from whence.store.cut_rows import Mask


@dataclass(frozen=True)
class MatchingRows:
    """A loaded or created version, and its rows for which the condition holds."""

    record: DatasetRecord
    rows: Ids

    @property
    def stays(self) -> Mask:
        """For each row whether it stays."""
        stays = np.ones(self.record.rows, dtype=bool)
        stays[self.rows] = False
        return stays
