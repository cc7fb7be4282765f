"""Routes about charts: draw them, link them, brush them, and keep the rows behind their marks."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import pyarrow as pa
from fastapi import Depends, Query, Request

from whence.server.access import access
from whence.server.charts import Charts, OpenLink
from whence.server.routers import new_router
from whence.server.routes.datasets import summary_of
from whence.server.values import to_json
from whence.server.wiring import WholeWorkspace, find
from whence.wire.charts import (
    BrushChart,
    BrushedChart,
    BrushedCharts,
    ChartCode,
    ChartCost,
    ClearBrush,
    DrawChart,
    DrawnChart,
    LinkCharts,
    LinkedChart,
    LinkedCharts,
    PrepareBrush,
    RowsOfMarks,
    SelectedRows,
    SuggestedChart,
    TableRows,
)
from whence.wire.datasets import DatasetSummary, DatasetVersion

if TYPE_CHECKING:
    from whence.workspace.chart import Chart
    from whence.workspace.dataset import Dataset

router = new_router()


def _charts(request: Request) -> Charts:
    charts: Charts = request.app.state.charts
    return charts


OpenCharts = Annotated[Charts, Depends(_charts)]


@router.get("/api/datasets/{name:path}/charts")
@access("session")
def suggest_charts(
    workspace: WholeWorkspace, name: str, version: Annotated[int | None, Query(ge=1, le=2**31)] = None
) -> list[SuggestedChart]:
    """Suggest up to three charts for a dataset."""
    found = find(workspace, name, version).suggest_charts()
    return [SuggestedChart(spec=each.spec, why=each.why) for each in found]


@router.post("/api/datasets/{name:path}/charts")
@access("session")
def draw_chart(workspace: WholeWorkspace, charts: OpenCharts, name: str, asked: DrawChart) -> DrawnChart:
    """Compute the marks of a chart and draw them. The same chart of the same version is not computed again.

    Without a name they are only looked at: listed nowhere, and gone after a day unless something was made from them.
    """
    return _drawn(charts.draw(find(workspace, name, asked.version), asked.spec, asked.name))


@router.post("/api/datasets/{name:path}/charts/cost")
@access("session")
def weigh_chart(workspace: WholeWorkspace, name: str, asked: DrawChart) -> ChartCost:
    """Estimate what drawing a chart would read and make. Nothing is computed."""
    cost = find(workspace, name, asked.version).chart(asked.spec, keep=False).cost
    return ChartCost(text=str(cost), is_large=cost.is_large)


@router.get("/api/charts/{chart:path}/picture")
@access("session")
def read_chart(charts: OpenCharts, chart: str) -> DrawnChart:
    """Return the chart whose marks this dataset holds. Its name may be `name@version`."""
    return _drawn(charts.find(chart))


@router.get("/api/charts/{chart:path}/code")
@access("session")
def chart_code(charts: OpenCharts, chart: str) -> ChartCode:
    """Return a chart as the SELECT that computes its marks, and as Altair code."""
    found = charts.find(chart)
    return ChartCode(sql=found.sql, altair=found.altair)


@router.post("/api/charts/{chart:path}/rows")
@access("session")
def keep_rows(workspace: WholeWorkspace, charts: OpenCharts, chart: str, asked: RowsOfMarks) -> DatasetSummary:
    """Make a dataset of the rows behind some marks, in the order of the dataset they come from."""
    found = charts.find(chart)
    source = found.dataset
    rows = found.marks.lineage.backward(asked.marks, to=source)
    return summary_of(workspace.sql("select * from {rows}", name=asked.name or f"{source.name}_rows", rows=rows))


@router.post("/api/links")
@access("session")
def link_charts(charts: OpenCharts, asked: LinkCharts) -> LinkedCharts:
    """Link charts and tables, so that a brush on one chart selects in all that share source rows with it."""
    opened = charts.link(asked.charts, asked.tables)
    return LinkedCharts(link=opened.id, charts=[_linked(each) for each in opened.charts])


@router.post("/api/links/{link}/prepare")
@access("session")
def prepare_brush(charts: OpenCharts, link: str, asked: PrepareBrush) -> list[str]:
    """Build what brushing a chart needs, before the pointer moves. Return which charts will not follow, and why."""
    opened = charts.linked(link)
    chart = opened.chart(asked.chart)
    with opened.lock:
        opened.link.prepare(chart)
    return [said for other in opened.charts if other is not chart and (said := opened.link.why_not(chart, other))]


@router.post("/api/links/{link}/brush")
@access("session")
def brush_chart(charts: OpenCharts, link: str, asked: BrushChart) -> BrushedCharts:
    """Select marks of one chart. Return every other chart over the selected rows. Brushes on several charts combine."""
    opened, started = charts.linked(link), time.perf_counter()
    chart = opened.chart(asked.chart)
    legend = {} if asked.color is None else {"color": asked.color}
    with opened.lock:
        answers = opened.link.brush(chart, marks=asked.marks, x=_range(asked.x), y=_range(asked.y), **legend)
        marks = opened.link.brushed(chart)
    return _brushed(opened, answers, marks, started)


@router.post("/api/links/{link}/rows")
@access("session")
def selected_rows(charts: OpenCharts, link: str, asked: TableRows) -> SelectedRows:
    """Return the rows of a linked table behind what is brushed, or all of them without a brush."""
    opened = charts.linked(link)
    table = opened.table(asked.table)
    with opened.lock:
        rows = opened.link.rows(table)
    return SelectedRows(count=rows.count, rids=rows.selection.page(0, asked.limit).tolist())


@router.post("/api/links/{link}/clear")
@access("session")
def clear_brush(charts: OpenCharts, link: str, asked: ClearBrush) -> BrushedCharts:
    """Remove one brush or all. Return every chart over what is still selected."""
    opened, started = charts.linked(link), time.perf_counter()
    with opened.lock:
        answers = opened.link.clear(None if asked.chart is None else opened.chart(asked.chart))
    return _brushed(opened, answers, [], started)


def _drawn(chart: Chart[Dataset]) -> DrawnChart:
    return DrawnChart(
        chart=chart.marks.record.label,
        source=_version(chart.dataset),
        marks=summary_of(chart.marks),
        value=chart.value,
        spec=dict(chart.spec.json),
        vega=chart.redrawn(),
        notes=list(chart.notes),
        cost=str(chart.cost),
    )


def _linked(chart: Chart[Dataset]) -> LinkedChart:
    table = chart.view.table
    shown = table.column("color").unique().to_pylist() if "color" in table.column_names else []
    return LinkedChart(
        chart=chart.marks.record.label,
        source=_version(chart.dataset),
        marks=summary_of(chart.marks),
        value=chart.value,
        vega=chart.redrawn(),
        colors=[to_json(each) for each in shown] if len(shown) <= 40 else [],
    )


def _brushed(
    opened: OpenLink, answers: Mapping[Chart[Dataset], pa.Table], marks: Sequence[int], started: float
) -> BrushedCharts:
    """Return the charts that a brush changed, with the values of their marks over the selection."""
    changed = []
    for place, chart in enumerate(opened.charts):
        if chart in answers:
            table: pa.Table = answers[chart]
            values = table.column("selected").to_pylist()
            others = {name: table.column(f"selected_{name}").to_pylist() for name in chart.measures[1:]}
            rows = chart.over(values, **others)
            changed.append(BrushedChart(chart=place, values=[to_json(each) for each in values], rows=rows))
    taken = (time.perf_counter() - started) * 1000
    return BrushedCharts(marks=list(marks), charts=changed, notes=opened.link.notes, milliseconds=round(taken, 2))


def _range(given: list[object] | None) -> object:
    """Return two numbers as a range (a pair), anything else as the list of values it is."""
    if given is not None and len(given) == 2 and all(isinstance(each, int | float) for each in given):
        return (given[0], given[1])
    return given


def _version(dataset: Dataset) -> DatasetVersion:
    return DatasetVersion(name=dataset.name, version=dataset.version)
