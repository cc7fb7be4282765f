"""What a frame computes, read from Spark: its plan as steps, the datasets behind its leaves, its constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from pyspark.sql import DataFrame

from whence.engine.blame import is_own_error
from whence.engine.constants import PLAIN_LITERALS, constant_value
from whence.engine.dataset_leaves import DatasetLeaves, find_datasets
from whence.engine.errors import translate_errors
from whence.engine.handles import ExprHandle, Handles, NodeHandle
from whence.engine.parse_plan import ReadPlan, parse_plan
from whence.engine.query import Query
from whence.engine.read_expr import JsonNode
from whence.engine.redact_plan import redact_plan
from whence.engine.spark_access import SparkAccess
from whence.engine.subqueries import Subqueries
from whence.engine.type_names import type_name
from whence.plan.expr import Column, Expr
from whence.plan.repeatable import can_stand_for_another_run


class PlanReading(SparkAccess):
    """The calls of `Engine` that turn frames into queries, and answer from their plans."""

    def read(self, frame: DataFrame, *, is_collapsed: bool = False) -> Query:
        """What a frame computes, and from which datasets; with projections on projections as one, if asked."""
        with translate_errors():
            try:
                return self._read(frame, is_collapsed=is_collapsed)
            except Exception as error:
                if self.raises_internal_errors or not is_own_error(error):
                    raise
                return self._without_plan(frame, error)

    def _read(self, frame: DataFrame, *, is_collapsed: bool) -> Query:
        told = self._runner.describe_plan(frame, is_collapsed=is_collapsed)
        before: tuple[str, ...] = ()
        if told is None:
            unfolded = self._jvm.unfold(frame._jdf.queryExecution().analyzed())
            plan, text, before = unfolded.plan, self._runner.json(unfolded.plan), unfolded.plans_before
        else:
            plan, text = told.plan, told.text
        handles = Handles(plan)
        leaves = DatasetLeaves(self._store, handles, self.flags, () if told is None else told.roots)
        read = parse_plan(text, leaves.read, Subqueries(before), self._subquery_reader(handles), handles.lists)
        sources = tuple(leaves.sources) if read.plan is not None else find_datasets(self._store, plan)
        return Query(frame, handles, read, sources, _output(plan, frame, read))

    def _without_plan(self, frame: DataFrame, failure: Exception) -> Query:
        """The query as Spark knows it, where reading it failed."""
        plan, read = frame._jdf.queryExecution().analyzed(), ReadPlan(None, "an internal error", failure=failure)
        return Query(frame, Handles(plan), read, find_datasets(self._store, plan), _output(plan, frame, read))

    def _subquery_reader(self, handles: Handles) -> Callable[[NodeHandle], tuple[str, Subqueries]]:
        """Reads the plan of a subquery, itself with subqueries as joins."""

        def read(handle: NodeHandle) -> tuple[str, Subqueries]:
            unfolded = self._jvm.unfold(handles.node(handle))
            handles.put(handle, unfolded.plan)
            return self._runner.json(unfolded.plan), Subqueries(unfolded.plans_before)

        return read

    def plan_without_data(self, query: Query) -> list[JsonNode]:
        """The plan of a query in Spark's JSON form, without constants, rows and names."""
        with translate_errors():
            return redact_plan(self._runner.json(query.handles.node(NodeHandle(()))))

    def can_stand_for_another_run(self, query: Query) -> bool:
        """What this query gave once is what it could give again."""
        plan = query.read.plan
        if plan is None or not can_stand_for_another_run(plan):
            return False
        return bool(query.frame._jdf.queryExecution().analyzed().deterministic())

    def plan_text(self, frame: DataFrame) -> str:
        """The plan of a frame as Spark prints it."""
        return str(frame._jdf.queryExecution().analyzed().toString())

    def text_of(self, query: Query, expr: Expr) -> str:
        """An expression of a query as SQL; nothing for one that a rule made."""
        return "" if expr.handle is None else str(query.handles.expr(cast(ExprHandle, expr.handle)).sql())

    def constant(self, query: Query, expr: Expr) -> object:
        """The value of an expression that reads no column; None if it is NULL, or cannot be told."""
        if expr.kind == "literal" and isinstance(expr.value, int | str) and expr.type in PLAIN_LITERALS:
            return expr.value
        if expr.handle is None or expr.is_rebuilt:
            return None
        return constant_value(query.handles.expr(cast(ExprHandle, expr.handle)))


def _output(plan: Any, frame: DataFrame, read: ReadPlan) -> tuple[Column, ...]:  # noqa: ANN401
    """Rules know the ids of the columns, Spark in one call their types; only a plan without rules is asked for both."""
    fields = frame.schema.fields
    ids = [column.id for column in read.plan.columns] if read.plan is not None else _expr_ids(plan)
    return tuple(
        Column(number, field.name, type_name(field.dataType), field.nullable)
        for number, field in zip(ids, fields, strict=True)
    )


def _expr_ids(plan: Any) -> list[int]:  # noqa: ANN401
    output = plan.output()
    return [output.apply(number).exprId().id() for number in range(output.size())]
