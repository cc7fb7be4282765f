"""`ArrayDataset`: the handle of a dataset version that holds a NumPy array."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from whence.arrays.arrays import Form, form_of, read_cells
from whence.arrays.shapes import Shape
from whence.model.errors import NotSupported
from whence.workspace.dataset import Dataset


class ArrayDataset(Dataset):
    """One immutable version of an array: a dataset with one row for each cell, so SQL and charts read it, too."""

    @cached_property
    def form(self) -> Form:
        """Shape, type and the names of the axes."""
        form = form_of(self._context.store, self.record)
        if form is None:
            raise NotSupported(f"{self.record.label} holds rows, not an array.")
        return form

    @property
    def shape(self) -> Shape:
        """The length of each axis."""
        return self.form.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy type of a cell."""
        return np.dtype(self.form.dtype)

    def to_numpy(self, start: int = 0, stop: int | None = None) -> npt.NDArray[Any]:
        """Return the array, or its slices start..stop-1 along the first axis. No Spark needed.

        >>> import numpy as np
        >>> ws.array("grid", np.arange(6).reshape(3, 2)).to_numpy(1, 3).tolist()
        [[2, 3], [4, 5]]
        """
        return read_cells(self._context.store, self.record, self.form, start, stop)

    def caveat(
        self, where: object, column: str | None, message: str, *, low: object = None, high: object = None
    ) -> Dataset:
        """Raise: an array gets its caveats when it is made, from `ws.array`."""
        raise NotSupported(
            "Caveats cannot be added to an array.", "Make it again: ws.array(name, array, cell_caveats=[...])."
        )

    def __repr__(self) -> str:
        return f"<Array {self.record.label}: {' x '.join(map(str, self.shape)) or 'one cell'}, {self.dtype}>"
