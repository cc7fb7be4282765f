"""Commands that serve a workspace: the demo, the server, its page, and signing out."""

from __future__ import annotations

import webbrowser
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import whence
from whence.cli.commands.arguments import (
    Master,
    NoBrowser,
    OpenLineage,
    Port,
    ServedPath,
    SparkSettings,
    Storage,
    Unconfined,
    WorkspacePath,
)
from whence.cli.server_port import SERVER_PORT
from whence.cli.spark_profile import spark_profile, spark_settings
from whence.cli.terminal import say_stopped, sentence_on_error
from whence.model.errors import UserError
from whence.model.lazy_module import LazyModule

if TYPE_CHECKING:
    import whence.cli.attach as attach
    import whence.client.recent_workspaces as recent
    import whence.client.running as running_servers
    import whence.mcp.http as agents
    import whence.mcp.installed as installed
    import whence.server.run as server
    import whence.workspace.tour.tour as tours
    import whence.workspace.warm_up as warming
    from whence.server.extension import MakeExtension
else:
    attach = LazyModule("whence.cli.attach")
    recent = LazyModule("whence.client.recent_workspaces")
    running_servers = LazyModule("whence.client.running")
    agents = LazyModule("whence.mcp.http")
    installed = LazyModule("whence.mcp.installed")
    server = LazyModule("whence.server.run")
    tours = LazyModule("whence.workspace.tour.tour")
    warming = LazyModule("whence.workspace.warm_up")

app = typer.Typer()


@app.command()
@sentence_on_error
def demo(
    path: WorkspacePath = Path("demo.whence"),
    port: Port = SERVER_PORT,
    no_browser: NoBrowser = False,
    unconfined: Unconfined = False,
) -> None:
    """Open the tour on sample data in the browser."""
    _check_not_served(path)
    profile = spark_profile(unconfined=unconfined)
    # The port first: if it is taken, the command fails before it opens the workspace.
    with closing(server.listen(port)) as listener, whence.open(path, profile=profile) as workspace:
        if tours.has_tour(workspace):
            warming.start_warm_up(workspace, profile)
        else:  # its cells start Spark, and run while the page is there already
            tours.add_tour(workspace).run()
        server.serve(workspace, open_browser=not no_browser, listener=listener, extensions=_extensions())
    say_stopped()


@app.command()
@sentence_on_error
def serve(
    path: WorkspacePath,
    port: Port = SERVER_PORT,
    no_browser: NoBrowser = False,
    openlineage: OpenLineage = None,
    unconfined: Unconfined = False,
    master: Master = "local[*]",
    storage: Storage = None,
    setting: SparkSettings = None,
) -> None:
    """Serve a workspace to this machine's browser."""
    _check_not_served(path)
    profile, settings = spark_profile(unconfined=unconfined, master=master), spark_settings(setting or [])
    with (
        closing(server.listen(port)) as listener,
        whence.open(
            path, master, storage=storage, settings=settings, profile=profile, openlineage=openlineage
        ) as workspace,
    ):
        warming.start_warm_up(workspace, profile)
        server.serve(workspace, open_browser=not no_browser, listener=listener, extensions=_extensions())
    say_stopped()


def _extensions() -> list[MakeExtension]:
    """Return what the server serves beside its page: tools for agents, if their package is installed."""
    return [agents.extend_server] if installed.is_mcp_installed() else []


def _check_not_served(path: Path) -> None:
    if (other := running_servers.find_server(path)) is not None:
        raise UserError(f"{path} is served already, by process {other.pid}.", f"See its page: whence open {path}")


@app.command("open")
@sentence_on_error
def open_page(path: ServedPath, no_browser: NoBrowser = False) -> None:
    """Open the page of the server that has a workspace open, and print its link."""
    link = attach.running(path).link
    recent.remember_workspace(path)
    print(link)
    if not no_browser:
        webbrowser.open(link)


@app.command("sign-out")
@sentence_on_error
def sign_out(path: ServedPath) -> None:
    """Sign out every browser that was signed in to a server of the workspace; the printed link signs in again."""
    attach.end_browser_sessions(path)
    print("Every browser is signed out.")
