"""The generated client against a real server: every call is there, answers are typed, errors are in words."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import whence
from tests.server.live import live
from whence.client import ApiError, Client, NoAnswer
from whence.client.running import announced, find_server
from whence.model.errors import UserError
from whence.server.openapi import schema
from whence.wire.datasets import Page
from whence.wire.notebooks import NotebookView


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with whence.open(tmp_path_factory.mktemp("client") / "w.whence") as ws, live(ws) as client:
        ws.create("odd/name ?", [("bolt", 10), ("nut", 4)], schema="part string, price int")
        client.make_notebook(name="tour")
        yield client


def test_every_operation_of_the_contract_is_a_method() -> None:
    paths: Any = schema()["paths"]
    operations = {operation["operationId"]: operation for path in paths.values() for operation in path.values()}
    for name, operation in operations.items():
        parameters = inspect.signature(getattr(Client, name)).parameters.values()
        query = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"}
        named = {each.name for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY}
        assert query <= named, name


def test_answers_are_what_the_types_say(client: Client) -> None:
    page = client.read_page("odd/name ?", limit=1)
    assert isinstance(page, Page)
    assert (page.count, page.rows, page.columns[1].name) == (2, [["bolt", 10]], "price")
    view = client.read_notebook("tour")
    assert isinstance(view, NotebookView)
    assert (view.mode, view.cells, view.is_read_only) == ("auto", [], False)
    assert client.find_doubt("odd/name ?") is None
    assert client.upload(b"a\n1\n", name="x.csv").bytes == 4
    assert {kind.name for kind in client.list_kinds()} >= {"sql", "load", "sheet"}


def test_an_edit_sent_twice_takes_effect_once_and_a_conflict_has_both_texts(client: Client) -> None:
    client.make_notebook(name="edits")
    client.set_mode("edits", mode="lazy")
    first, again = (
        client.add_cell("edits", kind="markdown", values={"source": "old"}, command_id="c1") for _ in range(2)
    )
    assert first.cell is not None
    assert again.version == first.version == 1
    client.change_cell("edits", first.cell.id, values={"source": "mine"}, base_version=1)
    with pytest.raises(ApiError) as refused:
        client.change_cell("edits", first.cell.id, values={"source": "theirs"}, base_version=1)
    assert (refused.value.status, refused.value.kind) == (409, "EditConflict")
    assert refused.value.conflict == {"cell": "c1", "mine": "theirs", "theirs": "mine", "side_version": 3}
    client.make_branch("edits", name="try", at=1)
    assert client.check_out("edits", branch="try").branch == "try"


def test_a_frame_is_text(client: Client) -> None:
    client.make_notebook(name="framed")
    client.add_cell("framed", kind="markdown", values={"source": "# Hello"})
    (cell,) = client.wait("framed").cells
    assert "<h1>Hello</h1>" in client.read_frame("framed", cell.id, output=0)


def test_what_is_refused_is_said_in_the_words_of_the_server(client: Client) -> None:
    with pytest.raises(ApiError, match="There is no notebook nope") as refused:
        client.read_notebook("nope")
    assert (refused.value.status, refused.value.kind) == (404, "UnknownNotebook")
    with pytest.raises(ApiError, match="This needs a session or token"):
        Client(client.address, "wrong").list_datasets()
    with pytest.raises(NoAnswer, match="does not answer"):
        Client("http://127.0.0.1:9", "t").read_health()
    for link in ("http://127.0.0.1:8321/login", "nonsense"):
        with pytest.raises(UserError, match="no link to a server"):
            Client.from_link(link)


def test_a_share_link_is_a_credential_of_the_client(client: Client) -> None:
    link = client.make_share("tour", days=1).link
    assert link is not None
    viewer = Client.from_link(link)
    assert viewer.read_notebook("tour").is_read_only
    with pytest.raises(ApiError, match="nothing else"):
        viewer.add_cell("tour", kind="markdown")


def test_events_go_on_where_they_were_cut(client: Client) -> None:
    client.make_notebook(name="told")
    client.set_mode("told", mode="lazy")
    events = client.events()
    hello: dict[str, Any] = next(events)
    assert hello["kind"] == "hello"
    events.close()
    for number in range(3):
        client.add_cell("told", kind="markdown", values={"source": str(number)})
    epoch, since = hello["data"]["epoch"], hello["sequence"]
    resumed = client.events(epoch=epoch, since=since)
    assert next(resumed)["sequence"] == since
    missed = [next(resumed) for _ in range(3)]
    assert [event["sequence"] for event in missed] == [since + 1, since + 2, since + 3]
    resumed.close()


def test_the_server_of_a_workspace_is_found(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    workspace = tmp_path / "w.whence"
    with pytest.raises(UserError, match="No server runs for"):
        Client.attach(workspace)
    with announced(workspace, client.address, client.token) as server:
        assert Client.attach(workspace).list_notebooks() == client.list_notebooks()
        assert server.link == f"{client.address}/login?token={client.token}"
        (note,) = (tmp_path / "whence").iterdir()
        assert (note.stat().st_mode & 0o777, note.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert find_server(workspace) is None
    with announced(workspace, client.address, "a token of yesterday"):
        assert find_server(workspace) is None, "a note that a killed server left does not count"
