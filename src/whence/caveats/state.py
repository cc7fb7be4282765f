"""States a caveat about a dataset from Python: a new version of it, with the same rows and one doubt more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from whence.caveats.derive import derive, derive_query
from whence.caveats.own import MISSING
from whence.engine.engine import Engine
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.model.errors import InternalError
from whence.plan.steps.might_miss import MightMiss
from whence.store.store import Store

Where = str | Sequence[int] | None
"""SQL, rids, or everything."""


def state(
    store: Store, engine: Engine, record: DatasetRecord, where: Where, column: str | None, message: str
) -> DatasetRecord:
    """Doubt these cells; without a column these rows; without rows either, that no row is missing."""
    text = f"caveat: {message}"
    if where is None and column is None:
        query = engine.read(engine.frame(record))
        if query.read.plan is None:
            raise InternalError(f"The scan of {record.label} could not be read: {query.read.reason}.")
        loose = replace(query, read=replace(query.read, plan=MightMiss(query.read.plan)))
        return derive_query(store, engine, loose, record.name, "caveat", text, said=(Caveat(message, MISSING),))
    frame = engine.doubted(record, where, column, message)
    return derive(store, engine, frame, record.name, "caveat", text)
