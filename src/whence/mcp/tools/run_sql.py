"""The tool that runs a query, which the guard of SQL cells checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from whence.mcp.answer import Answer
from whence.mcp.context import ToolContext
from whence.mcp.tool import Pageable, Tool
from whence.mcp.tools.read_rows import MOST_ROWS, table_answer
from whence.model.errors import UserError

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset


class AskSql(Pageable):
    """The query."""

    query: str = Field(description="One query over the datasets of the workspace, in Spark's SQL.")


class RunSql(AskSql):
    """The query, and what to call its result."""

    name: str | None = Field(
        default=None, description="Keep the result as a dataset of this name; by default it is not kept."
    )


def ask_sql(context: ToolContext, asked: AskSql) -> Answer:
    """Run a SQL query over the datasets and show the first rows. The result has lineage and doubt flags: the other
    tools answer about it by the name@version in the first line."""
    made = context.workspace.scratch_sql(asked.query)
    context.unnamed.add(made.record.id)
    return _rows_answer(made, asked.more)


def run_sql(context: ToolContext, asked: RunSql) -> Answer:
    """Run a SQL query over the datasets and show the first rows. The result has lineage and doubt flags: the other
    tools answer about it by the name@version in the first line. With a name it is kept as a dataset."""
    if asked.name is None:
        return ask_sql(context, asked)
    _check_free(context, asked.name)
    return _rows_answer(context.workspace.sql(asked.query, name=asked.name), asked.more)


def _rows_answer(made: Dataset, start: int) -> Answer:
    return table_answer(made, list(range(start, min(start + MOST_ROWS, made.count))), None, start, made.count)


def _check_free(context: ToolContext, name: str) -> None:
    """Raise if the name is that of data which no query made: a result must not take the place of a source."""
    taken = next((each for each in context.workspace.datasets() if each.name.lower() == name.strip().lower()), None)
    if taken is not None and taken.record.origin != "sql":
        raise UserError(f"{taken.name} is the name of other data, made by {taken.record.origin}.", "Choose another.")


TOOL = Tool("run_sql", "Run a query", RunSql, run_sql, changes=True)
ASKING = Tool("run_sql", "Run a query", AskSql, ask_sql)
"""The tool for agents that may only ask: no result gets a name."""
