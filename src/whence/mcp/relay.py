"""Relays the protocol from standard input and output to the server of whence that has the workspace open."""

from __future__ import annotations

from contextlib import AsyncExitStack

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from whence.client.running import RunningServer
from whence.mcp.handlers import make_server
from whence.mcp.paths import PATH, READ_ONLY_PATH
from whence.mcp.transport import run_over_stdio
from whence.model.errors import UserError

PATIENCE = 300.0
"""Seconds that an answer may take: a query may run for minutes."""


def relay_to(running: RunningServer, *, is_read_only: bool) -> None:
    """Answer questions by asking a running server, until standard input ends."""
    anyio.run(_relay, running, is_read_only)


async def _relay(running: RunningServer, is_read_only: bool) -> None:
    address = running.address + (READ_ONLY_PATH if is_read_only else PATH)
    headers = {"Authorization": f"Bearer {running.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE, trust_env=False) as http,
        AsyncExitStack() as connected,
    ):
        client = Client(streamable_http_client(address, http_client=http), cache=None)
        try:
            await connected.enter_async_context(client)
        except Exception as error:  # the package raises errors of many kinds, among them those of HTTP
            raise UserError(
                f"The server of {running.workspace} does not speak the Model Context Protocol.",
                "Install its extra and start it again: pip install 'whence-data[mcp]'",
            ) from error
        await run_over_stdio(make_server(client, instructions=client.instructions))
