"""Request and response models about the preview of a cell."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from whence.wire.errors import ErrorDetail


class AskPreview(BaseModel):
    """What the form of a cell holds; `form` names the form, whose earlier preview then stops."""

    values: dict[str, object] = Field(default_factory=dict)
    form: str = Field("", max_length=200)


class PreviewColumn(BaseModel):
    """A column of the result, and how it differs from the input; `was` is the name or type that it had."""

    name: str
    type: str
    change: Literal["same", "changed", "new", "renamed"]
    was: str


class PreviewRow(BaseModel):
    """A row of the result; `row` is its number in the input, from 0, null if the cell makes it.

    `changed` and `doubtful` are the positions of values that changed, and of those that get a caveat.
    """

    row: int | None
    values: list[object]
    changed: list[int]
    doubtful: list[int]
    is_dropped: bool


class PreviewRows(BaseModel):
    """What a cell would do to the first rows of its input."""

    sentence: str
    columns: list[PreviewColumn]
    dropped_columns: list[str]
    rows: list[PreviewRow]
    rows_read: int
    rows_in_all: int
    changed_values: int
    doubtful_values: int
    dropped_rows: int


class CellPreview(BaseModel):
    """The preview of a cell, or why there is none, and the cell as code; a code that does not exist is empty."""

    preview: PreviewRows | None = None
    problem: ErrorDetail | None = None
    sql: str = ""
    python: str = ""
