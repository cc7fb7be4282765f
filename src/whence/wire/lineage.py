"""Request and response models about lineage: where rows, cells and columns came from."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from whence.model.cellref import Role
from whence.model.dataset import Origin
from whence.wire.caveats import CaveatSummary
from whence.wire.datasets import DatasetVersion, RowSample


class InputCell(BaseModel):
    """One cell behind the cell that was asked about."""

    row: int
    column: str
    role: Role
    value: object


class InputValue(BaseModel):
    """A value that cells behind the cell have in common."""

    value: object
    row: int
    """The row of the first such cell."""
    count: int
    is_doubtful: bool


class InputGroup(BaseModel):
    """All cells of one column that played the same part."""

    role: Role
    column: str
    count: int
    distinct: int
    """The number of distinct values. `values` lists the first of them."""
    values: list[InputValue]


class TraceStep(BaseModel):
    """What one ancestor contributed to the cell that was asked about."""

    dataset: str
    version: int
    origin: Origin
    text: str
    groups: list[InputGroup]
    """A summary of all cells, by role, column and value."""
    refs: list[InputCell]
    """The cells of the rows that are listed."""
    count: int
    rows: RowSample


class CellReport(BaseModel):
    """One cell: its value, where it came from, step by step, and what is doubtful about it."""

    dataset: str
    version: int
    row: int
    column: str
    line: int | None
    """The line of the loaded file on which the row begins."""
    value: object
    suspect: bool
    row_suspect: bool
    origin: str
    """Where the value was written, for a cell that stands on no data; else empty."""
    steps: list[TraceStep]
    caveats: list[CaveatSummary]
    exact: bool
    strategy: str


class TraceRows(BaseModel):
    """Which rows to follow, and where to."""

    direction: Literal["backward", "forward"]
    to: str
    rows: list[int] = Field(default_factory=list, max_length=100_000)
    where: str | None = None
    """A SQL condition over the dataset's columns, instead of `rows`."""
    path: list[str] = Field(default_factory=list, max_length=100)
    influence: bool = False
    version: int | None = Field(None, ge=1, le=2**31)
    offset: int = Field(0, ge=0, le=2**62)
    limit: int = Field(50, ge=0, le=1000)


class TracedRows(BaseModel):
    """The rows found: how many, and a page of them."""

    dataset: str
    version: int
    exact: bool
    count: int
    offset: int
    rows: RowSample


class RowsReached(BaseModel):
    """The number of rows of one dataset that lie behind the rows of the question, or were made from them."""

    name: str
    version: int
    direction: Literal["backward", "forward"]
    count: int
    all_rows: int


class Reached(BaseModel):
    """What lies behind some rows and what was made from them, in every dataset of the graph."""

    datasets: list[RowsReached]


class WayCell(BaseModel):
    """One cell on the way back, and what it was made from."""

    dataset: str
    version: int
    row: int
    column: str
    value: object
    line: int | None
    is_doubtful: bool
    origin: str
    """Where the value was written, for a cell that stands on no data; else empty."""
    inputs: list[WayStep]


class WayStep(BaseModel):
    """Cells of one column that played the same part: how many there are, and the first of them."""

    dataset: str
    version: int
    column: str
    role: Role
    count: int
    cells: list[WayCell]


class GraphNode(BaseModel):
    """One dataset version."""

    name: str
    version: int
    origin: Origin
    text: str
    rows: int
    exact: bool
    is_doubtful: bool


class GraphEdge(BaseModel):
    """`target` was made from `source`."""

    source: DatasetVersion
    target: DatasetVersion


class Graph(BaseModel):
    """What was made from what."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]


class ColumnNode(BaseModel):
    """One column of one dataset version."""

    name: str
    version: int
    column: str
    type: str
    is_doubtful: bool


class ColumnPlace(BaseModel):
    """Names one column of a dataset version."""

    name: str
    version: int
    column: str


class ColumnEdge(BaseModel):
    """`target` was made of `source`, which played this part."""

    source: ColumnPlace
    target: ColumnPlace
    role: Role


class ColumnGraph(BaseModel):
    """The columns that one column was made of, and those it went into."""

    nodes: list[ColumnNode]
    edges: list[ColumnEdge]


class AskWhyNot(BaseModel):
    """The rows of an ancestor that are looked for: one by its number, or those for which a condition holds."""

    source: str
    row: int | None = Field(None, ge=0, le=2**62)
    where: str | None = Field(None, max_length=10_000)
    version: int | None = Field(None, ge=1, le=2**31)


class LostRow(BaseModel):
    """A row of one dataset that did not get into the next: the step that left it out and what its condition read."""

    dataset: str
    row: int
    into: str
    step: str
    condition: str
    values: dict[str, object]


class RowFate(BaseModel):
    """What became of one row: the rows it is in, or else where it was lost."""

    row: int
    count: int
    rows: list[int]
    """The first rows that were made from it."""
    losses: list[LostRow]


class WhyNotAnswer(BaseModel):
    """What became of the rows that were looked for; of many only the first are followed."""

    source: DatasetVersion
    matched: int
    fates: list[RowFate]
