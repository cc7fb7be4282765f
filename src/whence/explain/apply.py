"""Turn an answer into a dataset: the input without its rows, with a label column, or with caveats on its rows."""

from __future__ import annotations

from dataclasses import replace

from whence.derive.derive import derive
from whence.derive.request import DeriveContext, Request
from whence.explain.predicate import quoted
from whence.model.caveat import Caveat
from whence.model.dataset import DatasetRecord
from whence.model.errors import UnknownColumn, UserError
from whence.plan.expr import alias, caveat_if
from whence.plan.steps.project import Project

_FLAG = "whence_explained"


def without_rows(
    context: DeriveContext, record: DatasetRecord, condition: str, name: str, *, keep: bool
) -> DatasetRecord:
    """Derive a dataset without the rows that meet the condition, or with `keep`, of those rows alone."""
    # A condition that is NULL does not hold. Without coalesce, `where not NULL` would drop the row as well.
    holds = f"coalesce({condition}, false)"
    frame = context.engine.frame(record).where(holds if keep else f"not {holds}")
    text = f"{'only' if keep else 'without'} rows where {condition}"
    return derive(context, Request(frame, name, "dataset", text, is_reusable=True))


def with_label(context: DeriveContext, record: DatasetRecord, condition: str, name: str, column: str) -> DatasetRecord:
    """Derive a dataset of all rows with an additional boolean column that says whether the condition holds."""
    if record.schema.position(column) is not None:
        raise UserError(f"{record.label} has a column {column} already.", "Choose another name for the label.")
    frame = context.engine.frame(record).selectExpr("*", f"coalesce({condition}, false) as {quoted(column)}")
    return derive(context, Request(frame, name, "dataset", f"{column}: {condition}", is_reusable=True))


def with_caveats(
    context: DeriveContext, record: DatasetRecord, condition: str, name: str, *, column: str, message: str
) -> DatasetRecord:
    """Derive a dataset of all rows with a caveat on the column of each row that meets the condition."""
    if record.schema.position(column) is None:
        raise UnknownColumn(f"{record.label} has no column {column}.", f"It has {', '.join(record.schema.names)}.")
    frame = context.engine.frame(record).selectExpr("*", f"coalesce({condition}, false) as {_FLAG}")
    query = context.engine.read(frame)
    plan = query.read.plan
    if plan is None or plan.projection is None:  # an internal error: derived without rules, every cell is in doubt
        unread = replace(query, frame=frame.drop(_FLAG), columns=query.columns[:-1])
        caveat = Caveat(message, "explained", column=column)
        return derive(context, Request(unread, name, "dataset", message, caveats=(caveat,)))
    *shown, flag = plan.projection
    ids = query.read.ids
    exprs = tuple(
        alias(
            caveat_if(each if each.kind == "column" else each.args[0], flag.args[0], "explained", message),
            ids.named_column(each.output.name, each.output.type),
        )
        if each.output.name == column
        else each
        for each in shown
    )
    # The flag column is not among these: it only decided where caveats go.
    doubted = Project(plan.inputs[0], exprs)
    over = replace(query, read=replace(query.read, plan=doubted), columns=doubted.columns)
    return derive(context, Request(over, name, "dataset", message))
