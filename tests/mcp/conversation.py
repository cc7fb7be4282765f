"""Talks to a server of the protocol with the package's own client, in this process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
from mcp import Client, MCPError, types

import whence
from whence.mcp.context import ToolContext
from whence.mcp.protocol import build_server

Result = TypeVar("Result")


@dataclass(frozen=True)
class Conversation:
    """Questions to one server. Each opens a connection of its own, with the handshake that today's agents use."""

    context: ToolContext

    def ask(self, tool: str, **arguments: object) -> str:
        """Return the text of an answer that is no error."""
        answer = self.call(tool, **arguments)
        assert not answer.is_error, text_of(answer)
        return text_of(answer)

    def refused(self, tool: str, **arguments: object) -> str:
        """Return the text of an error."""
        answer = self.call(tool, **arguments)
        assert answer.is_error, text_of(answer)
        return text_of(answer)

    def call(self, tool: str, **arguments: object) -> types.CallToolResult:
        return self.do(lambda client: client.call_tool(tool, arguments))

    def do(self, question: Callable[[Client], Awaitable[Result]]) -> Result:
        async def talk() -> Result | MCPError:
            async with Client(build_server(self.context), mode="legacy") as client:
                try:
                    return await question(client)
                except MCPError as error:  # raised here it would come wrapped in groups of errors
                    return error

        answer = anyio.run(talk)
        if isinstance(answer, MCPError):
            raise answer
        return answer


def talk_about(workspace: whence.Workspace, *, is_read_only: bool = False) -> Conversation:
    return Conversation(ToolContext.alone(workspace, is_read_only=is_read_only))


def text_of(answer: types.CallToolResult) -> str:
    (content,) = answer.content
    assert isinstance(content, types.TextContent)
    return content.text


def content_of(answer: types.CallToolResult) -> dict[str, Any]:
    found: dict[str, Any] = answer.structured_content
    return found
