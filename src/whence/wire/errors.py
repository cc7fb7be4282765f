"""The response model of every error of a server."""

from __future__ import annotations

from pydantic import BaseModel


class Conflict(BaseModel):
    """Two edits of one cell: what each says, and the version to the side that keeps the one that came later."""

    cell: str
    mine: str | None
    theirs: str | None
    side_version: int


class ErrorDetail(BaseModel):
    """What went wrong and what to do about it."""

    kind: str
    message: str
    hint: str = ""
    conflict: Conflict | None = None


class ErrorBody(BaseModel):
    """The shape of every error response."""

    error: ErrorDetail
