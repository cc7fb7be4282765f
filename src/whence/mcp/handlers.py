"""Which requests a server of the Model Context Protocol answers, whoever does: a workspace, or a server behind it."""

from __future__ import annotations

from typing import Any, Protocol

from mcp import types
from mcp.server import Server, ServerRequestContext

Request = ServerRequestContext[Any]


class Handlers(Protocol):
    """Answers the requests of an agent. The package's `Client` is one: it asks another server."""

    async def list_tools(self, *, cursor: str | None = None) -> types.ListToolsResult:
        """Return the tools."""

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None) -> types.CallToolResult:
        """Return the answer of a tool."""

    async def list_resources(self, *, cursor: str | None = None) -> types.ListResourcesResult:
        """Return one page of the resources."""

    async def list_resource_templates(self, *, cursor: str | None = None) -> types.ListResourceTemplatesResult:
        """Return the forms of the addresses of resources."""

    async def read_resource(self, uri: str) -> types.ReadResourceResult:
        """Return what an address leads to."""

    async def list_prompts(self, *, cursor: str | None = None) -> types.ListPromptsResult:
        """Return the prompts."""

    async def get_prompt(self, name: str, arguments: dict[str, str] | None = None) -> types.GetPromptResult:
        """Return a prompt, filled in."""


def make_server(
    handlers: Handlers, *, instructions: str | None, title: str | None = None, version: str = ""
) -> Server[Any]:
    """Return a server named `whence` that passes each request on to its handler."""

    async def list_tools(_: Request, asked: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return await handlers.list_tools(cursor=_cursor(asked))

    async def call_tool(_: Request, asked: types.CallToolRequestParams) -> types.CallToolResult:
        return await handlers.call_tool(asked.name, asked.arguments)

    async def list_resources(_: Request, asked: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return await handlers.list_resources(cursor=_cursor(asked))

    async def list_templates(
        _: Request, asked: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return await handlers.list_resource_templates(cursor=_cursor(asked))

    async def read_resource(_: Request, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await handlers.read_resource(asked.uri)

    async def list_prompts(_: Request, asked: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return await handlers.list_prompts(cursor=_cursor(asked))

    async def get_prompt(_: Request, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        return await handlers.get_prompt(asked.name, asked.arguments)

    return Server(
        "whence",
        title=title,
        version=version,
        instructions=instructions,
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
