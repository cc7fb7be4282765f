"""What every request that edits a notebook contains."""

from __future__ import annotations

from pydantic import BaseModel, Field

LONGEST_ID = 200


class EditBase(BaseModel):
    """Every edit says what its author had seen, and has an id of its own, so that sending it twice does it once."""

    base_version: int | None = Field(None, ge=0, le=2**31)
    command_id: str | None = Field(None, min_length=1, max_length=LONGEST_ID)
