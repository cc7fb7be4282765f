"""The shape of what a server says about the size of a dataset."""

from __future__ import annotations

from pydantic import BaseModel


class Shape(BaseModel):
    """How many rows and columns a dataset has."""

    rows: int
    columns: int
