"""Request and response models about datasets, their rows and their columns."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

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
    """The parents with the versions that were read."""
    notebook: str | None = None
    """The notebook whose cells make it; None if it was made outside notebooks."""


class NewDatasetName(BaseModel):
    """The new name of a dataset."""

    name: str = Field(min_length=1, max_length=200)


class RenamedDataset(BaseModel):
    """A dataset's new name, the cells that changed with it, and the Python cells whose code has the old name."""

    name: str
    changed: dict[str, list[str]]
    """Ids of cells, by notebook."""
    unchanged: dict[str, list[str]]


class RemovedDataset(BaseModel):
    """What happens to datasets that were made from the one to delete: without a choice, it is not deleted."""

    dependants: Literal["keep", "remove"] | None = None


class Page(BaseModel):
    """Consecutive rows of a dataset, or of a sorted and filtered view of it, with what is doubtful in each."""

    name: str
    version: int
    offset: int
    count: int
    """The number of rows of the dataset, or of those that pass the filter."""
    columns: list[Column]
    rows: list[list[object]]
    rids: list[int]
    marks: list[list[int]]
    """For each row, the positions of the doubtful columns."""
    row_marks: list[bool]
    written: list[list[int]]
    """For each row, the positions of the columns that stand on no data; empty where all cells do."""
    lines: list[int | None]


class Notes(BaseModel):
    """What one should know about a result, a sentence each."""

    notes: list[str]


class RowSample(BaseModel):
    """The first rows behind a cell."""

    columns: list[str]
    rids: list[int]
    values: list[list[object]]
    lines: list[int | None]
    marks: list[list[int]]
    row_marks: list[bool]
    count: int


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


class DoubtfulCell(BaseModel):
    """A doubtful cell, and whether the search went round the end to find it."""

    row: int
    column: str
    wrapped: bool
