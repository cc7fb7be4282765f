"""Turns what a cell assigned into an Arrow table, with the rows' identity if a pandas index still tells it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pyarrow as pa

ROW = "__whence_row"
"""The last column of a table whose rows are identified: the row of the dataset that each row is."""


def outgoing(value: Any, indexes: Mapping[str, str]) -> tuple[pa.Table, str | None]:  # noqa: ANN401
    """Return the table, and the dataset version whose rows its rows are, if `indexes` has it for the index's name."""
    if isinstance(value, pd.Series):
        value = value.to_frame(name="value" if value.name is None else value.name)
    if isinstance(value, pd.DataFrame):
        return _from_pandas(value, indexes)
    return _from_other(value), None


def _from_pandas(frame: pd.DataFrame, indexes: Mapping[str, str]) -> tuple[pa.Table, str | None]:
    index = frame.index
    known = indexes.get(str(index.name)) if index.nlevels == 1 and pd.api.types.is_integer_dtype(index.dtype) else None
    if known is not None and not index.hasnans:
        return _table(frame).append_column(ROW, pa.array(index.to_numpy(), pa.int64())), known
    if index.nlevels > 1 or index.name is not None or not pd.api.types.is_integer_dtype(index.dtype):
        # A named index, as after groupby, holds data: it becomes columns, unless a column has the same name.
        repeated = [level for level, name in enumerate(index.names) if name is not None and name in frame.columns]
        frame = frame.reset_index(level=repeated, drop=True) if repeated else frame
        frame = frame if len(repeated) == index.nlevels else frame.reset_index()
    return _table(frame), None


def _table(frame: pd.DataFrame) -> pa.Table:
    labels: list[object] = list(frame.columns)
    names = [" ".join(map(str, name)).strip() if isinstance(name, tuple) else str(name) for name in labels]
    columns = []
    for number, name in enumerate(names):
        try:
            columns.append(pa.array(frame.iloc[:, number], from_pandas=True))
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            kinds = sorted({type(each).__name__ for each in frame.iloc[:, number].dropna()})
            raise TypeError(
                f"Column {name} cannot be kept: it mixes {', '.join(kinds)}. Make its values one type first."
            ) from error
    return pa.table(columns, names=names) if columns else pa.table({})


def _from_other(value: Any) -> pa.Table:  # noqa: ANN401
    if isinstance(value, pa.RecordBatch):
        return pa.Table.from_batches([value])
    if isinstance(value, pa.Table):
        return value
    if type(value).__module__.startswith("polars"):
        return (value.collect() if hasattr(value, "collect") else value).to_arrow()
    if hasattr(value, "__arrow_c_stream__"):
        return pa.table(value)
    if isinstance(value, Mapping):
        return pa.table({str(name): column for name, column in value.items()})
    if isinstance(value, list) and value and all(isinstance(each, Mapping) for each in value):
        names = dict.fromkeys(str(name) for each in value for name in each)
        return pa.table({name: [each.get(name) for each in value] for name in names})
    raise TypeError(
        f"A dataset cannot be made from {type(value).__name__}. "
        "Assign a pandas, polars or PySpark frame, an Arrow table, or a list of dictionaries."
    )
