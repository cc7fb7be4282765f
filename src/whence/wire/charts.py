"""Request and response models about charts and sets of linked charts."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from whence.wire.datasets import DatasetSummary, DatasetVersion

MOST_MARKS = 100_000
MOST_LINKED = 12

Json = dict[str, object]
Mark = Annotated[int, Field(ge=0, le=2**31)]


class SuggestedChart(BaseModel):
    """A suggested chart of a dataset, and what it would show."""

    spec: Json
    why: str


class DrawChart(BaseModel):
    """A specification in the grammar of charts, or Vega-Lite."""

    spec: Json
    version: int | None = Field(None, ge=1, le=2**31)
    name: str | None = Field(None, min_length=1, max_length=200)
    """The name of the dataset of its marks. Without one the marks are a scratch dataset."""


class ChartCost(BaseModel):
    """What drawing a chart would read and make, estimated before anything is computed."""

    text: str
    is_large: bool
    """Whether it reads so many rows that the page should ask the user first."""


class DrawnChart(BaseModel):
    """A chart with its picture; `chart` names its marks, one version of them, and so the chart."""

    chart: str
    source: DatasetVersion
    marks: DatasetSummary
    value: str
    """The column of the mark table with the measured value of each mark."""
    spec: Json
    vega: Json
    notes: list[str]
    cost: str


class ChartCode(BaseModel):
    """A chart as code that other tools run."""

    sql: str
    """The SELECT that computes its marks."""
    altair: str
    """Python that makes it with Altair."""


class RowsOfMarks(BaseModel):
    """Marks of which the rows are wanted as a dataset."""

    marks: list[Mark] = Field(min_length=1, max_length=MOST_MARKS)
    name: str | None = Field(None, min_length=1, max_length=200)
    """The name of the new dataset. By default it is derived from the dataset of the chart."""


class LinkCharts(BaseModel):
    """Which charts to look at together, and which tables follow them."""

    charts: list[str] = Field(min_length=1, max_length=MOST_LINKED)
    tables: list[str] = Field(default_factory=list, max_length=MOST_LINKED)
    """Dataset versions, by `name` or `name@version`."""


class LinkedChart(BaseModel):
    """A chart of a set of linked charts."""

    chart: str
    source: DatasetVersion
    marks: DatasetSummary
    value: str
    vega: Json
    colors: list[object]
    """The entries of its legend."""


class LinkedCharts(BaseModel):
    """A set of linked charts, under the id by which it is brushed."""

    link: str
    charts: list[LinkedChart]


class TableRows(BaseModel):
    """The linked table, by its position in the set, and the most rows to return."""

    table: int = Field(ge=0, lt=MOST_LINKED)
    limit: int = Field(200, ge=1, le=1000)


class SelectedRows(BaseModel):
    """The rows of a linked table behind what is brushed."""

    count: int
    rids: list[int]
    """The ids of the first of them."""


class PrepareBrush(BaseModel):
    """The chart that the pointer has entered, by its position in the set."""

    chart: int = Field(ge=0, lt=MOST_LINKED)


class BrushChart(PrepareBrush):
    """A selection: marks by number, a range or values along an axis, entries of the legend. All of them must hold."""

    marks: list[Mark] | None = Field(None, max_length=MOST_MARKS)
    x: list[object] | None = Field(None, max_length=10_000)
    """Two numbers are a range, anything else is a list of values."""
    y: list[object] | None = Field(None, max_length=10_000)
    color: list[object] | None = Field(None, max_length=10_000)


class ClearBrush(BaseModel):
    """The chart whose brush to remove; without one, all brushes."""

    chart: int | None = Field(None, ge=0, lt=MOST_LINKED)


class BrushedChart(BaseModel):
    """A chart under the brushes of the others."""

    chart: int
    values: list[object]
    """The value of each mark over the selected rows; null where none of its rows is selected."""
    rows: dict[str, list[Json]]
    """The rows to draw over the original chart, by the name of the data set in its Vega-Lite specification."""


class BrushedCharts(BaseModel):
    """All charts that a brush changed."""

    marks: list[int]
    """The marks that were brushed."""
    charts: list[BrushedChart]
    notes: list[str]
    """One sentence for each chart that does not follow the brush, with the reason."""
    milliseconds: float
