"""`Rows`: a set of rows of one dataset version, as lineage questions return it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from whence.arrays.arrays import VALUE, Form, form_of
from whence.arrays.places import Place, to_places
from whence.lineage.selection import Selection
from whence.model.dataset import DatasetRecord
from whence.model.errors import NotSupported
from whence.model.plural import counted
from whence.workspace.context import Context

if TYPE_CHECKING:
    import pandas as pd

    from whence.engine.frames import Frame


class Rows:
    """Some rows of a dataset version, as row ids. Values are read only when a method asks for them."""

    def __init__(self, context: Context, record: DatasetRecord, chosen: Selection | npt.NDArray[np.int64]) -> None:
        self._context = context
        self.record = record
        self.selection = chosen if isinstance(chosen, Selection) else Selection.of(chosen, record.rows)

    @property
    def ids(self) -> npt.NDArray[np.int64]:
        """The row ids, sorted and without duplicates."""
        return self.selection.ids

    @property
    def count(self) -> int:
        """The number of rows."""
        return self.selection.count

    @property
    def df(self) -> Frame:
        """The rows as a PySpark DataFrame; queries over it keep their lineage to the dataset."""
        return self._context.engine.rows_frame(self.record, self.ids)

    def rows(self, start: int = 0, stop: int | None = None) -> pa.Table:
        """Return the rows at places start..stop-1 of the sorted ids as an Arrow table. No other row is read.

        >>> letters = ws.create("letters", [("a",), ("b",), ("c",)], schema="letter string")
        >>> late = ws.sql("select letter from letters where letter > 'a'", name="late")
        >>> back = late.lineage.backward(where="true", to="letters")
        >>> back.count, back.rows(0, 1).to_pylist()
        (2, [{'letter': 'b'}])
        """
        return self._context.store.take(self.record, self.selection.page(start, self.count if stop is None else stop))

    @property
    def cells(self) -> list[Place]:
        """The coordinates of cells of an array, in C order.

        >>> import numpy as np
        >>> from whence.arrays import Transpose
        >>> grid, turned = ws.array("grid", np.eye(3)), ws.apply(Transpose(), "grid", name="turned")
        >>> turned.lineage.backward([(0, 2)], to="grid").cells
        [(2, 0)]
        """
        return to_places(self.ids, self._form.shape)

    @property
    def mask(self) -> npt.NDArray[np.bool_]:
        """A boolean array in the shape of the dataset's array: True for the cells in this set."""
        return self.selection.mask.reshape(self._form.shape)

    @property
    def values(self) -> npt.NDArray[Any]:
        """The values of these cells of an array, in C order."""
        found: npt.NDArray[Any] = self._context.store.take(self.record, self.ids, [VALUE]).column(0).to_numpy()
        return found.astype(np.dtype(self._form.dtype), copy=False)

    @property
    def _form(self) -> Form:
        form = form_of(self._context.store, self.record)
        if form is None:
            raise NotSupported(f"{self.record.label} holds rows, not an array.", "Ask for .ids or .to_pandas().")
        return form

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
        return f"<Rows of {self.record.label}: {self.count:,} of {counted(self.record.rows, 'row')}>"
