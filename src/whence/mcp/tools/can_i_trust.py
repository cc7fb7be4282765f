"""The tool that says how far to trust a dataset, a column, a row or a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from whence.mcp.answer import Answer
from whence.mcp.arguments import Condition, DatasetName, RowNumber
from whence.mcp.caveat_words import caveat_line, is_doubtful
from whence.mcp.conditions import find_row
from whence.mcp.context import ToolContext
from whence.mcp.summary import summary_of
from whence.mcp.tool import Pageable, Tool
from whence.workspace.checked import checked_column, checked_row

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset


class CanITrust(Pageable):
    """What to judge."""

    dataset: DatasetName
    row: RowNumber = None
    where: Condition = None
    column: str | None = Field(default=None, description="The column; without it, all columns.")


def can_i_trust(context: ToolContext, asked: CanITrust) -> Answer:
    """Say whether a value, a row, a column or a whole dataset is in doubt, and list every caveat behind it: values that
    did not fit their type, guesses of transformations, doubts that people stated, wherever upstream they arose."""
    dataset = context.workspace[asked.dataset]
    has_row = asked.row is not None or asked.where is not None
    row, remark = find_row(dataset, asked.row, asked.where) if has_row else (None, "")
    if row is not None:
        checked_row(dataset.record, row)
    if asked.column is not None:
        checked_column(dataset.record, asked.column)
    groups = dataset.caveats.list(row=row, column=asked.column)
    head = [f"{_verdict(dataset, row, asked.column, len(groups))} {remark}".strip()]
    if dataset.caveats.row_set:
        head.append("A row that is absent might belong here.")
    if not dataset.lineage.exact:
        head.append(f"Lineage is not exact: {dataset.lineage.strategy}")
    return Answer(head, [caveat_line(each) for each in groups[asked.more :]], asked.more)


def _verdict(dataset: Dataset, row: int | None, column: str | None, caveats: int) -> str:
    """Return the first line of the answer."""
    place = [f"row {row}"] if row is not None else []
    place += [column] if column is not None else []
    named = " ".join([dataset.record.label, ", ".join(place)]) if place else summary_of(dataset)
    if is_doubtful(dataset, row, column):
        return f"In doubt: {named}."
    accepted = " Its caveats are acknowledged." if caveats else ""
    return f"Not in doubt: {named}.{accepted}"


TOOL = Tool("can_i_trust", "Can I trust it?", CanITrust, can_i_trust)
