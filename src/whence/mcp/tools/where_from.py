"""The tool that says where a cell or a row came from."""

from __future__ import annotations

from pydantic import Field

from whence.mcp.answer import Answer
from whence.mcp.arguments import Condition, DatasetName, RowNumber
from whence.mcp.conditions import find_row
from whence.mcp.context import ToolContext
from whence.mcp.lineage_words import cell_lines, row_origin_lines
from whence.mcp.summary import origin_of
from whence.mcp.tool import Pageable, Tool
from whence.mcp.values import text_of
from whence.workspace.checked import checked_column, checked_row
from whence.workspace.saved_origins import saved_sentences


class WhereFrom(Pageable):
    """Which cell or row."""

    dataset: DatasetName
    row: RowNumber = None
    where: Condition = None
    column: str | None = Field(default=None, description="The column; without it, the answer is about the whole row.")


def where_from(context: ToolContext, asked: WhereFrom) -> Answer:
    """Say where a value came from: the query, and from each ancestor back to the loaded files the rows and cells behind
    it, with the role that each column played (copied, computed, aggregated, grouped, joined, filtered)."""
    dataset = context.workspace[asked.dataset]
    row, remark = find_row(dataset, asked.row, asked.where)
    checked_row(dataset.record, row)
    if asked.column is None:
        name, lines = f"row {row}", list(row_origin_lines(dataset, row))
    else:
        position = dataset.columns.index(checked_column(dataset.record, asked.column))
        value = dataset.take([row]).column(position).to_pylist()[0]
        name, lines = f"row {row}, {asked.column} = {text_of(value, 200)}", list(cell_lines(dataset, row, asked.column))
    lines += saved_sentences(context.workspace.context, dataset.record, row)
    exactness = "Lineage is exact." if dataset.lineage.exact else f"Lineage is not exact: {dataset.lineage.strategy}"
    head = [f"{dataset.record.label} {name}. {remark}".strip(), origin_of(dataset), exactness]
    return Answer(head, lines[asked.more :], asked.more)


TOOL = Tool("where_from", "Where did it come from?", WhereFrom, where_from)
