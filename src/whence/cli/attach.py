"""Commands on a workspace that a server may have open: they ask the server, or open the workspace themselves."""

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
    """Return the server that has a workspace open. Raise if there is none."""
    if path.is_file():
        raise UserError(f"{path} is a file, not a workspace folder.", f"Load it: whence load my.whence {path}")
    found = find_server(path)
    if found is None:
        raise UserError(f"No server runs for {path}.", f"Start one: whence serve {path}")
    return found


def make_link(path: Path, notebook: str, version: int | None, days: float | None) -> tuple[ShareView, bool]:
    """Make a share link. Also return whether a server of the workspace runs now."""

    def here(opened: Notebook) -> ShareView:
        share = opened.share(version, days=days)
        # No server runs, so the link has the port that one takes by default.
        return _view(share, f"http://127.0.0.1:{SERVER_PORT}{share.path}")

    return _either(path, notebook, lambda client: client.make_share(notebook, version=version, days=days), here)


def links(path: Path, notebook: str) -> list[ShareView]:
    """Return the share links to a notebook that are still valid."""
    found, _ = _either(
        path,
        notebook,
        lambda client: client.list_shares(notebook),
        lambda opened: [_view(share) for share in opened.shares()],
    )
    return found


def revoke_link(path: Path, notebook: str, id: str) -> None:
    """Revoke a share link."""

    def there(client: Client) -> None:
        client.revoke_share(notebook, id)

    def here(opened: Notebook) -> None:
        found = next((share for share in opened.shares() if share.id == id), None)
        if found is None:
            raise UserError(f"There is no link {id} to {notebook}.", "See them: whence shares.")
        found.revoke()

    _either(path, notebook, there, here)


def end_browser_sessions(path: Path) -> None:
    """Sign out every browser, through the server that has the workspace open, or directly in the workspace."""
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
    """Run `there` on the server that has the workspace open, or `here` on the notebook in the workspace itself.

    Also return whether a server did it.
    """
    # Only one process may open a workspace, so a server that has it open must do it.
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
