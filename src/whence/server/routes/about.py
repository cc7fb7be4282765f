"""Routes about the server itself: whether it is up, its version, and the state of Spark."""

from __future__ import annotations

from importlib.metadata import version

from whence.server.access import access
from whence.server.routers import new_router
from whence.server.shared import SharedOfRequest
from whence.server.wiring import WorkspaceOfApp
from whence.wire.about import About, EngineState, Health, SharedVersion

router = new_router()


@router.get("/health")
@access("open")
def read_health() -> Health:
    """Answer that the process runs. No credential is needed."""
    return Health()


@router.get("/api/about")
@access("share")
def read_about(workspace: WorkspaceOfApp, shared: SharedOfRequest) -> About:
    """Return the version of whence, whether Spark has started, and how the caller signed in."""
    return About(
        version=version("whence-data"),
        engine=_engine_state(workspace),
        seconds_starting=workspace.seconds_starting,
        shared=None if shared is None else SharedVersion(notebook=shared.name, version=shared.version),
    )


def _engine_state(workspace: WorkspaceOfApp) -> EngineState:
    if workspace.is_engine_running:
        return "running"
    return "idle" if workspace.seconds_starting is None else "starting"
