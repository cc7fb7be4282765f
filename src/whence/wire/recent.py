"""Request and response models about other workspaces of this machine."""

from __future__ import annotations

from pydantic import BaseModel


class RecentWorkspaceView(BaseModel):
    """Another workspace that was served here, and how to open it."""

    name: str
    path: str
    opened: str
    command: str
    """What to type in a terminal."""
    address: str | None
    """Where its server answers now; None if none runs. A browser that was never signed in there needs its link."""
