"""Describes a call as the operation that users see: its text, and the columns it reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from whence.model.dataset import DatasetRecord
from whence.model.schema import Schema
from whence.pipeline.operation import Counts, Operation
from whence.transformations.plan import TransformationPlan
from whence.transformations.vocabulary.registry import TRANSFORMATIONS


def operation_maker(
    index: int, kind: str, parameters: Mapping[str, object], line: str, count: Callable[[], Counts]
) -> Callable[[TransformationPlan, Schema, Schema], Operation]:
    """Return a function that makes the operation of a call once its columns are known."""
    code = _call_text(kind, parameters)

    def make(plan: TransformationPlan, before: Schema, after: Schema) -> Operation:
        return Operation(
            index=index,
            kind=kind,
            description=plan.description,
            columns_in=_columns_in(plan, before, after),
            columns_out=plan.written,
            code=code,
            line=line,
            is_inferred=TRANSFORMATIONS[kind].needs_python,
            count=count,
        )

    return make


def _columns_in(plan: TransformationPlan, before: Schema, after: Schema) -> tuple[str, ...]:
    """Return the columns an operation reads, tests, renames or drops."""
    read = [name for template in plan.templates for name in template.columns]
    tested = plan.row_filter.tested if plan.row_filter is not None else ()
    kept = {each.name for each in plan.outputs} if plan.outputs else set(after.names)
    gone = [name for name in before.names if plan.renamed.get(name, name) not in kept]
    return tuple(dict.fromkeys([*read, *tested, *plan.renamed, *gone]))


def _call_text(kind: str, parameters: Mapping[str, object]) -> str:
    """Return the call as code, such as `filter(condition='age > 18')`."""
    given = [f"{name}={_value(value)}" for name, value in parameters.items() if value is not None and value != ()]
    return f"{kind}({', '.join(given)})"


def _value(value: object) -> str:
    record = getattr(value, "record", value)
    if isinstance(record, DatasetRecord):
        return repr(record.label)
    if callable(value):
        return getattr(value, "__name__", "function")
    return repr(value)
