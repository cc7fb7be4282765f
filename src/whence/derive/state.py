"""States a caveat about a dataset: a version of it with the same rows and one doubt more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from whence.caveats.own_caveats import MISSING_ROWS
from whence.derive.derive import derive
from whence.derive.request import DeriveContext, Request
from whence.derive.stated_range import DOCUMENT, read_range, write_range
from whence.engine.engine import Engine
from whence.engine.query import Query
from whence.engine.sql_functions import End
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.plan.steps.missing_rows_doubt import MissingRowsDoubt
from whence.store.forgotten import ForgottenRecord
from whence.store.store import Store

Where = str | Sequence[int] | None
"""A SQL condition, row ids, or None for every row."""


@dataclass(frozen=True)
class Statement:
    """A doubt about cells of `column`, or without it about rows; without both, that rows may be missing."""

    record: DatasetRecord
    where: Where
    column: str | None
    message: str
    stated: tuple[End, End] = (None, None)
    """Between which values the cells lie, where that is known."""


def state(context: DeriveContext, statement: Statement, name: str | None = None) -> DatasetRecord:
    """The dataset with the doubt, as a new version of it or under another name."""
    record, where, column, message = statement.record, statement.where, statement.column, statement.message
    called, text = name or record.name, f"caveat: {message}"
    if where is None and column is None:
        missing = (Caveat(message, MISSING_ROWS),)
        query = context.engine.read(context.engine.frame(record))
        return derive(context, Request(with_missing_rows(query), called, "caveat", text, caveats=missing))
    frame = context.engine.with_doubts(record, where, column, message, statement.stated)
    return derive(context, Request(frame, called, "caveat", text, documents=_to_documents(statement)))


def _to_documents(statement: Statement) -> Mapping[str, object]:
    """What a later session needs to state a range again: a frame leaves no text to run."""
    ends = write_range(statement.stated)
    if ends is None or statement.stated == (None, None):
        return {}
    where = statement.where if statement.where is None or isinstance(statement.where, str) else list(statement.where)
    return {DOCUMENT: {"where": where, "column": statement.column, "message": statement.message, "ends": ends}}


def recall_statement(store: Store, engine: Engine, record: DatasetRecord) -> Query | None:
    """Return the query that stated a range about a dataset; None if the version states none."""
    stored: dict[str, Any] | None = store.document(record, DOCUMENT)
    parent = store.by_id(record.parents[0]) if stored is not None and record.parents else None
    if stored is None or parent is None or isinstance(parent, ForgottenRecord):
        return None
    ends = read_range(stored["ends"])
    return engine.read(engine.with_doubts(parent, stored["where"], stored["column"], stored["message"], ends))


def stated_range(store: Store, record: DatasetRecord) -> tuple[End, End]:
    """Return the ends that a version states about its cells; unknown ends if it states none."""
    stored: dict[str, Any] | None = store.document(record, DOCUMENT)
    return (None, None) if stored is None else read_range(stored["ends"])


def with_missing_rows(query: Query) -> Query:
    """Return a query whose row set is in doubt; derive flags the result of a query without a plan anyway."""
    if query.read.plan is None:
        return query
    return replace(query, read=replace(query.read, plan=MissingRowsDoubt(query.read.plan)))
