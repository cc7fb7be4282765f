"""Request and response models about the server itself and about browser sessions."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

EngineState = Literal["idle", "starting", "running"]


class SharedVersion(BaseModel):
    """The one notebook version that a share link shows."""

    notebook: str
    version: int


class About(BaseModel):
    """The version of whence, and whether Spark has started."""

    version: str
    engine: EngineState
    seconds_starting: float | None = None
    """For how many seconds Spark has been starting; None if it is not starting."""
    shared: SharedVersion | None = None
    """Set if the request came by a share link: it can read this version, and nothing else."""


class EndSessions(BaseModel):
    """Which browsers to sign out."""

    all: bool = False
    """Whether to sign out every browser, or only the one that sends the request."""


class EndedSessions(BaseModel):
    """Whether every browser was signed out, or the one that asked."""

    all: bool


class Health(BaseModel):
    """The answer of a process that is up. It needs no credential."""

    status: Literal["ok"] = "ok"
