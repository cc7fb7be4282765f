"""What the command line does with a workspace that a server may have open: it asks the server, or opens it itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from whence.cli.server_port import SERVER_PORT
from whence.client.client import Client
from whence.client.running import RunningServer, find_server
from whence.model.errors import UserError
from whence.wire.notebooks import ShareView
from whence.workspace.notebook import Notebook
from whence.workspace.open import open as open_workspace
from whence.workspace.share import Share

Found = TypeVar("Found")


def running(path: Path) -> RunningServer:
    """The server that has a workspace open."""
    found = find_server(path)
    if found is None:
        raise UserError(f"No server runs for {path}.", f"Start one: whence serve {path}")
    return found


def make_link(path: Path, notebook: str, version: int | None, days: float | None) -> tuple[ShareView, bool]:
    """A share link, and whether a server answers to it now."""

    def here(opened: Notebook) -> ShareView:
        share = opened.share(version, days=days)
        return _view(share, f"http://127.0.0.1:{SERVER_PORT}{share.path}")

    return _either(path, notebook, lambda client: client.make_share(notebook, version=version, days=days), here)


def links(path: Path, notebook: str) -> list[ShareView]:
    """The links to a notebook that still open."""
    found, _ = _either(
        path,
        notebook,
        lambda client: client.list_shares(notebook),
        lambda opened: [_view(share) for share in opened.shares()],
    )
    return found


def revoke_link(path: Path, notebook: str, id: str) -> None:
    """Let a link open nothing from now on."""

    def there(client: Client) -> None:
        client.revoke_share(notebook, id)

    def here(opened: Notebook) -> None:
        found = next((share for share in opened.shares() if share.id == id), None)
        if found is None:
            raise UserError(f"There is no link {id} to {notebook}.", "See them: whence shares.")
        found.revoke()

    _either(path, notebook, there, here)


def end_browser_sessions(path: Path) -> None:
    """Sign out every browser, by the server that has the workspace open or without one."""
    if (server := find_server(path)) is not None:
        Client(server.address, server.token).end_sessions(all=True)
        return
    if not path.exists():
        raise UserError(f"There is no workspace at {path}.")
    with open_workspace(path) as workspace:
        workspace.browser_sessions.clear()


def _either(
    path: Path, notebook: str, there: Callable[[Client], Found], here: Callable[[Notebook], Found]
) -> tuple[Found, bool]:
    """By the server that has the workspace open, or in a workspace that nobody has open."""
    server = find_server(path)
    if server is not None:
        return there(Client(server.address, server.token)), True
    if not path.exists():
        raise UserError(f"There is no workspace at {path}.")
    with open_workspace(path) as workspace:
        if notebook.strip().lower() not in {name.lower() for name in workspace.notebooks()}:
            raise UserError(f"{path} has no notebook {notebook}.", f"It has: {', '.join(workspace.notebooks())}.")
        return here(workspace.notebook(notebook)), False


def _view(share: Share, link: str | None = None) -> ShareView:
    return ShareView(id=share.id, version=share.version, created=share.created, expires=share.expires, link=link)
