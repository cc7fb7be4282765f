"""Knows which datasets hold the rows that a program took from Spark, and finds lineage for rows that it gives back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from whence.derive.from_code import CodeResult, derive_table
from whence.engine.frame_actions import MadeFrame
from whence.engine.frames import SparkRow
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset
from whence.model.ids import DatasetId
from whence.store.store import Store
from whence.workspace.adopted_names import DOCUMENT, Claim, claim_name, plain_name
from whence.workspace.context import Context
from whence.workspace.frame_origin import find_origin, identify_rows, mark_frame

_OTHERS = Caveat("These rows may also come from frames that were not kept; their doubts are not known here.", "lineage")


class HandedOut:
    """The datasets of all frames whose rows the program holds in Python.

    Rows that come back may come from any of these, as pandas and lists do not tell. If a pandas frame remembers its
    dataset, its index may tell more.
    """

    def __init__(self) -> None:
        self._datasets: dict[DatasetId, DatasetRecord] = {}
        self._has_others = False

    def add(self, answers: Sequence[object], record: DatasetRecord | None) -> None:
        """Remember what an action returned. `record` is the dataset of these rows, if they were kept."""
        found = [each for each in answers if each is not None]
        if record is None:
            self._has_others = self._has_others or bool(found)
            return
        for answer in found:
            self._datasets[record.id] = record
            if is_pandas(answer):
                mark_frame(answer, record)  # type: ignore[arg-type]

    def may_hold(self, data: object) -> bool:
        """Whether rows that a program gives to Spark may come from frames that it took rows from."""
        if find_origin(data) is not None:
            return True
        is_table = is_pandas(data) or isinstance(data, pa.Table | np.ndarray)
        is_rows = isinstance(data, list) and bool(data) and isinstance(data[0], SparkRow)
        return (is_table or is_rows) and (self._has_others or bool(self._datasets))

    def take_back(self, context: Context, made: MadeFrame) -> None:
        """Make a dataset of the rows, which all queries over the frame then read."""
        context.engine.follow_settings(made.frame.sparkSession)
        (leaf,) = context.engine.plan_of(made.frame).leaves
        table = context.engine.to_arrow(context.engine.leaf_frame(leaf))
        origin = find_origin(made.data)
        known = None if origin is None else _find(context.store, origin.dataset)
        others = [_find(context.store, each) for each in self._datasets]
        read = {each.id: each for each in (known, *others) if each is not None}
        is_lost = self._has_others or None in others or (origin is not None and known is None)
        claim = _claim(made)
        result = CodeResult(
            name=claim_name(context.store, claim),
            table=table,
            read_datasets=list(read.values()),
            rows=None if known is None or origin is None else identify_rows(context.store, known, table, origin.rows),
            text=f"given to Spark in line {made.line}",
            notes=(_OTHERS,) if is_lost else (),
            documents={DOCUMENT: claim.as_document()},
            keeps_types=True,
        )
        context.engine.remember_leaf(leaf, derive_table(context.derive, result).id)


def is_pandas(data: object) -> bool:
    """Whether this is a frame of pandas, known without importing pandas."""
    return type(data).__module__.partition(".")[0] == "pandas" and hasattr(data, "iloc")


def _claim(made: MadeFrame) -> Claim:
    name = plain_name(made.variable or f"line_{made.line}")
    return Claim(name, "step", f"rows {name}")


def _find(store: Store, dataset: DatasetId) -> DatasetRecord | None:
    try:
        return store.by_id(dataset)
    except UnknownDataset:  # of another workspace, or forgotten since
        return None
