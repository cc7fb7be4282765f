"""Opens a workspace in this process and answers questions about it on standard input and output."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import anyio

from whence.engine.profile import Profile
from whence.mcp.context import ToolContext
from whence.mcp.protocol import build_server
from whence.mcp.transport import run_over_stdio
from whence.workspace.open import open as open_workspace
from whence.workspace.warm_up import start_warm_up


def serve_workspace(path: Path, profile: Profile, *, is_read_only: bool) -> None:
    """Answer questions about a workspace until standard input ends."""
    with open_workspace(path, profile=profile) as workspace:
        start_warm_up(workspace, profile)
        anyio.run(run_over_stdio, build_server(ToolContext.alone(workspace, is_read_only=is_read_only)))
        workspace.context.store.drop_scratch(timedelta(0))  # no other process has the workspace open
