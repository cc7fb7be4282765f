"""Every tool: one line each. Agents see them in this order."""

from __future__ import annotations

from typing import Any

from whence.mcp.context import ToolContext
from whence.mcp.tool import Tool
from whence.mcp.tools import (
    can_i_trust,
    describe_dataset,
    edit_notebook,
    list_datasets,
    read_notebook,
    read_rows,
    run_notebook,
    run_sql,
    verify_claim,
    what_if,
    where_from,
    why_not,
    why_odd,
)

TOOLS: tuple[Tool[Any], ...] = (
    list_datasets.TOOL,
    describe_dataset.TOOL,
    read_rows.TOOL,
    run_sql.ASKING,
    run_sql.TOOL,  # takes the place of the one before where an agent may change things
    verify_claim.TOOL,
    where_from.TOOL,
    can_i_trust.TOOL,
    why_odd.TOOL,
    why_not.TOOL,
    what_if.TOOL,
    read_notebook.TOOL,
    edit_notebook.TOOL,
    run_notebook.TOOL,
)


def tools_for(context: ToolContext) -> dict[str, Tool[Any]]:
    """Return the tools that an agent may use, by name. One that may only ask sees none that change the workspace."""
    return {tool.name: tool for tool in TOOLS if not (tool.changes and context.is_read_only)}
