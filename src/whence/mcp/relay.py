"""Relays the protocol from standard input and output to the server of whence that has the workspace open."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

import anyio
import httpx2
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server, ServerRequestContext

from whence.client.running import RunningServer
from whence.mcp.paths import PATH, READ_ONLY_PATH
from whence.mcp.transport import run_over_stdio
from whence.model.errors import UserError

Request = ServerRequestContext[Any]
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
        await run_over_stdio(relay_server(client))


def relay_server(client: Client) -> Server[Any]:
    """Return a server that passes every request on, and every answer back."""

    async def list_tools(_: Request, asked: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return await client.list_tools(cursor=_cursor(asked))

    async def call_tool(_: Request, asked: types.CallToolRequestParams) -> types.CallToolResult:
        return await client.call_tool(asked.name, asked.arguments)

    async def list_resources(_: Request, asked: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return await client.list_resources(cursor=_cursor(asked))

    async def list_templates(
        _: Request, asked: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return await client.list_resource_templates(cursor=_cursor(asked))

    async def read_resource(_: Request, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await client.read_resource(asked.uri)

    async def list_prompts(_: Request, asked: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return await client.list_prompts(cursor=_cursor(asked))

    async def get_prompt(_: Request, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        return await client.get_prompt(asked.name, asked.arguments)

    return Server(
        "whence",
        instructions=client.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def _cursor(asked: types.PaginatedRequestParams | None) -> str | None:
    return None if asked is None else asked.cursor
