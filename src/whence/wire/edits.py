"""What every request that edits a notebook contains."""

from __future__ import annotations

from pydantic import BaseModel, Field

LONGEST_ID = 200


class EditBase(BaseModel):
    """Every edit says which version its author had seen. Its id lets it take effect once, even if it is sent twice."""

    base_version: int | None = Field(None, ge=0, le=2**31)
    command_id: str | None = Field(None, min_length=1, max_length=LONGEST_ID)
