"""Writes the plan of a transformation as one plain SQL query, for readers: without row ids and caveats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from whence.plan.sql_text import quoted
from whence.transformations.doubt_sql import new_rows_query
from whence.transformations.input_table import RID
from whence.transformations.plan import NewRows, Output, TransformationPlan

_NOTE = f"-- {RID} is the number of the row, from 0, which whence keeps beside the columns.\n"


def plan_to_sql(plan: TransformationPlan, source: str) -> str:
    """Return the query that makes the rows of a plan from the dataset of this name; empty if Python makes them."""
    if plan.new_rows is not None and plan.new_rows.functions:
        return ""
    plain = _without_doubts(plan)
    query = _row_by_row(plain, source) if plain.new_rows is None else _new_rows(plain, plain.new_rows, source)
    return f"{_NOTE if RID in query else ''}{query}"


def _without_doubts(plan: TransformationPlan) -> TransformationPlan:
    row_filter = None if plan.row_filter is None else replace(plan.row_filter, doubt="")
    return replace(plan, guesses=(), row_filter=row_filter)


def _new_rows(plan: TransformationPlan, new_rows: NewRows, source: str) -> str:
    query = new_rows_query(plan).replace("{input}", quoted(source))
    for number, other in enumerate(new_rows.others):
        query = query.replace(f"{{other{number}}}", quoted(other.name))
    return query


def _row_by_row(plan: TransformationPlan, source: str) -> str:
    """Return nested selections: one for each stage of temporary columns, and the outputs over them."""
    row_filter, stages = plan.row_filter, list(plan.below)
    if row_filter is not None and row_filter.helper:
        stages.append((Output(row_filter.helper_name, row_filter.helper),))
    query = quoted(source)
    for stage in stages:
        query = f"({_select(['*', *map(_column, stage)], query)})"
    where = "" if row_filter is None else f"\nwhere {row_filter.keep}"
    return _select([_column(each) for each in plan.outputs], query) + where


def _select(columns: Sequence[str], source: str) -> str:
    return f"select\n  {f',{chr(10)}  '.join(columns)}\nfrom {source}"


def _column(output: Output) -> str:
    name = quoted(output.name)
    return name if output.sql == name else f"{output.sql} as {name}"
