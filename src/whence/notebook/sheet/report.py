"""The report that is stored with a dataset that a sheet made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from whence.model.dataset import DatasetRecord
from whence.store.store import Store

DOCUMENT = "sheet"
"""The name of the stored document."""


@dataclass(frozen=True)
class SheetReport:
    """The operations of a sheet, as sentences and as data, and the edits that could not be applied."""

    sentences: list[str]
    lost: list[str]
    operations: list[Mapping[str, Any]] = field(default_factory=list, repr=False)


def sheet_report(store: Store, record: DatasetRecord) -> SheetReport | None:
    """Return the report of a dataset; None if no sheet made it."""
    content = store.document(record, DOCUMENT)
    if content is None:
        return None
    operations: list[Mapping[str, Any]] = json.loads(str(content["operations"]))
    lost = cast("list[Mapping[str, str]]", content["lost"])
    sentences: list[str] = json.loads(str(content["sentences"]))
    return SheetReport(sentences, [each["text"] for each in lost], operations)
