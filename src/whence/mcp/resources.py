"""Datasets and notebooks as resources, which people attach to a conversation by their address."""

from __future__ import annotations

from urllib.parse import quote, unquote

from mcp import types

from whence.mcp.context import ToolContext
from whence.mcp.summary import summary_of
from whence.mcp.tools import describe_dataset, read_rows
from whence.model.errors import UserError

DATASET = "whence://dataset/"
NOTEBOOK = "whence://notebook/"
PAGE = 100
"""The most resources in one answer to a list."""


def list_resources(context: ToolContext, cursor: str | None) -> types.ListResourcesResult:
    """Return one page of all datasets and notebooks."""
    start = int(cursor) if cursor is not None and cursor.isdigit() else 0
    datasets = [
        types.Resource(
            uri=DATASET + quote(each.name, safe=""),
            name=each.name,
            description=summary_of(each),
            mime_type="text/plain",
        )
        for each in context.workspace.datasets()
    ]
    notebooks = [
        types.Resource(
            uri=NOTEBOOK + quote(name, safe=""),
            name=name,
            description="A notebook, as text.",
            mime_type="text/markdown",
        )
        for name in context.workspace.notebooks()
    ]
    found = [*datasets, *notebooks]
    following = str(start + PAGE) if start + PAGE < len(found) else None
    return types.ListResourcesResult(resources=found[start : start + PAGE], next_cursor=following)


def list_templates() -> types.ListResourceTemplatesResult:
    """Return the forms of the addresses."""
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(
                uri_template=DATASET + "{name}", name="dataset", description="A dataset: its columns and first rows."
            ),
            types.ResourceTemplate(
                uri_template=NOTEBOOK + "{name}", name="notebook", description="A notebook: all its cells, as text."
            ),
        ]
    )


def read_resource(context: ToolContext, uri: str) -> types.ReadResourceResult:
    """Return what an address leads to: a dataset as its description and first rows, a notebook as its text."""
    if uri.startswith(DATASET):
        text, kind = _dataset(context, unquote(uri.removeprefix(DATASET))), "text/plain"
    elif uri.startswith(NOTEBOOK):
        text, kind = context.notebooks.find(unquote(uri.removeprefix(NOTEBOOK))).text, "text/markdown"
    else:
        raise UserError(f"{uri} leads to nothing.", f"Addresses begin with {DATASET} or {NOTEBOOK}.")
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, text=text, mime_type=kind)])


def _dataset(context: ToolContext, name: str) -> str:
    described = describe_dataset.describe_dataset(context, describe_dataset.DescribeDataset(dataset=name))
    rows = read_rows.read_rows(context, read_rows.ReadRows(dataset=name))
    return f"{described.text}\n\n{rows.text}"
