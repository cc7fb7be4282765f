"""The tool that explains values of an aggregate that look odd."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from whence.mcp.answer import Answer
from whence.mcp.arguments import ColumnName, Condition, DatasetName
from whence.mcp.conditions import find_rows
from whence.mcp.context import ToolContext
from whence.mcp.tool import Pageable, Tool
from whence.model.errors import UserError
from whence.model.plural import counted

TIME_LIMIT = 30.0
"""Seconds after which the search ends with the best answers so far; agents give up after about a minute."""


class WhyOdd(Pageable):
    """Which values, and in which way they look odd."""

    dataset: DatasetName
    column: ColumnName
    rows: list[int] | None = Field(default=None, description="The rows whose value looks odd, counted from 0.")
    where: Condition = None
    fine: list[int] | None = Field(default=None, description="Rows whose value looks right; by default all others.")
    direction: Literal["high", "low", "wrong"] = Field(default="high", description="In which way they look odd.")
    expected: float | None = Field(default=None, description="The value that they should have, instead of a direction.")


def why_odd(context: ToolContext, asked: WhyOdd) -> Answer:
    """Explain why values of an aggregate look too high, too low or wrong: conditions over the rows behind them whose
    removal brings the values back to normal, each with its effect."""
    dataset = context.workspace[asked.dataset]
    if (asked.rows is None) == (asked.where is None):
        raise UserError("Say which values look odd: give either rows or where.")
    odd = asked.rows if asked.rows is not None else find_rows(dataset, asked.where or "").tolist()
    found = dataset.explain(
        asked.column,
        odd,
        holdouts="others" if asked.fine is None else asked.fine,
        direction=asked.direction if asked.expected is None else dict.fromkeys(odd, asked.expected),
        time_limit=TIME_LIMIT,
    )
    lines = [f"{number}. {each.predicate.sql}: {each.sentence}" for number, each in enumerate(found, start=1)]
    lines += [] if found.few_rows is None else [f"Single rows: {found.few_rows.sentence}"]
    head = [f"{counted(len(found), 'explanation')} of {asked.column} in {dataset.record.label}. {found.reason}".strip()]
    head += [] if found.is_complete else ["The search was stopped: these are the best answers so far."]
    return Answer(head, lines[asked.more :], asked.more)


TOOL = Tool("why_odd", "Why does it look odd?", WhyOdd, why_odd)
