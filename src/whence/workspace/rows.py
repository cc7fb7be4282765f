"""A set of rows of one dataset version: what lineage questions answer with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.lineage.selection import Selection
from whence.model.dataset import DatasetRecord
from whence.workspace.context import Context

if TYPE_CHECKING:
    import pandas as pd

    from whence.engine.frames import Frame


class Rows:
    """Some rows of a dataset, by their ids; how many is known at once, the rows are read when they are asked for."""

    def __init__(self, context: Context, record: DatasetRecord, chosen: Selection | npt.NDArray[np.int64]) -> None:
        self._context = context
        self.record = record
        self.selection = chosen if isinstance(chosen, Selection) else Selection.of(chosen, record.rows)

    @property
    def ids(self) -> npt.NDArray[np.int64]:
        """The ids, sorted, each once."""
        return self.selection.ids

    @property
    def count(self) -> int:
        """How many rows."""
        return self.selection.count

    @property
    def df(self) -> Frame:
        """The rows as a PySpark DataFrame; queries over it keep their lineage to the dataset."""
        return self._context.engine.rows_frame(self.record, self.ids)

    def rows(self, start: int = 0, stop: int | None = None) -> pa.Table:
        """The rows at the places start..stop-1 of the answer, in id order; only these are read.

        >>> letters = ws.create("letters", [("a",), ("b",), ("c",)], schema="letter string")
        >>> late = ws.sql("select letter from letters where letter > 'a'", name="late")
        >>> back = late.lineage.backward(where="true", to="letters")
        >>> back.count, back.rows(0, 1).to_pylist()
        (2, [{'letter': 'b'}])
        """
        return self._context.store.take(self.record, self.selection.page(start, self.count if stop is None else stop))

    def to_arrow(self) -> pa.Table:
        """The rows as an Arrow table, in id order."""
        if self.selection.is_everything:
            return self._context.store.read(self.record, 0, self.record.rows)
        return self._context.store.take(self.record, self.ids)

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a pandas frame, in id order."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<{self.count} rows of {self.record.label}>"
