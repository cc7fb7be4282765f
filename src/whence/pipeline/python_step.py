"""Calls Python on a whole table and infers what it did: rows by the index that survives, columns by comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from whence.lineage.block import Ids
from whence.model.errors import UserError
from whence.model.lazy_module import LazyModule
from whence.pipeline.compare import differ
from whence.store.types import storable
from whence.transformations.input_table import RID

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

INDEX = "whence_row"
"""The name of the pandas index that holds row ids, by which rows are matched afterwards."""


@dataclass(frozen=True)
class PythonStepResult:
    """The table that came back, the row id that each row had before, and the columns that differ or are gone."""

    table: pa.Table
    rids: Ids
    changed: tuple[str, ...]
    gone: tuple[str, ...]


def name_of(function: object) -> str:
    """Return the name of a function, or of the class of a transformer."""
    return getattr(function, "__name__", type(function).__name__)


def apply_python(function: object, table: pa.Table, columns: Sequence[str] | None) -> PythonStepResult:
    """Call a function on a frame, or `fit_transform` of a transformer, with all columns or some."""
    rids = np.asarray(table.column(RID), dtype=np.int64)
    before = table.drop_columns([RID])
    frame = before.to_pandas()
    frame.index = pd.Index(rids, name=INDEX)
    if hasattr(function, "fit_transform"):
        result = _transformed(function, frame, columns)
    elif callable(function):
        result = _on_columns(function, frame, columns)
    else:
        raise UserError(f"{name_of(function)} is neither a function nor has it fit_transform.")
    return _compared(name_of(function), before, rids, result)


def _on_columns(function: Callable[..., object], frame: pd.DataFrame, columns: Sequence[str] | None) -> pd.DataFrame:
    given = frame.copy() if columns is None else frame[list(columns)].copy()
    made = function(given)
    if not isinstance(made, pd.DataFrame):
        raise UserError(f"{name_of(function)} gave {type(made).__name__}, not a pandas frame.")
    return made if columns is None else _join_columns(frame, list(columns), made)


def _transformed(transformer: object, frame: pd.DataFrame, columns: Sequence[str] | None) -> pd.DataFrame:
    names = list(frame.columns) if columns is None else list(columns)
    made: object = getattr(transformer, "fit_transform")(frame[names])  # noqa: B009 - of whatever library it is
    if hasattr(made, "toarray"):  # a sparse matrix
        made = made.toarray()
    if not isinstance(made, pd.DataFrame):
        given = getattr(transformer, "get_feature_names_out", None)
        wanted = list(given()) if given is not None else names
        made = pd.DataFrame(np.asarray(made), index=frame.index, columns=[str(each) for each in wanted])
    return _join_columns(frame, names, made)


def _join_columns(frame: pd.DataFrame, used: list[str], made: pd.DataFrame) -> pd.DataFrame:
    """Return the new columns beside those the function did not get, for the rows that came back."""
    rest = frame.drop(columns=used).loc[made.index]
    return pd.concat([rest, made], axis=1)


def _compared(name: str, before: pa.Table, rids: Ids, result: pd.DataFrame) -> PythonStepResult:
    if result.index.name != INDEX:
        raise UserError(f"The frame {name} gave has lost the index {INDEX}.", "Keep the index, or set it again.")
    kept = result.index.to_numpy(dtype=np.int64)
    order = np.argsort(rids)
    places = np.searchsorted(rids, kept, sorter=order)
    if len(kept) and (places.max(initial=0) >= len(rids) or not (rids[order[places]] == kept).all()):
        raise UserError(f"The frame {name} gave names rows that were not there.", "Keep the index as it was.")
    taken = before.take(pa.array(order[places])) if len(kept) else before.slice(0, 0)
    after = storable(pa.Table.from_pandas(result.reset_index(drop=True), preserve_index=False))
    changed = []
    for column in after.column_names:
        if column in before.column_names and not differ(taken.column(column), after.column(column)).any():
            place = after.column_names.index(column)
            after = after.set_column(place, column, taken.column(column))  # pandas may have made it another type
        else:
            changed.append(column)
    gone = tuple(each for each in before.column_names if each not in after.column_names)
    return PythonStepResult(after, kept, tuple(changed), gone)
