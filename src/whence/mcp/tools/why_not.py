"""The tool that says why a row is missing from a dataset."""

from __future__ import annotations

from whence.mcp.answer import Answer
from whence.mcp.arguments import Condition, DatasetName, RowNumber
from whence.mcp.conditions import find_rows
from whence.mcp.context import ToolContext
from whence.mcp.tool import Pageable, Tool
from whence.model.errors import UserError
from whence.model.plural import counted
from whence.server.routes.why_not import MOST_FOLLOWED


class WhyNot(Pageable):
    """Which rows of which source are missing, and from where."""

    dataset: DatasetName
    source: DatasetName
    row: RowNumber = None
    where: Condition = None


def why_not(context: ToolContext, asked: WhyNot) -> Answer:
    """Say why rows of a source are not in a dataset: the step and the condition that left them out, with the values it
    read; or the rows they are in after all. `row` and `where` choose rows of the source."""
    dataset = context.workspace[asked.dataset]
    if (asked.row is None) == (asked.where is None):
        raise UserError("Say which row of the source is looked for: give either row or where.")
    target = dataset.context.readers.targets.ancestor(dataset.record, asked.source)
    source = context.workspace[target.label]
    rows = [asked.row or 0] if asked.where is None else find_rows(source, asked.where).tolist()
    followed = rows[asked.more : asked.more + MOST_FOLLOWED]
    fates = (" ".join(str(dataset.lineage.why_not(target, row)).splitlines()) for row in followed)
    head = f"{counted(len(rows), 'row')} of {target.label} looked for in {dataset.record.label}."
    return Answer([head], fates, asked.more, len(rows))


TOOL = Tool("why_not", "Why is it missing?", WhyNot, why_not)
