"""Marks frames with the dataset they came from, so that a dataset made from such a frame keeps doubts and lineage.

pandas carries `attrs` through most of its methods, and Arrow the metadata of a schema. Neither tells which row is
which. The index labels of pandas do, unless the user renumbered them (`reset_index`), so whence trusts them only where
values prove them right.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from whence.derive.from_code import IdentifiedRows, has_same_values
from whence.lineage.block import Ids
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.store.store import Store

if TYPE_CHECKING:
    import pandas as pd

_KEY = "whence"


@dataclass(frozen=True)
class FrameOrigin:
    """The dataset that a frame came from. `rows` are the index labels of a pandas frame, if they are whole numbers."""

    dataset: DatasetId
    label: str
    rows: Ids | None = None


def mark_table(table: pa.Table, record: DatasetRecord) -> pa.Table:
    """Return the table with the id and label of its dataset in the metadata of its schema."""
    origin = json.dumps({"dataset": record.id, "label": record.label})
    return table.replace_schema_metadata({**(table.schema.metadata or {}), _KEY: origin})


def mark_frame(frame: pd.DataFrame, record: DatasetRecord) -> pd.DataFrame:
    """Write the id and label of its dataset into the `attrs` of a frame, and return the frame."""
    frame.attrs[_KEY] = {"dataset": record.id, "label": record.label}
    return frame


def find_origin(data: object) -> FrameOrigin | None:
    """Return the dataset that a frame, a table or a dict of columns came from; None if it carries no mark of one."""
    if isinstance(data, Mapping):
        return _find_shared_origin(data.values())
    if isinstance(data, pa.Table):
        text = (data.schema.metadata or {}).get(_KEY.encode())
        origin = None if text is None else json.loads(text)
        return None if origin is None else FrameOrigin(DatasetId(origin["dataset"]), origin["label"])
    attrs = getattr(data, "attrs", None)
    if not isinstance(attrs, dict) or _KEY not in attrs:
        return None
    origin = attrs[_KEY]
    return FrameOrigin(DatasetId(origin["dataset"]), origin["label"], _labels(data))


def identify_rows(store: Store, record: DatasetRecord, table: pa.Table, labels: Ids | None) -> IdentifiedRows | None:
    """Return which row of a dataset each row of a table is; None unless the columns that did not change prove it.

    They do if they form a key of the dataset: then a wrong label names a row with other values, and one of these
    columns would have counted as changed.
    """
    # Arrow tables have no labels: assume that the rows are still in place, which the values then prove or refute.
    rids = np.arange(table.num_rows, dtype=np.int64) if labels is None else labels
    if len(rids) != table.num_rows or not record.rows:
        return None
    if len(rids) and not 0 <= rids.min() <= rids.max() < record.rows:
        return None
    names = [
        field.name
        for field in table.schema
        if record.schema.position(field.name) is not None and not pa.types.is_nested(field.type)
    ]
    stored = store.read(record, 0, record.rows, names)
    taken = stored.take(pa.array(rids))
    unchanged = [name for name in names if has_same_values(table.column(name), taken.column(name))]
    # Fewer distinct combinations than rows: these columns are no key, and prove nothing.
    if not unchanged or stored.group_by(unchanged).aggregate([]).num_rows < record.rows:
        return None
    return IdentifiedRows(record, rids)


def _find_shared_origin(columns: Iterable[object]) -> FrameOrigin | None:
    """Return the dataset of the columns that remember one; None if they remember several or none."""
    origins = {origin.dataset: origin for column in columns if (origin := find_origin(column)) is not None}
    return next(iter(origins.values())) if len(origins) == 1 else None


def _labels(frame: object) -> Ids | None:
    """Return the index labels of a pandas frame or series, if they are whole numbers."""
    labels = np.asarray(getattr(frame, "index", ()))
    return labels.astype(np.int64) if labels.ndim == 1 and labels.dtype.kind in "iu" else None
