"""The protocol at `/mcp` of a server: the server's own credentials open it, and its page hears of edits."""

from __future__ import annotations

import time
from collections.abc import Iterator

import anyio
import httpx2
import pytest
from mcp import Client as McpClient
from mcp import types
from mcp.client.streamable_http import streamable_http_client

import whence
from tests.mcp.conversation import content_of, text_of
from tests.mcp.test_server import BUSY, active_jobs
from tests.server.live import live
from whence.client import ApiError, Client
from whence.derive.derivation import begin_run
from whence.mcp.http import extend_server
from whence.mcp.unnamed_results import KEPT, UnnamedResults
from whence.server.events import Events


@pytest.fixture
def client(ws: whence.Workspace) -> Iterator[Client]:
    ws.create("parts", [("bolt", 10), ("nut", 4)], schema="part string, price int")
    ws.sql("select max(price) as top from parts", name="top")
    with live(ws, extensions=[extend_server]) as client:
        yield client


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_query_ends_when_the_agent_that_asked_for_it_disconnects(
    ws: whence.Workspace, client: Client, mode: str
) -> None:
    async def disconnect() -> None:
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {client.token}"}) as http:
            transport = streamable_http_client(client.address + "/mcp", http_client=http)
            async with McpClient(transport, mode=mode) as agent, anyio.create_task_group() as group:
                group.start_soon(agent.call_tool, "run_sql", {"query": BUSY})
                while not active_jobs(ws):
                    await anyio.sleep(0.05)
                group.cancel_scope.cancel()

    anyio.run(disconnect)
    until = time.monotonic() + 60  # without the disconnect it would run for two minutes
    while active_jobs(ws):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_query_ends_when_the_agent_cancels_it_and_stays_connected(ws: whence.Workspace, client: Client) -> None:
    async def cancel() -> str:
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {client.token}"}) as http:
            transport = streamable_http_client(client.address + "/mcp", http_client=http)
            async with McpClient(transport, mode="legacy") as agent:
                async with anyio.create_task_group() as group:
                    group.start_soon(agent.call_tool, "run_sql", {"query": BUSY})
                    while not active_jobs(ws):
                        await anyio.sleep(0.05)
                    group.cancel_scope.cancel()
                with anyio.fail_after(60):  # without the cancelling it would run for two minutes
                    while active_jobs(ws):
                        await anyio.sleep(0.05)
                return text_of(await agent.call_tool("run_sql", {"query": "select 41 + 1 as n"}))

    assert "42" in anyio.run(cancel)


def ask(client: Client, path: str, tool: str, mode: str = "legacy", **arguments: object) -> types.CallToolResult:
    """Ask over HTTP, with the token of the client."""

    async def talk() -> types.CallToolResult:
        headers = {"Authorization": f"Bearer {client.token}"}
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(client.address + path, http_client=http)
            async with McpClient(transport, mode=mode) as agent:
                return await agent.call_tool(tool, arguments)

    return anyio.run(talk)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_an_agent_with_the_token_gets_the_answers_of_the_api(client: Client, mode: str) -> None:
    claim = {"dataset": "top", "where": "true", "column": "top", "value": 10}
    answer = content_of(ask(client, "/mcp", "verify_claim", mode, **claim))
    report = client.read_cell("top", row=0, column="top")
    assert (answer["verdict"], answer["value"]) == ("confirmed", str(report.value))
    assert answer["link"] == f"{client.address}/?dataset=top&row=0&column=top"
    assert client.call("GET", answer["link"].removeprefix(client.address), answer=str)
    traced = text_of(ask(client, "/mcp", "where_from", mode, dataset="top", row=0, column="top"))
    (step,) = report.steps
    assert f"parts@1 (created): {step.rows.count} rows" in traced


@pytest.mark.parametrize("path", ["/mcp", "/mcp/read-only"])
def test_without_the_right_token_nothing_is_answered(ws: whence.Workspace, client: Client, path: str) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    share = ws.notebook("tour").share().token or ""
    for token, status in (("wrong", 401), (share, 403)):
        with pytest.raises(ApiError) as refused:
            Client(client.address, token).call("POST", path, body=asked, answer=dict)
        assert refused.value.status == status
        with pytest.raises(ApiError) as refused:
            Client(client.address, token).call("GET", path, answer=dict)
        assert refused.value.status == status


def test_the_path_for_reading_has_no_tool_that_changes_anything(ws: whence.Workspace, client: Client) -> None:
    edit = {"notebook": "n", "action": "create"}
    assert ask(client, "/mcp/read-only", "edit_notebook", **edit).is_error
    assert ws.notebooks() == []
    assert not ask(client, "/mcp", "edit_notebook", **edit).is_error
    assert ws.notebooks() == ["n"]


def test_the_page_hears_of_edits_of_agents(ws: whence.Workspace) -> None:
    events = Events()
    with live(ws, events, extensions=[extend_server]) as client:
        client.make_notebook(name="n")
        before = events.last
        values = {"source": "# Hello"}
        ask(client, "/mcp", "edit_notebook", notebook="n", action="add", kind="markdown", values=values, base_version=0)
        assert events.last > before
        assert client.read_notebook("n").cells[0].values == values


def test_results_without_a_name_go_when_the_server_ends_and_no_other_scratch_does(ws: whence.Workspace) -> None:
    ws.create("bits", [(0,), (1,)], schema="bit int")
    store = ws.context.store
    drawn = ws["bits"].chart({"aes": {"x": "bit"}}, keep=False).marks
    with live(ws, extensions=[extend_server]) as client:
        before = folders(ws)
        for path in ("/mcp", "/mcp/read-only"):
            unnamed = text_of(ask(client, path, "run_sql", query=f"select sum(bit) as s, '{path}' as p from bits"))
            assert unnamed.startswith("sql_answer@")
            traced = ask(client, path, "where_from", dataset=unnamed.partition(":")[0], row=0, column="s")
            assert "2 rows (0, 1) behind it" in text_of(traced)
        ask(client, "/mcp", "run_sql", query="select avg(bit) as a from bits", name="kept")
        assert len(folders(ws) - before) == 3
    assert folders(ws) - before == {ws["kept"].record.id}
    assert store.by_id(drawn.record.id).rows == 2


def folders(ws: whence.Workspace) -> set[str]:
    """The datasets that have rows on disk."""
    return {each.name for each in ws.context.store.layout.datasets.iterdir()}


def test_a_result_without_a_name_goes_an_hour_after_the_last_query_that_gave_it(ws: whence.Workspace) -> None:
    ws.create("ones", [(1,), (1,)], schema="one int")
    results = UnnamedResults()
    made = [ws.scratch_sql(f"select sum(one) + {n} as s from ones") for n in range(2)]
    for each in made:
        results.add(each.record.id)
    results.drop(ws.context.store)
    assert {each.record.id for each in made} <= folders(ws)
    results._given[made[0].record.id] -= KEPT
    with ws.context.store.making_scratch(), begin_run(ws.context.store, "sql", "busy") as run:
        results.drop(ws.context.store)  # a run is in progress, which may be about to read it
        assert made[0].record.id in folders(ws)
        ws.context.store.abandon(run, "only for the test")
    results.drop(ws.context.store)
    assert {each.record.id for each in made} & folders(ws) == {made[1].record.id}
