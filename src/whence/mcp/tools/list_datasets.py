"""The tool that lists datasets, each with its size and what is in doubt."""

from __future__ import annotations

from whence.mcp.answer import Answer
from whence.mcp.context import ToolContext
from whence.mcp.summary import summary_of
from whence.mcp.tool import Pageable, Tool
from whence.model.plural import counted


class ListDatasets(Pageable):
    """Which part of the list."""


def list_datasets(context: ToolContext, asked: ListDatasets) -> Answer:
    """List the datasets of the workspace: name@version, rows, columns, and what is in doubt. Begin here."""
    datasets = context.workspace.datasets()
    notebooks = context.workspace.notebooks()
    named = f", and the notebooks {', '.join(notebooks)}" if notebooks else ""
    head = f"{context.workspace.path.name} has {counted(len(datasets), 'dataset')}{named}."
    return Answer([head], [summary_of(each) for each in datasets[asked.more :]], asked.more)


TOOL = Tool("list_datasets", "List datasets", ListDatasets, list_datasets)
