"""A set of rows of one dataset version: what lineage questions answer with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context

if TYPE_CHECKING:
    import pandas as pd

    from whence.engine.frames import Frame


class Rows:
    """Some rows of a dataset, by their ids; the rows themselves are read when they are asked for."""

    def __init__(self, context: Context, record: DatasetRecord, ids: npt.NDArray[np.int64]) -> None:
        self._context = context
        self.record = record
        self.ids = ids

    @property
    def count(self) -> int:
        """How many rows."""
        return len(self.ids)

    @property
    def df(self) -> Frame:
        """The rows as a PySpark DataFrame; queries over it keep their lineage to the dataset."""
        return self._context.engine.rows_frame(self.record, self.ids.tolist())

    def to_arrow(self) -> pa.Table:
        """The rows as an Arrow table, in id order."""
        return self._context.store.take(self.record, self.ids)

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a pandas frame, in id order."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<{self.count} rows of {self.record.label}>"
