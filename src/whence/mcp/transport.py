"""Speaks the protocol on standard input and output, as agents start a server."""

from __future__ import annotations

from typing import Any

from mcp.server import Server
from mcp.server.stdio import stdio_server


async def run_over_stdio(server: Server[Any]) -> None:
    """Run a server until standard input ends. Meanwhile whatever else is printed goes to standard error."""
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
