"""The route that lists other workspaces which were served on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.model.lazy_module import LazyModule
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.wiring import WholeWorkspace
from whence.wire.recent import RecentWorkspaceView

if TYPE_CHECKING:
    import whence.client.recent_workspaces as recent_list
    import whence.client.running as running_servers
    from whence.client.recent_workspaces import RecentWorkspace
else:
    # The client is made from the contract, which must not need the client.
    recent_list = LazyModule("whence.client.recent_workspaces")
    running_servers = LazyModule("whence.client.running")

router = new_router()


@router.get("/api/recent")
@access("session")
def list_recent_workspaces(workspace: WholeWorkspace) -> list[RecentWorkspaceView]:
    """Return other workspaces that were served on this machine, the newest first, with the command that opens each."""
    return [_view(each) for each in recent_list.recent_workspaces(workspace.path)]


def _view(recent: RecentWorkspace) -> RecentWorkspaceView:
    server = running_servers.find_server(recent.path)
    return RecentWorkspaceView(
        name=recent.name,
        path=recent.path,
        opened=recent.opened,
        command=recent.command(is_served=server is not None),
        # Never its link: that holds the token of another server.
        address=None if server is None else server.address,
    )
