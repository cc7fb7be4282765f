"""Makes the query of a transformation or pipeline again in a later session, from the steps stored with its result."""

from __future__ import annotations

from typing import Any

from whence.derive.request import DeriveContext
from whence.derive.state import recall_statement
from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.model.dataset import DatasetRecord
from whence.model.errors import WhenceError
from whence.pipeline.chain import Chain
from whence.pipeline.document import DOCUMENT
from whence.pipeline.operation import Counts
from whence.pipeline.read_document import read_segment
from whence.pipeline.segment import Segment
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store


def replay_query(store: Store, engine: Engine, record: DatasetRecord) -> Query | None:
    """Return the query that made a dataset; None if nothing stored tells it, or it cannot be run any more."""
    if record.origin == "caveat":
        return recall_statement(store, engine, record)
    document: dict[str, Any] | None = store.document(record, DOCUMENT)
    if document is None:
        return None
    segment = read_segment(store, document["segments"][-1], 0, lambda _: Counts(0, 0, 0, 0))
    if not _can_be_replayed(segment):
        return None
    chain = Chain(DeriveContext(store, engine), segment.base, record.name, lambda _: record)
    chain.take([segment])
    try:
        return chain.replay()
    except WhenceError:  # a file that was read in place is gone, or a function of another version of Spark
        return None


def _can_be_replayed(segment: Segment) -> bool:
    """Whether all inputs are still there, and no Python function, which is not stored, made the rows."""
    new_rows = None if segment.closing is None else segment.closing.plan.new_rows
    inputs = (segment.base, *(() if new_rows is None else new_rows.others))
    has_query = new_rows is None or bool(new_rows.query)
    return has_query and not any(isinstance(each, ForgottenRecord) for each in inputs)
