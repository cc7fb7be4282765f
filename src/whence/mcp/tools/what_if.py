"""The tool that says what a dataset would hold without some rows of an input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import Field

from whence.mcp.answer import Answer
from whence.mcp.arguments import Condition, DatasetName
from whence.mcp.conditions import find_rows
from whence.mcp.context import ToolContext
from whence.mcp.tool import Pageable, Tool
from whence.mcp.values import text_of
from whence.model.errors import UserError
from whence.model.plural import counted

if TYPE_CHECKING:
    from whence.lineage.what_if import Outcome

_WIDEST_LINE = 8
"""The most columns of a line that do not change."""


class WhatIf(Pageable):
    """Which rows of which input to leave out."""

    dataset: DatasetName
    source: DatasetName
    rows: list[int] | None = Field(default=None, description="The rows of the source to leave out, counted from 0.")
    where: Condition = None


def what_if(context: ToolContext, asked: WhatIf) -> Answer:
    """Say what a dataset would hold if some rows of one of its direct inputs were not there: every row that would
    change, before and after. Nothing is deleted. `rows` and `where` choose rows of the source."""
    dataset = context.workspace[asked.dataset]
    if (asked.rows is None) == (asked.where is None):
        raise UserError("Say which rows of the source to leave out: give either rows or where.")
    target = dataset.context.readers.targets.ancestor(dataset.record, asked.source)
    source = context.workspace[target.label]
    rows = asked.rows if asked.rows is not None else find_rows(source, asked.where or "").tolist()
    outcome = dataset.lineage.without(rows, of=target)
    lines = list(_lines(outcome))
    head = (
        f"Without {counted(len(rows), 'row')} of {target.label}, {counted(len(lines), 'row')} of "
        f"{dataset.record.label} would change ({outcome.how})."
    )
    return Answer([head], lines[asked.more :], asked.more)


def _lines(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each row that would change, go or come."""
    after = outcome.after.to_pylist()
    places = {row: place for place, row in enumerate(outcome.kept.tolist())}
    for row, before in zip(outcome.rows.tolist(), outcome.before.to_pylist(), strict=True):
        if row in places:
            yield f"row {row}: {_change(before, after[places[row]])}"
        else:
            yield f"row {row} would not be there: {_change(before, before)}"
    for place, row in enumerate(outcome.kept.tolist()):
        if row < 0:
            yield f"new row: {_change(after[place], after[place])}"


def _change(before: dict[str, object], after: dict[str, object]) -> str:
    same = [f"{name} = {text_of(value)}" for name, value in before.items() if after[name] == value]
    changed = [
        f"{name} = {text_of(value)} -> {text_of(after[name])}" for name, value in before.items() if after[name] != value
    ]
    return ", ".join([*same[:_WIDEST_LINE], *changed])


TOOL = Tool("what_if", "What if some rows were not there?", WhatIf, what_if)
