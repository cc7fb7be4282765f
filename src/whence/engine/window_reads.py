"""Finds what window functions in an expression read: columns of the row itself, and of the rows around it."""

from __future__ import annotations

from dataclasses import dataclass

from whence.engine.handles import NodeHandle
from whence.engine.parse_plan import parse_plan
from whence.engine.read_expr import JsonNode
from whence.engine.subqueries import Subqueries
from whence.model.cellref import Role
from whence.model.dataset import Doubt
from whence.model.ids import DatasetId
from whence.plan.catalyst import Unreadable
from whence.plan.columnmap import NOWHERE, Uses
from whence.plan.expr import Column
from whence.plan.rewrite import column_map
from whence.plan.step import Step
from whence.plan.steps.scan import Scan

_RELATIONS = "org.apache.spark.sql.catalyst.plans.logical.LocalRelation", ".LogicalRelation"


@dataclass(frozen=True)
class Look:
    """A column that an expression reads, in a role: of the row itself, or if `is_around`, of rows in a window."""

    column: str
    role: Role
    is_around: bool


@dataclass(frozen=True)
class Looks:
    """All columns that an expression reads. `is_around` says whether other rows matter, if only their number."""

    columns: tuple[Look, ...]
    is_around: bool


def window_reads(plan: str, count: int) -> list[Looks | None]:
    """Return what each column of a selection reads; None for a column that needs more than one set of other rows.

    `plan` is the JSON form of the analysed selection over an empty relation. An expression with two windows, or with a
    FILTER clause, reads several sets of rows. So does anything that is neither a projection nor a window.
    """
    read = parse_plan(plan.replace(*_RELATIONS), _scan, Subqueries(()), _no_subquery, _no_lists)
    if read.plan is None or not all(map(_is_selection, read.plan.walk())):
        return [None] * count
    values = column_map(read.plan).values
    return [_looks(values.get(column.id, frozenset())) for column in read.plan.columns]


def _is_selection(step: Step) -> bool:
    """Return whether a step is a relation, or has one input and keeps its rows as they are."""
    return not step.inputs or (step.traits.keeps_rows and len(step.inputs) == 1)


def _looks(uses: Uses) -> Looks | None:
    limits = {limit for use in uses for limit in use.limits}
    if len(limits) > 1 or any(limit.kind != "window" for limit in limits) or any(len(use.limits) > 1 for use in uses):
        return None
    found = {Look(use.column, use.role, bool(use.limits)) for use in uses if use.source != NOWHERE}
    return Looks(tuple(sorted(found, key=lambda each: (each.is_around, each.column, each.role))), bool(limits))


def _scan(handle: NodeHandle, columns: tuple[Column, ...]) -> Step:
    places = {column.name: place for place, column in enumerate(columns)}
    return Scan(
        source=0,
        dataset=DatasetId("given"),
        user_columns=columns,
        positions=places,
        doubt=Doubt(),
        rows=1,
        handle=handle,
    )


def _no_lists(_: NodeHandle, field: str) -> list[list[list[JsonNode]]]:
    raise Unreadable(field)  # grouping sets are no selection


def _no_subquery(_: NodeHandle) -> tuple[str, Subqueries]:
    return "[]", Subqueries(())
