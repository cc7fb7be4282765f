"""The shapes of what a server says about itself and about who is signed in."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

EngineState = Literal["idle", "starting", "running"]


class SharedVersion(BaseModel):
    """The one notebook version that a share link shows."""

    notebook: str
    version: int


class About(BaseModel):
    """Which whence this is, and whether Spark has started."""

    version: str
    engine: EngineState
    seconds_starting: float | None = None
    """For how long Spark has been starting; None if it is not."""
    shared: SharedVersion | None = None
    """Set if the one who asks came by a share link: there is nothing but this to see, and nothing to change."""


class EndSessions(BaseModel):
    """Which browsers to sign out."""

    all: bool = False
    """Every browser; else the one that asks."""


class EndedSessions(BaseModel):
    """Whether every browser was signed out, or the one that asked."""

    all: bool


class Health(BaseModel):
    """Answered without a credential: the process is up."""

    status: Literal["ok"] = "ok"
