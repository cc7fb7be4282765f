"""States a caveat about a dataset: a version of it with the same rows and one doubt more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from whence.caveats.own_caveats import MISSING_ROWS
from whence.derive.derive import derive
from whence.derive.request import DeriveContext, Request
from whence.engine.query import Query
from whence.engine.sql_functions import End
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.plan.steps.missing_rows_doubt import MissingRowsDoubt

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
    return derive(context, Request(frame, called, "caveat", text))


def with_missing_rows(query: Query) -> Query:
    """Return a query whose row set is in doubt; derive flags the result of a query without a plan anyway."""
    if query.read.plan is None:
        return query
    return replace(query, read=replace(query.read, plan=MissingRowsDoubt(query.read.plan)))
