"""Request and response models about caveats."""

from __future__ import annotations

from pydantic import BaseModel, Field

from whence.wire.datasets import DatasetVersion


class CaveatPlace(BaseModel):
    """The place of one caveat."""

    dataset: str
    version: int
    row: int | None
    column: str | None
    line: int | None
    text: str | None
    message: str


class CaveatSummary(BaseModel):
    """Caveats of the same family, raised by the same step on the same column."""

    message: str
    count: int
    family: str
    made_by: str
    column: str | None
    references: list[CaveatPlace]


class ListedCaveats(BaseModel):
    """A group of caveats with what an acknowledgement needs."""

    id: str
    acknowledged: bool
    note: str
    caveats: CaveatSummary


class CaveatList(BaseModel):
    """The caveats behind a dataset or a part of it."""

    name: str
    version: int
    row_set: bool
    """Whether a row that is absent might belong to the dataset."""
    groups: list[ListedCaveats]


class CaveatsEverywhere(BaseModel):
    """Caveats of one group, and every current dataset they reach."""

    id: str
    acknowledged: bool
    note: str
    raised_in: DatasetVersion
    """The dataset version whose making raised these caveats."""
    caveats: CaveatSummary
    reaches: list[DatasetVersion]


class CaveatOverview(BaseModel):
    """Everything that is in doubt in the workspace."""

    groups: list[CaveatsEverywhere]
    datasets: int
    """The number of datasets that were searched."""


class CaveatCount(BaseModel):
    """How many caveats of the workspace are open: not acknowledged yet."""

    open: int


class ColumnCount(BaseModel):
    """The number of cells of a column."""

    column: str
    cells: int


class CellBounds(BaseModel):
    """Between which values a cell lies, given what its caveats state. An end that is null is not known."""

    low: object
    best: object
    """The value that stands in the cell."""
    high: object
    may_be_missing: bool
    why: str
    """Why an end is not known, or empty."""


class WidthPart(BaseModel):
    """Caveats behind a cell, and what its bounds would be if their doubts were accepted."""

    caveats: CaveatSummary
    takes: float | None
    """How much narrower the bounds are without these caveats alone; null if an end is not known."""
    share: float | None
    alone: CellBounds
    together: CellBounds
    """The bounds without these caveats and all before them."""


class ColumnWidth(BaseModel):
    """How wide the bounds of a column's doubtful cells are, given what caveats state."""

    column: str
    doubtful: int
    unknown: int
    """How many doubtful cells have no bounds."""
    widest: float | None
    """The greatest width as a share of the value in its cell; null if no cell has one."""
    row: int | None
    """The row of that cell."""
    why: str
    """Why cells have no bounds, or empty."""


class BoundWidths(BaseModel):
    """The widths of a dataset version, or that they are not worked out yet."""

    is_known: bool
    columns: list[ColumnWidth]


class CaveatImpact(BaseModel):
    """How much of a dataset a group of caveats may have changed."""

    name: str
    version: int
    columns: list[ColumnCount]
    rows: int
    may_miss_rows: bool
    all_rows: int


class AcknowledgeCaveats(BaseModel):
    """Which group to acknowledge, or which of its places only, and why."""

    group: str
    places: list[int] | None = Field(None, max_length=1000)
    """Positions in the group's list of references; None means the whole group."""
    note: str = ""
    version: int | None = Field(None, ge=1, le=2**31)
    since: str | None = Field(None, max_length=500)
    """Acknowledge only caveats that are new since this version, such as `dataset:prices@1` or `notebook:tour@12`."""


class RevokeCaveats(BaseModel):
    """A group whose acknowledgement to take back."""

    group: str
    version: int | None = Field(None, ge=1, le=2**31)
    since: str | None = Field(None, max_length=500)


class CaveatDensity(BaseModel):
    """Doubtful cells by stretches of rows; stretch i begins at row `starts[i]`."""

    rows: int
    starts: list[int]
    counts: list[int]
