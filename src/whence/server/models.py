"""The shapes of every response; the OpenAPI document and the page's types are made from these."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from whence.model.cellref import Role
from whence.model.dataset import Origin


class Column(BaseModel):
    """A column's name and its type as Spark writes it."""

    name: str
    type: str


class DoubtSummary(BaseModel):
    """Which parts of a dataset carry any mark at all."""

    columns: list[str]
    rows: bool
    row_set: bool


class DatasetVersion(BaseModel):
    """Names one version of a dataset."""

    name: str
    version: int


class DatasetSummary(BaseModel):
    """One dataset, as the list shows it."""

    name: str
    version: int
    rows: int
    columns: list[Column]
    origin: Origin
    text: str
    doubt: DoubtSummary
    exact: bool
    parents: list[str]
    made_from: list[DatasetVersion]
    """The parents again, with the versions that were read."""


class Page(BaseModel):
    """Consecutive rows of a dataset, or of a sorted and filtered view of it, with what is doubtful in each."""

    name: str
    version: int
    offset: int
    count: int
    """How many rows there are in all: of the dataset, or of those that pass the filter."""
    columns: list[Column]
    rows: list[list[object]]
    rids: list[int]
    marks: list[list[int]]
    """Per row, the positions of the doubtful columns."""
    row_marks: list[bool]
    lines: list[int | None]


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
    """The first of them."""
    count: int
    is_doubtful: bool


class InputGroup(BaseModel):
    """All cells of one column that played the same part."""

    role: Role
    column: str
    count: int
    distinct: int
    """How many different values there are; the first of them are listed."""
    values: list[InputValue]


class RowSample(BaseModel):
    """The first rows behind a cell."""

    columns: list[str]
    rids: list[int]
    values: list[list[object]]
    lines: list[int | None]
    marks: list[list[int]]
    row_marks: list[bool]
    count: int


class TraceStep(BaseModel):
    """What one ancestor contributed to the cell that was asked about."""

    dataset: str
    version: int
    origin: Origin
    text: str
    groups: list[InputGroup]
    """What the cells come to, all of them."""
    refs: list[InputCell]
    """The cells of the rows that are listed."""
    count: int
    rows: RowSample


class CaveatPlace(BaseModel):
    """Where one caveat sits."""

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
    steps: list[TraceStep]
    caveats: list[CaveatSummary]
    exact: bool
    strategy: str


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
    """A row that is absent might belong here."""
    groups: list[ListedCaveats]


class CaveatsEverywhere(BaseModel):
    """Caveats of one group, and every current dataset they reach."""

    id: str
    acknowledged: bool
    note: str
    raised_in: DatasetVersion
    """The dataset in whose making the doubts arose."""
    caveats: CaveatSummary
    reaches: list[DatasetVersion]


class CaveatOverview(BaseModel):
    """All that is doubtful in the workspace."""

    groups: list[CaveatsEverywhere]
    datasets: int
    """How many datasets were looked at."""


class CaveatCount(BaseModel):
    """How many caveats of the workspace are open: not acknowledged yet."""

    open: int


class ColumnCount(BaseModel):
    """So many cells of a column."""

    column: str
    cells: int


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
    """Only what of the group came after this version, such as `dataset:prices@1` or `notebook:tour@12`."""


class RevokeCaveats(BaseModel):
    """Which group to doubt again."""

    group: str
    version: int | None = Field(None, ge=1, le=2**31)
    since: str | None = Field(None, max_length=500)


class CaveatDensity(BaseModel):
    """Doubtful cells by stretches of rows; stretch i begins at row `starts[i]`."""

    rows: int
    starts: list[int]
    counts: list[int]


class Quantile(BaseModel):
    """The value below which this share of the rows lies."""

    share: float
    value: object


class FrequentValue(BaseModel):
    """A value and how often it comes."""

    value: object
    count: int


class Bucket(BaseModel):
    """How many values lie from `low` up to, not including, `high`; the last bucket includes its end."""

    low: object
    high: object
    count: int


class ColumnProfile(BaseModel):
    """What a column holds."""

    column: str
    type: str
    count: int
    nulls: int
    distinct: int | None
    distinct_error: float
    min: object
    max: object
    mean: object
    std: object
    quantiles: list[Quantile]
    top: list[FrequentValue]
    histogram: list[Bucket]


class TraceRows(BaseModel):
    """Which rows to follow, and where to."""

    direction: Literal["backward", "forward"]
    to: str
    rows: list[int] = Field(default_factory=list, max_length=100_000)
    where: str | None = None
    """A condition over the dataset's columns in place of `rows`."""
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
    """So many rows of one dataset lie behind the rows that were asked about, or were made from them."""

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
    """The first of the rows it is in."""
    losses: list[LostRow]


class WhyNotAnswer(BaseModel):
    """What became of the rows that were looked for; of many only the first are followed."""

    source: DatasetVersion
    matched: int
    fates: list[RowFate]


class DoubtfulCell(BaseModel):
    """A doubtful cell, and whether the search went round the end to find it."""

    row: int
    column: str
    wrapped: bool


class SharedVersion(BaseModel):
    """The one notebook version that a share link shows."""

    notebook: str
    version: int


class About(BaseModel):
    """Which whence this is, and whether Spark has started."""

    version: str
    engine: Literal["idle", "running"]
    shared: SharedVersion | None = None
    """Set if the one who asks came by a share link: there is nothing but this to see, and nothing to change."""


class EndSessions(BaseModel):
    """Which browsers to sign out."""

    all: bool = False
    """Every browser; else the one that asks."""


class EndedSessions(BaseModel):
    """Whether every browser was signed out, or the one that asked."""

    all: bool


class Health(BaseModel):
    """Answered without a credential: the process is up."""

    status: Literal["ok"] = "ok"
