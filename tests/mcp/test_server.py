"""What agents see of the server itself: tools, errors, resources and prompts."""

from __future__ import annotations

import time

import anyio
import pytest
from mcp import Client, MCPError, types

import whence
from tests.mcp.conversation import Conversation, talk_about
from whence.mcp import tool as tools
from whence.mcp.context import ToolContext
from whence.mcp.protocol import build_server
from whence.mcp.tools.registry import TOOLS, tools_for

CHANGING = {"edit_notebook", "run_notebook"}


def listed(conversation: Conversation) -> dict[str, types.Tool]:
    return {tool.name: tool for tool in conversation.do(lambda client: client.list_tools()).tools}


def test_tools_that_change_things_are_not_listed_to_agents_that_may_only_ask(ws: whence.Workspace) -> None:
    everything, reading = listed(talk_about(ws)), listed(talk_about(ws, is_read_only=True))
    assert everything.keys() - reading.keys() == CHANGING
    assert "name" in everything["run_sql"].input_schema["properties"]
    assert "name" not in reading["run_sql"].input_schema["properties"]
    assert all(tool.annotations is not None and tool.annotations.read_only_hint for tool in reading.values())
    ws.create("t", [(1,)], schema="x int")
    asker = talk_about(ws, is_read_only=True)
    assert "name: Extra inputs are not permitted" in asker.refused("run_sql", query="select x from t", name="kept")
    assert "There is no tool edit_notebook." in asker.refused("edit_notebook", notebook="n", action="create")
    assert asker.ask("run_sql", query="select x from t").endswith("0 | 1")


def test_every_tool_and_argument_is_described(ws: whence.Workspace) -> None:
    for name, tool in listed(talk_about(ws)).items():
        assert tool.description, name
        for argument, schema in tool.input_schema.get("properties", {}).items():
            assert schema.get("description"), f"{name} {argument}"


def test_errors_are_one_sentence_with_what_to_do(ws: whence.Workspace) -> None:
    ws.create("t", [(1,)], schema="x int")
    conversation = talk_about(ws)
    refusals = [
        conversation.refused("nothing"),
        conversation.refused("read_rows", dataset="u"),
        conversation.refused("read_rows", dataset="t", where="y = 1"),
        conversation.refused("read_rows", dataset="t", where="{"),
        conversation.refused("describe_dataset", dataset="t", column="y"),
        conversation.refused("where_from", dataset="t", row=5),
        conversation.refused("where_from", dataset="t"),
        conversation.refused("where_from", dataset="t", row=0, column="y"),
        conversation.refused("can_i_trust", dataset="t", where="x = 9"),
        conversation.refused("run_sql", query="drop table t"),
        conversation.refused("run_sql", query="select y from t"),
        conversation.refused("verify_claim", dataset="t", where="x = 1", column="x"),
        conversation.refused("what_if", dataset="t", source="t"),
        conversation.refused("why_odd", dataset="t", column="x"),
        conversation.refused("read_notebook", notebook="n"),
        conversation.refused("edit_notebook", notebook="n", action="add", kind="sql", values={}),
    ]
    for sentence in refusals:
        assert "\n" not in sentence
        assert "Traceback" not in sentence
        assert len(sentence) < 500
    assert refusals[1] == "There is no dataset named u. There are: t."


def test_a_mistake_of_ours_is_told_without_a_stack_trace(
    ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_tool: object, _context: ToolContext, _given: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(tools.Tool, "answer", fail)
    assert talk_about(ws).refused("list_datasets") == (
        "list_datasets failed because of a mistake in whence; its log has the details."
    )
    assert "secret" in caplog.text


BUSY = "select count(*) as n from range(20000000000) where sqrt(id) * sqrt(id + 1) < 3"
"""Spark is busy with it for minutes on any machine."""


def test_a_question_stops_when_the_agent_gives_up(ws: whence.Workspace) -> None:
    async def give_up() -> None:
        async with (
            Client(build_server(ToolContext.alone(ws)), mode="legacy") as client,
            anyio.create_task_group() as group,
        ):
            group.start_soon(client.call_tool, "run_sql", {"query": BUSY})
            while not active_jobs(ws):
                await anyio.sleep(0.05)
            group.cancel_scope.cancel()

    anyio.run(give_up)
    wait_until_idle(ws)


def wait_until_idle(ws: whence.Workspace) -> None:
    while active_jobs(ws):  # if this never ends, the time limit of tests says so
        time.sleep(0.05)


def active_jobs(ws: whence.Workspace) -> int:
    return len(ws.spark.sparkContext.statusTracker().getActiveJobsIds())


def test_datasets_and_notebooks_are_resources(ws: whence.Workspace) -> None:
    ws.create("odd/name ?", [("bolt", 10)], schema="part string, price int")
    ws.notebook("tour").append("markdown", source="# Prices")
    ws.notebook("tour").wait()
    conversation = talk_about(ws)

    def read(uri: str) -> str:
        (content,) = conversation.do(lambda client: client.read_resource(uri)).contents
        assert isinstance(content, types.TextResourceContents)
        return content.text

    addresses = [each.uri for each in conversation.do(lambda client: client.list_resources()).resources]
    assert addresses == ["whence://dataset/odd%2Fname%20%3F", "whence://notebook/tour"]
    assert read(addresses[0]).endswith("row | part | price\n0 | bolt | 10")
    assert read(addresses[1]) == ws.notebook("tour").text
    templates = conversation.do(lambda client: client.list_resource_templates()).resource_templates
    assert [each.uri_template for each in templates] == ["whence://dataset/{name}", "whence://notebook/{name}"]
    for wrong in ("whence://dataset/nothing", "file:///etc/passwd"):
        with pytest.raises(MCPError, match=r"There is no dataset named nothing|leads to nothing"):
            read(wrong)


def test_long_lists_of_resources_have_pages(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whence.mcp.resources.PAGE", 2)
    for name in "abc":
        ws.create(name, [(1,)], schema="x int")
    first = talk_about(ws).do(lambda client: client.list_resources())
    second = talk_about(ws).do(lambda client: client.list_resources(cursor=first.next_cursor))
    assert [[each.name for each in page.resources] for page in (first, second)] == [["a", "b"], ["c"]]
    assert second.next_cursor is None


def test_prompts_name_tools_that_exist_and_ask_for_what_they_need(ws: whence.Workspace) -> None:
    conversation = talk_about(ws)
    prompts = conversation.do(lambda client: client.list_prompts()).prompts
    assert [each.title for each in prompts] == ["Check this number", "Explain this outlier", "Review this notebook"]
    for prompt in prompts:
        given = {each.name: f"<{each.name}>" for each in prompt.arguments or ()}
        (message,) = conversation.do(lambda client, p=prompt, g=given: client.get_prompt(p.name, g)).messages  # type: ignore[misc]
        text = message.content.text
        assert all(value in text for value in given.values())
        assert any(tool.name in text for tool in TOOLS)
    with pytest.raises(MCPError, match=r"Review this notebook needs notebook\."):
        conversation.do(lambda client: client.get_prompt("review_this_notebook", {}))


def test_every_tool_has_one_name(ws: whence.Workspace) -> None:
    assert len(tools_for(ToolContext.alone(ws))) == len(TOOLS) - 1  # run_sql is there twice
