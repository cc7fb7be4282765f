"""Takes batches apart into batches of one row, each as Spark would hand it over if there were no other row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

_NUMPY: dict[str, np.dtype[Any]] = {
    "tinyint": np.dtype(np.int8),
    "smallint": np.dtype(np.int16),
    "int": np.dtype(np.int32),
    "bigint": np.dtype(np.int64),
    "boolean": np.dtype(np.bool_),
}


def single_rows(batch: pd.DataFrame | pa.RecordBatch, types: Sequence[str]) -> Iterator[Any]:
    """Each row as a batch of its own; `types` are Spark's types of its columns.

    A NULL in a column of whole numbers turns all of the column into floating-point numbers, and one of truth values
    into objects. In a row without that NULL they are numbers and truth values again.
    """
    if not isinstance(batch, pd.DataFrame):
        yield from (batch.slice(number, 1) for number in range(batch.num_rows))
        return
    for number in range(len(batch)):
        row = batch.iloc[number : number + 1].reset_index(drop=True)
        columns = [_as_alone(row.iloc[:, place], of) for place, of in enumerate(types)]
        alone = pd.concat(columns, axis=1) if columns else row
        alone.columns = row.columns
        yield alone


def _as_alone(column: pd.Series[Any], type_name: str) -> pd.Series[Any]:
    if type_name in _NUMPY and column.dtype.kind in "fO" and column.notna().all():
        return column.astype(_NUMPY[type_name])
    if type_name.startswith("array<") and (inner := _NUMPY.get(type_name[6:-1])) is not None:
        return column.map(lambda value: _elements_as_alone(value, inner))
    return column


def _elements_as_alone(value: object, dtype: np.dtype[Any]) -> object:
    if isinstance(value, np.ndarray) and value.dtype.kind in "fO" and pd.notna(value).all():
        return value.astype(dtype)
    return value
