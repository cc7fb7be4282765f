"""`whence mcp` as agents start it: a process that speaks the protocol on its standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import anyio
import pytest
from mcp import Client, StdioServerParameters
from typer.testing import CliRunner

import whence
from tests.confinement import UNCONFINED
from tests.mcp.conversation import content_of, text_of
from tests.server.live import live
from whence.cli.main import app
from whence.client.running import announced
from whence.mcp.http import extend_server

ROOT = Path(__file__).parent.parent.parent
Result = TypeVar("Result")


@pytest.fixture
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    return tmp_path / "run"


@pytest.fixture
def path(ws: whence.Workspace, tmp_path: Path) -> Path:
    """A workspace with a query that was made in this process, closed again."""
    assert ws.spark is not None
    with whence.open(tmp_path / "parts.whence") as workspace:
        workspace.create("parts", [("bolt", 10), ("nut", 4)], schema="part string, price int")
        workspace.sql("select max(price) as top from parts", name="top")
    return tmp_path / "parts.whence"


def talk(run_folder: Path, question: Callable[[Client], Awaitable[Result]], *arguments: str) -> Result:
    """Ask a process of its own."""
    environment = {"XDG_RUNTIME_DIR": str(run_folder), "PYTHONPATH": str(ROOT / "src"), "WHENCE_WARM_UP": "off"}
    command = ["-m", "whence", "mcp", *arguments]
    server = StdioServerParameters(command=sys.executable, args=command, env=environment, cwd=ROOT)

    async def conversation() -> Result:
        async with Client(server, mode="legacy") as client:
            return await question(client)

    return anyio.run(conversation)


def folders(path: Path) -> set[str]:
    """The datasets that have rows on disk."""
    return {each.name for each in (path / "datasets").iterdir()}


@pytest.mark.spark
def test_a_process_answers_and_guards_queries_as_sql_cells(path: Path, run_folder: Path) -> None:
    async def question(client: Client) -> list[str]:
        claim = {"dataset": "top", "where": "true", "column": "top", "value": 10}
        first = await client.call_tool("where_from", {"dataset": "top", "row": 0, "column": "top"})
        checked = content_of(await client.call_tool("verify_claim", claim | {"where": {"top": 10}}))
        queries = ["select count(*) as n from parts", "select * from csv.`/etc/passwd`", "select reflect('a', 'b')"]
        asked = [await client.call_tool("run_sql", {"query": query}) for query in queries]
        condition = await client.call_tool("read_rows", {"dataset": "parts", "where": "reflect('a', 'b') = 'c'"})
        assert [each.is_error for each in (first, *asked, condition)] == [False, False, True, True, True]
        return [text_of(first), str(checked["verdict"]), *map(text_of, asked), text_of(condition)]

    kept = folders(path)
    traced, verdict, counted, file, call, condition = talk(run_folder, question, str(path), *UNCONFINED)
    assert "parts@1 (created): 2 rows (0, 1) behind it" in traced
    assert verdict == "confirmed"
    assert counted.endswith("row | n\n0 | 2")
    assert file.startswith("There is no dataset csv./etc/passwd")
    assert "reflect" in call
    assert "reflect" in condition
    assert folders(path) == kept, "results without a name are gone"


def test_a_process_asks_the_server_that_has_the_workspace_open(
    ws: whence.Workspace, tmp_path: Path, run_folder: Path
) -> None:
    ws.create("parts", [("bolt", 10)], schema="part string, price int")

    async def question(client: Client) -> tuple[set[str], str, str, list[str]]:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        claim = {"dataset": "parts", "where": {"part": "bolt"}, "column": "price", "value": 10}
        link = content_of(await client.call_tool("verify_claim", claim))["link"]
        wrong = await client.call_tool("describe_dataset", {"dataset": "nothing"})
        prompts = [each.name for each in (await client.list_prompts()).prompts]
        (content,) = (await client.read_resource((await client.list_resources()).resources[0].uri)).contents
        assert getattr(content, "text", "").endswith("0 | bolt | 10")
        return tools, str(link), text_of(wrong), prompts

    with live(ws, extensions=[extend_server]) as client, announced(ws.path, client.address, client.token):
        tools, link, wrong, prompts = talk(run_folder, question, str(ws.path), "--read-only")
    assert "verify_claim" in tools
    assert "edit_notebook" not in tools
    assert link == f"{client.address}/?dataset=parts&row=0&column=price"
    assert wrong == "There is no dataset named nothing. There are: parts."
    assert "check_this_number" in prompts


def refused(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["mcp", *map(str, arguments)])
    assert (done.exit_code, done.stdout) == (1, "")
    return done.stderr


@pytest.mark.usefixtures("run_folder")
def test_what_cannot_be_served_is_said_in_one_sentence(
    ws: whence.Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "nothing.whence"
    assert refused(missing) == f"whence: There is no workspace at {missing}. Make one: whence load, or whence demo.\n"
    with live(ws) as client, announced(ws.path, client.address, client.token):
        assert refused(ws.path) == (
            f"whence: The server of {ws.path} does not speak the Model Context Protocol. "
            "Install its extra and start it again: pip install 'whence-data[mcp]'\n"
        )
    monkeypatch.setattr("whence.mcp.installed.find_spec", lambda _: None)
    assert refused(ws.path) == (
        "whence: `whence mcp` needs the package mcp. Install it: pip install 'whence-data[mcp]'\n"
    )
