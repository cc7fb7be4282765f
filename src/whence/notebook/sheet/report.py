"""What is written down about the sheet that made a dataset."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from whence.model.dataset import DatasetRecord
from whence.store.store import Store

DOCUMENT = "sheet"


@dataclass(frozen=True)
class SheetReport:
    """What was done, in words and as data, and which edits found nothing to be applied to."""

    sentences: list[str]
    lost: list[str]
    operations: list[Mapping[str, Any]] = field(default_factory=list, repr=False)


def sheet_report(store: Store, record: DatasetRecord) -> SheetReport | None:
    """The report of a dataset that a sheet made."""
    content = store.document(record, DOCUMENT)
    if content is None:
        return None
    operations: list[Mapping[str, Any]] = json.loads(str(content["operations"]))
    lost = cast("list[Mapping[str, str]]", content["lost"])
    sentences: list[str] = json.loads(str(content["sentences"]))
    return SheetReport(sentences, [each["text"] for each in lost], operations)
