"""Turns the leaves of a plan that read datasets of the workspace into scans, each with a source number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whence.engine.handles import Handles, NodeHandle
from whence.engine.scan import StoredFlags, dataset_in, dataset_of
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset
from whence.model.ids import DatasetId
from whence.plan.expr import Column
from whence.plan.step import Step
from whence.plan.steps.scan import Scan
from whence.store.store import Store


class DatasetLeaves:
    """Reads the leaves of one plan, and collects in `sources` the dataset of each."""

    def __init__(self, store: Store, handles: Handles, flags: StoredFlags, roots: Sequence[Sequence[str]] = ()) -> None:
        self._store = store
        self._handles = handles
        self._flags = flags
        self._roots = iter(roots)
        self.sources: list[DatasetId] = []

    def read(self, handle: NodeHandle, columns: tuple[Column, ...]) -> Step | None:
        """Return the scan behind a leaf; None if the leaf is no dataset of the workspace."""
        roots = next(self._roots, None)  # `Script.java` lists the folders in the order in which leaves are read
        dataset = dataset_of(self._handles.node(handle)) if roots is None else dataset_in(roots)
        record = None if dataset is None else _record(self._store, dataset)
        if record is None:
            return None
        self._store.check_references(record)
        self.sources.append(record.id)
        positions = {field.name: position for position, field in enumerate(record.schema)}
        doubt = self._flags.doubt(record)
        return Scan(
            source=len(self.sources) - 1,
            dataset=record.id,
            user_columns=columns,
            positions=positions,
            doubt=doubt,
            rows=record.rows,
            handle=handle,
        )


def find_datasets(store: Store, plan: Any) -> tuple[DatasetId, ...]:  # noqa: ANN401
    """Return every dataset that any part of a plan reads, subqueries included."""
    nested = plan.subqueriesAll()
    plans = [plan, *(nested.apply(number) for number in range(nested.size()))]
    found = [dataset for each in plans for dataset in _scanned_datasets(each)]
    return tuple(dict.fromkeys(dataset for dataset in found if _record(store, dataset) is not None))


def _scanned_datasets(plan: Any) -> list[DatasetId]:  # noqa: ANN401
    leaves = plan.collectLeaves()
    relations = (leaves.apply(number) for number in range(leaves.size()))
    found = [dataset_of(leaf) for leaf in relations if leaf.getClass().getSimpleName() == "LogicalRelation"]
    return [dataset for dataset in found if dataset is not None]


def _record(store: Store, dataset: DatasetId) -> DatasetRecord | None:
    try:
        return store.by_id(dataset)
    except UnknownDataset:
        return None
