"""Stage 2, read the plan: what Spark made of the query, its columns, its inputs and how it may capture lineage."""

from __future__ import annotations

from whence.derive.capture import capture_for
from whence.derive.derivation import Derivation
from whence.derive.request import DeriveContext, Request
from whence.derive.rule_failure import RuleFailure
from whence.engine.frames import Frame
from whence.engine.query import Query
from whence.engine.sql_functions import without_caveat_structs
from whence.model.schema import Field, Schema, unique_names
from whence.store.runs import Run


def read_plan(context: DeriveContext, request: Request, run: Run) -> Derivation:
    """Read the query, unless its caller has done so."""
    return begin_derivation(context, request, run, _read(context, request))


def _read(context: DeriveContext, request: Request) -> Query:
    match request.query:
        case Query():
            return request.query
        case Frame():
            return context.engine.read(request.query)
    return request.query()


def begin_derivation(context: DeriveContext, request: Request, run: Run, query: Query) -> Derivation:
    """Return what is known of a dataset once its query is read."""
    engine = context.engine
    capture = capture_for(context.policy, request)
    return Derivation(
        request=request,
        run=run,
        query=query,
        schema=_schema(query),
        capture=capture,
        input_flags=engine.flags.states(query.parents),
    )


def check_read(derivation: Derivation) -> None:
    """Raise the internal error because of which the plan could not be read, if there was one."""
    failure = derivation.query.read.failure
    if failure is not None:
        raise RuleFailure("read", failure)


def _schema(query: Query) -> Schema:
    names = unique_names([without_caveat_structs(column.name) for column in query.columns])
    return Schema(tuple(Field(name, column.type) for name, column in zip(names, query.columns, strict=True)))
