"""`whence open` and the share commands, beside a running server and without one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import whence
from tests.server.live import live
from whence.cli.main import app
from whence.client import Client
from whence.client.running import announced


@pytest.fixture(autouse=True)
def _own_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    with whence.open(tmp_path / "w.whence") as ws:
        ws.notebook("tour").append("markdown", source="# Prices")
        ws.notebook("tour").wait()
    return tmp_path / "w.whence"


@pytest.fixture
def served(workspace: Path) -> Iterator[Client]:
    with (
        whence.open(workspace) as ws,
        live(ws) as client,
        announced(workspace, client.address, client.token),
    ):
        yield client


def run(*arguments: object) -> str:
    done = CliRunner().invoke(app, [str(each) for each in arguments])
    assert done.exit_code == 0, done.output
    return done.output


def failed(*arguments: object) -> str:
    done = CliRunner().invoke(app, [str(each) for each in arguments])
    assert done.exit_code == 1
    return done.output


def test_open_prints_the_link_of_the_running_server(workspace: Path, served: Client) -> None:
    link = run("open", workspace, "--no-browser").strip()
    assert Client.from_link(link).list_notebooks() == ["tour"]
    assert "is served already" in failed("serve", workspace)


def test_open_says_so_if_none_runs(workspace: Path) -> None:
    assert f"No server runs for {workspace}. Start one: whence serve {workspace}" in failed("open", workspace)


def test_a_file_is_no_workspace_and_the_way_to_load_it_is_named(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("a\n1\n")
    assert f"is a file, not a workspace folder. Load it: whence load my.whence {file}" in failed("open", file)
    assert "is a file, not a workspace folder. Open a folder and load it." in failed("serve", file)


def test_links_are_made_by_the_server_that_has_the_workspace_open(workspace: Path, served: Client) -> None:
    shown = run("share", workspace, "tour", "--days", 2)
    assert Client.from_link(shown.splitlines()[0]).read_notebook("tour").is_read_only
    (id,) = re.findall(r"^(\w+): version 1", run("shares", workspace, "tour"), re.MULTILINE)
    assert f"whence unshare {workspace} 'tour' {id}" in shown
    run("unshare", workspace, "tour", id)
    assert run("shares", workspace, "tour") == ""
    assert "There is no link" in failed("unshare", workspace, "tour", id)


def test_links_are_made_without_a_server_too(workspace: Path) -> None:
    shown = run("share", workspace, "tour", "--days", 0)
    assert "without end" in shown
    assert f"whence serve {workspace}" in shown
    token = shown.splitlines()[0].partition("token=")[2]
    with whence.open(workspace) as ws:
        assert ws.shared(token) is not None
    assert "has no notebook nope" in failed("share", workspace, "nope")
    assert "There is no workspace at" in failed("share", workspace.parent / "nope", "tour")
    (id,) = re.findall(r"^(\w+): version 1, .* ends never", run("shares", workspace, "tour"), re.MULTILINE)
    run("unshare", workspace, "tour", id)
    assert "There is no link" in failed("unshare", workspace, "tour", id)
