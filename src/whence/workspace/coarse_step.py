"""Finds the steps at which lineage stops being exact, on the way from datasets down to their sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from whence.lineage.document import NAME
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset
from whence.model.ids import DatasetId
from whence.store.store import Store


def coarse_step(store: Store, records: Sequence[DatasetRecord]) -> str:
    """Return why the lineage of some step below these datasets, or of one of them, is not exact; empty if all is."""
    return next((reason for each in _steps(store, records) if (reason := _reason(store, each))), "")


def models_below(store: Store, records: Sequence[DatasetRecord]) -> tuple[str, ...]:
    """Return the fitted models in the queries of these datasets and of all steps below them."""
    documents = (store.document(each, NAME) or {} for each in _steps(store, records))
    return tuple(sorted({str(model) for document in documents for model in _listed(document.get("models"))}))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _steps(store: Store, records: Sequence[DatasetRecord]) -> Iterator[DatasetRecord]:
    """Yield these datasets and those that they were made from, the nearest first."""
    waiting, seen = list(records), set[DatasetId]()
    while waiting:
        record = waiting.pop(0)
        if record.id in seen:
            continue
        seen.add(record.id)
        yield record
        for parent in record.parents:
            with suppress(UnknownDataset):  # it was forgotten, and nothing is known of it
                waiting.append(store.by_id(parent))


def _reason(store: Store, record: DatasetRecord) -> str:
    document = store.document(record, NAME)
    if record.origin == "python":
        return "rows that came back from Python"
    if document is None or document["exact"]:
        return ""
    return str(document["strategy"]).removeprefix("coarse: ").split(" has no lineage rule")[0]
