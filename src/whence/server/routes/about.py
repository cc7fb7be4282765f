"""Answers which whence this is and whether it is up."""

from __future__ import annotations

from importlib.metadata import version

from whence.server.models import About, Health
from whence.server.wiring import WorkspaceOfApp


def read_about(workspace: WorkspaceOfApp) -> About:
    """The version of whence and the state of its Spark engine, which starts when it is first needed."""
    return About(version=version("whence"), engine="running" if workspace.is_engine_running else "idle")


def read_health() -> Health:
    """Whether the process answers at all."""
    return Health()
