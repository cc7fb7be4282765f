"""Request and response models about sheets."""

from __future__ import annotations

from pydantic import BaseModel, Field

from whence.wire.datasets import Column
from whence.wire.edits import LONGEST_ID, EditBase
from whence.wire.notebooks import CellView


class NewSheet(BaseModel):
    """The dataset to edit, at its current version unless another is named."""

    dataset: str
    version: int | None = Field(None, ge=1, le=2**31)
    resume: bool = False
    """Whether to continue the open sheet over this dataset, if there is one."""


class SheetColumn(Column):
    """A column of a sheet."""

    base: str | None
    """The dataset column that it shows; null for an inserted column."""
    base_type: str | None
    """The type of that dataset column. A value that does not fit changes the type of the sheet's column."""


class LostOperation(BaseModel):
    """An edit whose row or column does not exist in the data any more."""

    sentence: str
    why: str


class SheetView(BaseModel):
    """An open sheet."""

    id: str
    dataset: str
    version: int
    columns: list[str]
    count: int
    operations: int
    undone: int
    """The number of undone operations that could be redone."""
    sentence: str | None
    """A sentence about the last operation."""
    lost: list[LostOperation]


class SheetCellNote(BaseModel):
    """A text about one cell: its error, or the formula behind its value. `row` is its position in the sheet."""

    row: int
    column: str
    text: str


class PagedSheet(BaseModel):
    """Consecutive rows of a sheet as they stand, pending operations included."""

    offset: int
    count: int
    """The number of rows for which the condition holds, or of all rows without one."""
    total: int
    """The number of rows of the sheet."""
    columns: list[SheetColumn]
    positions: list[int]
    """The position of each row in the sheet."""
    rows: list[list[object]]
    rids: list[int | None]
    """The row id in the dataset of each row; null for an inserted row."""
    lines: list[int | None]
    """The line of the loaded file on which each row begins; null where there is none."""
    keys: list[str]
    """The address of each row, which stays the same when rows move. Operations accept it instead of a position."""
    marks: list[list[int]]
    row_marks: list[bool]
    edited: list[list[int]]
    errors: list[SheetCellNote]
    formulas: list[SheetCellNote]


class SheetOperation(BaseModel):
    """One thing to do, with its arguments by name: `set` takes row, column and value."""

    operation: str
    arguments: dict[str, object] = Field(default_factory=dict)
    command_id: str | None = Field(None, min_length=1, max_length=LONGEST_ID)


class PreviewSheet(BaseModel):
    """The operations, in order, whose effect is asked for."""

    operations: list[SheetOperation] = Field(min_length=1, max_length=40)
    limit: int = Field(8, ge=1, le=100)


class SheetPreviewRow(BaseModel):
    """One row of a preview: its position, and what each column of the preview holds before and after."""

    position: int
    before: list[object]
    """Null for a column that would be inserted."""
    after: list[object]
    errors: list[str]
    """For each column the error that it would show, or an empty text."""


class SheetPreviewView(BaseModel):
    """What operations would change in the first rows of a sheet; the sheet stays as it is."""

    columns: list[Column]
    inserted: list[str]
    """The columns that would be inserted."""
    rows: list[SheetPreviewRow]
    changed: int
    failed: int
    """The number of cells that would show an error, among those examined."""
    examined: int


class SheetFunctionView(BaseModel):
    """A function of formulas: its name, its arguments as they are typed, a sentence about it."""

    name: str
    arguments: str
    sentence: str
    group: str


class ApplySheet(EditBase):
    """Where the sheet becomes a cell, and what its result is called; by default the dataset's own name."""

    notebook: str
    name: str | None = None
    position: int | None = Field(None, ge=0, le=2**31)
    """The position of the new cell, counted from 0; by default the end."""


class SheetHome(BaseModel):
    """Where the edits of a sheet belong."""

    notebook: str
    position: int


class AppliedSheet(BaseModel):
    """The cell that was made."""

    version: int
    cell: CellView
