"""A call of an operator as users see it later: what was called, with what, reading and writing which columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from whence.model.dataset import DatasetRecord
from whence.model.schema import Schema
from whence.pipeline.operation import Counts, Operation
from whence.transformations.applied import Applied


def operation_maker(
    index: int, kind: str, parameters: Mapping[str, object], line: str, count: Callable[[], Counts]
) -> Callable[[Applied, Schema, Schema], Operation]:
    """What makes the operation of a call, once its columns are known."""
    code = _written(kind, parameters)

    def make(applied: Applied, before: Schema, after: Schema) -> Operation:
        return Operation(
            index=index,
            kind=kind,
            description=applied.description,
            columns_in=_columns_in(applied, before, after),
            columns_out=applied.written,
            code=code,
            line=line,
            is_inferred=kind == "apply",
            count=count,
        )

    return make


def _columns_in(applied: Applied, before: Schema, after: Schema) -> tuple[str, ...]:
    """The columns an operation reads, tests or drops."""
    read = [name for template in applied.templates for name in template.columns]
    tested = applied.sieve.tested if applied.sieve is not None else ()
    kept = {each.name for each in applied.outputs} if applied.outputs else set(after.names)
    gone = [name for name in before.names if applied.renamed.get(name, name) not in kept]
    return tuple(dict.fromkeys([*read, *tested, *applied.renamed, *gone]))


def _written(kind: str, parameters: Mapping[str, object]) -> str:
    """The call as it would be written."""
    given = [f"{name}={_value(value)}" for name, value in parameters.items() if value is not None and value != ()]
    return f"{kind}({', '.join(given)})"


def _value(value: object) -> str:
    record = getattr(value, "record", value)
    if isinstance(record, DatasetRecord):
        return repr(record.label)
    if callable(value):
        return getattr(value, "__name__", "function")
    return repr(value)
