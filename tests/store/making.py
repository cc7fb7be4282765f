"""Short ways to make datasets in tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.store.arrays import Array
from whence.store.draft import Draft, SourceFile
from whence.store.parts import write_table
from whence.store.store import Store
from whence.store.types import schema_of


def make(
    store: Store,
    name: str,
    *tables: pa.Table,
    parents: Sequence[DatasetId] = (),
    caveats: Sequence[Caveat] = (),
    documents: Mapping[str, object] | None = None,
    arrays: Mapping[str, Mapping[str, Array]] | None = None,
    sources: Sequence[SourceFile] = (),
    text: str | None = None,
) -> DatasetRecord:
    """Publish a dataset whose parts are the given tables."""
    run = store.begin("create", name)
    parts = tuple(part for n, table in enumerate(tables) for part in write_table(run.staging / str(n), table))
    draft = Draft(
        schema_of(tables[0].schema),
        parts,
        f"create {name}" if text is None else text,
        tuple(parents),
        caveats=tuple(caveats),
        documents=documents or {},
        arrays=arrays or {},
        sources=tuple(sources),
    )
    return store.publish(run, draft)
