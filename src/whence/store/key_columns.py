"""The columns that make the row key of loaded or created data. Each version stores the list for later versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol, cast

from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownDataset
from whence.model.schema import Schema
from whence.store.draft import Draft
from whence.store.runs import Run

DOCUMENT = "rowkeys"


class Documents(Protocol):
    """The part of the store that this module needs."""

    def current(self, name: str) -> DatasetRecord: ...
    def document(self, record: DatasetRecord, name: str) -> dict[str, object] | None: ...


def with_key_columns(store: Documents, run: Run, draft: Draft) -> Draft:
    """Return the draft of a loaded or created dataset with a document that lists its row key columns."""
    # A draft that replaces another version brings the list of that version.
    if run.origin not in ("load", "create") or DOCUMENT in draft.documents:
        return draft
    columns = (draft.key,) if draft.key is not None else _inherited(store, run.name, draft.schema)
    document = {"columns": list(columns), "declared": draft.key is not None}
    return replace(draft, documents={**draft.documents, DOCUMENT: document})


def key_columns(content: Mapping[str, object]) -> tuple[str, ...]:
    """Return the columns that the document lists."""
    return tuple(cast("list[str]", content["columns"]))


def _inherited(store: Documents, name: str, schema: Schema) -> tuple[str, ...]:
    """Return the key columns of the version before, so that a new column does not give every row a new key."""
    try:
        before = store.document(store.current(name), DOCUMENT)
    except UnknownDataset:
        return schema.names
    # A declared key is not inherited: this load declares none.
    if before is None or before.get("declared", True):
        return schema.names
    columns = key_columns(before)
    return columns if all(schema.position(column) is not None for column in columns) else schema.names
