"""`ToolContext`: the workspace that tools answer about, and where a person can look at the same thing."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from urllib.parse import urlencode

from whence.mcp.unnamed_results import UnnamedResults
from whence.server.events import Events
from whence.server.notebooks import Notebooks
from whence.workspace.served import ServedWorkspace


@dataclass(frozen=True)
class ToolContext:
    """What every tool gets beside its arguments."""

    workspace: ServedWorkspace
    notebooks: Notebooks
    page: str | None = None
    """The address of the page of the server that has the workspace open; None without a server."""
    is_read_only: bool = False
    """Whether the agent may only ask: no dataset gets a name, and no notebook changes or runs."""
    unnamed: UnnamedResults = field(default_factory=UnnamedResults)
    """The results of queries that the agent did not name."""

    @classmethod
    def alone(cls, workspace: ServedWorkspace, *, is_read_only: bool = False) -> ToolContext:
        """Return the context of a workspace that no server has open."""
        return cls(workspace, Notebooks(workspace, Events()), is_read_only=is_read_only)

    def link_to_cell(self, dataset: str, row: int, column: str) -> str:
        """Return the address of a cell on the page; without a server, the command that traces the cell."""
        if self.page is not None:
            return f"{self.page}/?{urlencode({'dataset': dataset, 'row': row, 'column': column})}"
        return shlex.join(["whence", "trace", str(self.workspace.path), dataset, str(row), column])
