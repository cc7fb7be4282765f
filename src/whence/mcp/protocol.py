"""`build_server`: the tools, resources and prompts of a workspace as a server of the Model Context Protocol."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from anyio import get_cancelled_exc_class
from anyio.to_thread import run_sync
from mcp import MCPError, types
from mcp.server import Server

from whence.mcp import prompts, resources
from whence.mcp.answer import LONGEST, clip
from whence.mcp.context import ToolContext
from whence.mcp.handlers import make_server
from whence.mcp.timed_question import TimedQuestion
from whence.mcp.tool import Tool
from whence.mcp.tools.registry import tools_for
from whence.model.errors import WhenceError

LOG = logging.getLogger("whence.mcp")
INSTRUCTIONS = (
    "A whence workspace: datasets that know where every value came from and how far to trust it. Rows are counted from "
    "0; a question mark behind a value means that it is in doubt. Check numbers with verify_claim before stating them."
)

Result = TypeVar("Result")


def build_server(context: ToolContext) -> Server[Any]:
    """Return a server that answers about one workspace."""
    title = f"whence: {context.workspace.path.name}"
    return make_server(WorkspaceHandlers(context), instructions=INSTRUCTIONS, title=title, version=_version())


class WorkspaceHandlers:
    """Answers requests about one workspace. Questions run in threads, so that none waits for another."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._tools = tools_for(context)

    async def list_tools(self, *, cursor: str | None = None) -> types.ListToolsResult:
        """Return the tools."""
        return types.ListToolsResult(tools=[describe_tool(each) for each in self._tools.values()])

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None) -> types.CallToolResult:
        """Answer a question. If the agent gives up, stop what the question runs in Spark."""
        question = TimedQuestion(self._context.workspace.context.engine.process)
        try:
            answer = partial(_answer, self._context, self._tools, name, arguments or {}, question=question)
            return await run_sync(answer, abandon_on_cancel=True)
        except get_cancelled_exc_class():
            question.stop()
            raise

    async def list_resources(self, *, cursor: str | None = None) -> types.ListResourcesResult:
        """Return one page of the datasets and notebooks."""
        return await _run(partial(resources.list_resources, self._context, cursor))

    async def list_resource_templates(
        self,
        *,
        cursor: str | None = None,
    ) -> types.ListResourceTemplatesResult:
        """Return the forms of their addresses."""
        return resources.list_templates()

    async def read_resource(self, uri: str) -> types.ReadResourceResult:
        """Return a dataset or a notebook as text."""
        return await _run(partial(resources.read_resource, self._context, uri))

    async def list_prompts(self, *, cursor: str | None = None) -> types.ListPromptsResult:
        """Return the prompts."""
        return prompts.list_prompts()

    async def get_prompt(self, name: str, arguments: dict[str, str] | None = None) -> types.GetPromptResult:
        """Return a prompt, filled in."""
        return await _run(partial(prompts.get_prompt, name, arguments or {}))


def describe_tool(tool: Tool[Any]) -> types.Tool:
    """Return a tool as agents see it."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.arguments.model_json_schema(),
        output_schema=None if tool.output is None else tool.output.model_json_schema(),
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.changes, destructive_hint=False, open_world_hint=False
        ),
    )


def _answer(
    context: ToolContext,
    tools: Mapping[str, Tool[Any]],
    name: str,
    given: Mapping[str, object],
    question: TimedQuestion,
) -> types.CallToolResult:
    """Answer a question. What goes wrong is an answer, too: one sentence that says what to do."""
    if name not in tools:
        return _problem(f"There is no tool {name}. There are: {', '.join(tools)}.")
    try:
        with question.running():
            answer = tools[name].answer(context, given)
            text, content = answer.text, answer.content
    except WhenceError as error:
        return _problem(str(error))
    except Exception:  # an agent must not see a stack trace, and the person who runs the server must
        LOG.exception("The tool %s failed.", name)
        return _problem(f"{name} failed because of a mistake in whence; its log has the details.")
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=content)


def _problem(sentence: str) -> types.CallToolResult:
    text = clip(sentence, LONGEST)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


async def _run(question: Callable[[], Result]) -> Result:
    """Run a question in a thread. An error of whence is an error of the protocol with its sentence."""
    try:
        return await run_sync(question)
    except WhenceError as error:
        raise MCPError(types.INVALID_PARAMS, str(error)) from error


def _version() -> str:
    try:
        return version("whence-data")
    except PackageNotFoundError:  # the sources are on the path, and nothing is installed
        return ""
