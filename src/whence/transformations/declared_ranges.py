"""Between which values the cells of columns should lie, as the `between` checks of a dataset say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whence.model.dataset import DatasetRecord
from whence.store.store import Store

CHECKS = "checks"
"""The document about the checks that a version was made with."""

DeclaredRange = tuple[object, object]
"""The least and the greatest value allowed; None where a check leaves that open."""


def declared_ranges(store: Store, record: DatasetRecord) -> Mapping[str, DeclaredRange]:
    """Return the range of each column with a `between` check, of this version or of the same rows below it.

    Of several checks of a column the one that was stated last counts.
    """
    found: dict[str, DeclaredRange] = {}
    for version in _versions_of_same_rows(store, record):
        stored: dict[str, Any] = store.document(version, CHECKS) or {"checks": ()}
        for check in reversed(stored["checks"]):
            if check["kind"] == "between":
                found.setdefault(str(check["column"]).lower(), (check.get("low"), check.get("high")))
    return found


def _versions_of_same_rows(store: Store, record: DatasetRecord) -> Iterator[DatasetRecord]:
    yield record
    while record.origin == "expect" and record.parents:
        record = store.by_id(record.parents[0])
        yield record
