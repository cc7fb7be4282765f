"""The report stored with the result of a transformation: what it did, its parameters, and what it learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset
from whence.store.store import Store

DOCUMENT = "lens_report"


@dataclass(frozen=True)
class LensReport:
    """What a transformation did; `learned` holds what it found out from the data."""

    lens: str
    sentence: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    learned: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """Return the document as it is stored."""
        return asdict(self)


def lens_report(store: Store, record: DatasetRecord) -> LensReport | None:
    """Return the report stored with a dataset; None if no transformation made it."""
    stored: dict[str, Any] | None = store.document(record, DOCUMENT)
    return None if stored is None else LensReport(**stored)


def earlier_report(store: Store, name: str, lens: str) -> Mapping[str, object] | None:
    """Return what a transformation learned when it made the latest version of this name; None if it made none."""
    try:
        versions = store.versions(name)
    except UnknownDataset:
        return None
    reports = (lens_report(store, record) for record in sorted(versions, key=lambda each: -each.version))
    return next((report.learned for report in reports if report is not None and report.lens == lens), None)


def plain(value: object) -> object:
    """Return a value as JSON can hold it; anything else becomes text."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
