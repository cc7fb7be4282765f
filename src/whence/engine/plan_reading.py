"""Reads from Spark what a frame computes: its plan as steps, the datasets behind its leaves, its constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from pyspark.sql import DataFrame
from pyspark.sql.types import StructField

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
from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.plan.caveat_questions import asks_for_bounds
from whence.plan.expr import BOUND_ENDS, QUESTION_FIELDS, Column, Expr, SortKey
from whence.plan.rebuild import rebuild
from whence.plan.repeatable import can_stand_for_another_run
from whence.plan.step import Step

MOST_LEVELS = 120
"""Operators over each other. Rules walk a plan by recursion, and Python allows some 1,000 calls in each other."""
TOO_DEEP = f"a plan of more than {MOST_LEVELS} operators over each other"


class PlanReading(SparkAccess):
    """The calls of `Engine` that turn frames into queries, and answer questions from their plans."""

    def read(self, frame: DataFrame, *, is_collapsed: bool = False) -> Query:
        """Return what a frame computes, and from which datasets.

        If `is_collapsed`, projections over projections are merged into one first.
        """
        with translate_errors():
            try:
                return self._read(frame, is_collapsed=is_collapsed)
            except RecursionError:
                return self._without_plan(frame, ReadPlan(None, TOO_DEEP))
            except Exception as error:
                # A fault of our reader must not fail the user's query, which then runs with coarse lineage.
                if self.raises_internal_errors or not is_own_error(error):
                    raise
                return self._without_plan(frame, ReadPlan(None, "an internal error", failure=error))

    def _read(self, frame: DataFrame, *, is_collapsed: bool) -> Query:
        told = self._runner.describe_plan(frame, is_collapsed=is_collapsed)
        before: tuple[str, ...] = ()
        if told is None:
            unfolded = self._jvm.unfold(frame._jdf.queryExecution().analyzed())
            plan, before = self._runner.flatten(unfolded.plan), unfolded.plans_before
            text = self._runner.json(plan)
        else:
            plan, text = told.plan, told.text
        handles = Handles(plan)
        leaves = DatasetLeaves(self._store, handles, self.flags, () if told is None else told.roots)
        nested = self._subquery_reader(handles)
        read = parse_plan(text, leaves.read, Subqueries(before), nested, handles.lists, read_metadata=handles.metadata)
        if read.plan is not None and _count_levels(read.plan) > MOST_LEVELS:
            read = ReadPlan(None, TOO_DEEP)
        sources = tuple(leaves.sources) if read.plan is not None else find_datasets(self._store, plan)
        fields = frame.schema.fields if told is None else told.fields
        return Query(frame, handles, read, sources, plan_columns(plan, fields, read))

    def _without_plan(self, frame: DataFrame, read: ReadPlan) -> Query:
        """Return a query without steps, for a frame whose plan could not be read."""
        plan = frame._jdf.queryExecution().analyzed()
        return Query(
            frame, Handles(plan), read, find_datasets(self._store, plan), plan_columns(plan, frame.schema.fields, read)
        )

    def _subquery_reader(self, handles: Handles) -> Callable[[NodeHandle], tuple[str, Subqueries]]:
        """Return the function that reads the plan of a subquery, in which it turns nested subqueries into joins."""

        def read(handle: NodeHandle) -> tuple[str, Subqueries]:
            unfolded = self._jvm.unfold(handles.node(handle))
            # Handles inside the subquery are paths in the unfolded plan, not in the one that Spark's expression holds.
            handles.put(handle, unfolded.plan)
            return self._runner.json(unfolded.plan), Subqueries(unfolded.plans_before)

        return read

    def plan_without_data(self, query: Query) -> list[JsonNode]:
        """Return the plan of a query in Spark's JSON form, without the constants, rows and names of its user."""
        with translate_errors():
            return redact_plan(self._runner.json(query.handles.node(NodeHandle(()))))

    def can_stand_for_another_run(self, query: Query) -> bool:
        """Return whether an earlier result of this query may replace a new run, because it is deterministic."""
        plan = query.read.plan
        if plan is None or not can_stand_for_another_run(plan):
            return False
        return self._runner.is_deterministic(query.frame)

    def asks_for_bounds(self, query: Query) -> bool:
        """Return whether a query asks for ends of ranges, also one of which some operator has no rule."""
        plan = query.read.plan
        if plan is not None:
            return asks_for_bounds(plan)
        with translate_errors():
            text = self._runner.json(query.handles.node(NodeHandle(())))
        return any(field in text for field, name in QUESTION_FIELDS.items() if name in BOUND_ENDS)

    def plan_text(self, frame: DataFrame) -> str:
        """Return the analysed plan of a frame as Spark prints it."""
        return str(frame._jdf.queryExecution().analyzed().toString())

    def over_versions(self, query: Query, replaced: Mapping[DatasetId, DatasetRecord]) -> Query:
        """Return a query over other versions of its datasets, with their doubts of now, without analysing it.

        The frame is the old one, so the query itself cannot run: only plans of it over rows in other folders can.
        """
        assert query.read.plan is not None
        versions = {old: (new.id, new.rows) for old, new in replaced.items()}
        sources = tuple(replaced[each].id if each in replaced else each for each in query.sources)
        plan = rebuild(query.read.plan, lambda step: step.over_versions(versions))
        plan = rebuild(plan, lambda step: step.with_doubts(lambda id: self.flags.doubt(self._store.by_id(id))))
        return replace(query, read=replace(query.read, plan=plan), sources=sources)

    def sort_order(self, query: Query, key: SortKey) -> tuple[bool, bool]:
        """Return whether a sort key sorts in descending order, and whether NULLs come first."""
        words = str(query.handles.expr(cast(ExprHandle, key.handle)).sql()).split()
        return words[-3] == "DESC", words[-1] == "FIRST"

    def text_of(self, query: Query, expr: Expr) -> str:
        """Return an expression of a query as SQL text; an empty text for an expression that a rule made."""
        return "" if expr.handle is None else str(query.handles.expr(cast(ExprHandle, expr.handle)).sql())

    def constant(self, query: Query, expr: Expr) -> object:
        """Return the value of an expression that reads no column; None if it is NULL or cannot be evaluated."""
        if expr.kind == "literal" and isinstance(expr.value, int | str) and expr.type in PLAIN_LITERALS:
            return expr.value
        if expr.handle is None or expr.is_rebuilt:
            return None
        return constant_value(query.handles.expr(cast(ExprHandle, expr.handle)))


def _count_levels(plan: Step) -> int:
    levels, here = 0, [plan]
    while here:
        levels, here = levels + 1, [each for step in here for each in step.inputs]
    return levels


def plan_columns(plan: Any, fields: Sequence[StructField], read: ReadPlan) -> tuple[Column, ...]:  # noqa: ANN401
    """Return the output columns of a query, whose ids the steps know. A plan without steps costs a call for each."""
    ids = [column.id for column in read.plan.columns] if read.plan is not None else _expr_ids(plan)
    return tuple(
        Column(number, field.name, type_name(field.dataType), field.nullable)
        for number, field in zip(ids, fields, strict=True)
    )


def _expr_ids(plan: Any) -> list[int]:  # noqa: ANN401
    output = plan.output()
    return [output.apply(number).exprId().id() for number in range(output.size())]
