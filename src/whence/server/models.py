"""The shapes of every response; the OpenAPI document and the page's types are made from these."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

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
    """Consecutive rows of a dataset with what is doubtful in each."""

    name: str
    version: int
    offset: int
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
    refs: list[InputCell]
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


class DoubtfulCell(BaseModel):
    """A doubtful cell, and whether the search went round the end to find it."""

    row: int
    column: str
    wrapped: bool


class About(BaseModel):
    """Which whence this is, and whether Spark has started."""

    version: str
    engine: Literal["idle", "running"]


class Health(BaseModel):
    """Answered without a credential: the process is up."""

    status: Literal["ok"] = "ok"
