"""Response models of searches in a sheet and of summaries of it."""

from __future__ import annotations

from pydantic import BaseModel


class SheetDensityView(BaseModel):
    """Doubtful and edited cells by stretches of the rows that are looked at; stretch i begins at row `starts[i]`."""

    rows: int
    starts: list[int]
    doubts: list[int]
    edits: list[int]


class SheetPlace(BaseModel):
    """A cell by its place in what is looked at, and whether the search went round the end to find it."""

    row: int
    column: str
    wrapped: bool


class SheetSummary(BaseModel):
    """What the cells of a selection come to: those that hold something, and the numbers among them."""

    filled: int
    numbers: int
    sum: object
    average: object
    min: object
    max: object


class SheetCellStep(BaseModel):
    """An operation that put something into a cell; `number` says which of the sheet's it was, from 1."""

    number: int
    sentence: str
    value: object
    formula: str | None


class SheetCellHistory(BaseModel):
    """What was done to a cell, oldest first."""

    steps: list[SheetCellStep]


class SheetValue(BaseModel):
    """A value as a text, null for no value, and in how many rows it stands."""

    text: str | None
    count: int


class SheetValues(BaseModel):
    """The most frequent values of a column, and how many different ones there are."""

    values: list[SheetValue]
    distinct: int


class SheetClusters(BaseModel):
    """Values of a column that are probably the same, the most frequent of each cluster first."""

    clusters: list[list[SheetValue]]


class IdenticalCells(BaseModel):
    """How many other cells of the column still say what the data of this one says."""

    count: int
