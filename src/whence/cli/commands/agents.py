"""The command that lets agents ask about a workspace, over the Model Context Protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from whence.cli.commands.arguments import ServedPath, Unconfined
from whence.cli.spark_profile import spark_profile
from whence.cli.terminal import sentence_on_error
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.mcp.installed as installed
    import whence.mcp.run as mcp_runs
else:
    installed = LazyModule("whence.mcp.installed")
    mcp_runs = LazyModule("whence.mcp.run")

app = typer.Typer()

ReadOnly = Annotated[bool, typer.Option("--read-only", help="Offer only tools that change nothing.")]


@app.command("mcp")
@sentence_on_error
def serve_agents(path: ServedPath, read_only: ReadOnly = False, unconfined: Unconfined = False) -> None:
    """Answer agents over the Model Context Protocol, on standard input and output."""
    installed.check_mcp_installed()
    mcp_runs.run_mcp(path, lambda: spark_profile(unconfined=unconfined), is_read_only=read_only)
