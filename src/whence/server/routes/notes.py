"""The route that tells what one should know about a result: its notes, with numbers."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from whence.server.access import access
from whence.server.routers import new_router
from whence.server.wiring import WholeWorkspace, find
from whence.wire.datasets import Notes

router = new_router()


@router.get("/api/datasets/{name:path}/notes")
@access("session")
def read_notes(
    workspace: WholeWorkspace, name: str, version: Annotated[int | None, Query(ge=1, le=2**31)] = None
) -> Notes:
    """Return the notes about a result, such as joins that multiplied rows and values that were never data.

    A result whose lineage is still to be captured has its notes once that is done.
    """
    return Notes(notes=find(workspace, name, version).notes_at_hand)
