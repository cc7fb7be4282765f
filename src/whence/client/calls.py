"""A method for each operation of a server; made by tools/python_client.py from its contract, not edited."""

from __future__ import annotations

from typing import Literal

from whence.client.connection import Connection, path_part, without_none
from whence.wire.about import About, EndedSessions, Health
from whence.wire.caveats import (
    BoundWidths,
    CaveatCount,
    CaveatDensity,
    CaveatImpact,
    CaveatList,
    CaveatOverview,
    CellBounds,
    WidthPart,
)
from whence.wire.cell_preview import CellPreview
from whence.wire.chart_grammar import ChartGrammar
from whence.wire.charts import (
    BrushedCharts,
    ChartCode,
    ChartCost,
    DrawnChart,
    LinkedCharts,
    SelectedRows,
    SuggestedChart,
)
from whence.wire.checks import CheckPreviews, SuggestedChecks
from whence.wire.datasets import ColumnProfile, DatasetSummary, DoubtfulCell, Notes, Page, RenamedDataset
from whence.wire.forgetting import CertificateView, ForgettingPlanView
from whence.wire.lineage import CellReport, ColumnGraph, Graph, Reached, TracedRows, WayCell, WhyNotAnswer
from whence.wire.notebook_page import PlacedItem
from whence.wire.notebooks import (
    CellView,
    Comparison,
    Edited,
    HideableColumn,
    KindView,
    NotebookView,
    SessionView,
    ShareView,
    Upload,
    UpstreamView,
    VersionView,
    WorkflowView,
)
from whence.wire.questions import AnswerPreview, ClauseView, ComparedAnswers, QuestionView, SearchView
from whence.wire.recent import RecentWorkspaceView
from whence.wire.sheet_looks import (
    IdenticalCells,
    SheetCellHistory,
    SheetClusters,
    SheetDensityView,
    SheetPlace,
    SheetSummary,
    SheetValues,
)
from whence.wire.sheets import (
    AppliedSheet,
    PagedSheet,
    SheetFunctionView,
    SheetHome,
    SheetOperation,
    SheetPreviewView,
    SheetView,
)


class Calls(Connection):
    """Every operation, by the name it has in the contract."""

    def read_health(self) -> Health:
        """Answer that the process runs. No credential is needed."""
        found: Health = self.call("GET", "/health", answer=Health)
        return found

    def read_about(self) -> About:
        """Return the version of whence, whether Spark has started, and how the caller signed in."""
        found: About = self.call("GET", "/api/about", answer=About)
        return found

    def list_datasets(self) -> list[DatasetSummary]:
        """Return every dataset of the workspace at its current version, in the order they were made."""
        found: list[DatasetSummary] = self.call("GET", "/api/datasets", answer=list[DatasetSummary])
        return found

    def read_page(
        self,
        dataset: str,
        /,
        *,
        offset: int = 0,
        limit: int = 200,
        version: int | None = None,
        sort: str | None = None,
        filter: str | None = None,
        rids: str | None = None,
    ) -> Page:
        """Return up to `limit` rows from `offset` on, with their ids, doubt flags and file lines; past the end,
        none.

        `sort` is a JSON list of columns or `[column, "desc"]` pairs. `filter` is a JSON list of `[column,
        comparison, value]`. The server computes such a view once for a dataset version, without Spark. `rids` is
        a JSON list of the ids of at most 1,000 rows to return instead, in that order; ids that do not exist are
        left out.
        """
        found: Page = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/page",
            query={"offset": offset, "limit": limit, "version": version, "sort": sort, "filter": filter, "rids": rids},
            answer=Page,
        )
        return found

    def download_dataset(
        self, dataset: str, /, *, format: Literal["csv", "excel", "parquet"] = "csv", version: int | None = None
    ) -> bytes:
        """Return all rows, in the order of the dataset, as a CSV, Excel or Parquet file. No Spark is needed."""
        found: bytes = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/download",
            query={"format": format, "version": version},
            answer=bytes,
        )
        return found

    def rename_dataset(self, dataset: str, /, *, name: str) -> RenamedDataset:
        """Rename a dataset that a notebook makes, in all cells that make or read it. Each notebook gets one new
        version.
        """
        found: RenamedDataset = self.call(
            "POST", f"/api/datasets/{path_part(dataset)}/rename", body={"name": name}, answer=RenamedDataset
        )
        return found

    def remove_dataset(self, dataset: str, /, *, dependants: Literal["keep", "remove"] | None = None) -> list[str]:
        """Delete all versions of a dataset that no notebook makes, for good. Return the labels of what was deleted."""
        found: list[str] = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/remove",
            body=without_none({"dependants": dependants}),
            answer=list[str],
        )
        return found

    def plan_forgetting(self, dataset: str, /, *, where: str) -> ForgettingPlanView:
        """Return what forgetting the rows for which a condition holds would do. Nothing happens yet."""
        found: ForgettingPlanView = self.call(
            "POST", f"/api/datasets/{path_part(dataset)}/forget/plan", body={"where": where}, answer=ForgettingPlanView
        )
        return found

    def forget_rows(
        self, dataset: str, /, *, where: str, plan: str, confirmation: str, delete_unrepeatable: bool = False
    ) -> CertificateView:
        """Forget the rows for which a condition holds, for good, if the plan is still the one that was shown."""
        found: CertificateView = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/forget",
            body={
                "where": where,
                "plan": plan,
                "confirmation": confirmation,
                "delete_unrepeatable": delete_unrepeatable,
            },
            answer=CertificateView,
        )
        return found

    def read_cell(self, dataset: str, /, *, row: int, column: str, version: int | None = None) -> CellReport:
        """Return a cell: its value, the cells and rows behind it, back to the sources, and its caveats."""
        found: CellReport = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/cell",
            query={"row": row, "column": column, "version": version},
            answer=CellReport,
        )
        return found

    def find_doubt(
        self,
        dataset: str,
        /,
        *,
        row: int | None = None,
        column: str | None = None,
        direction: Literal["next", "previous"] = "next",
        version: int | None = None,
    ) -> DoubtfulCell | None:
        """Return the next (or previous) doubtful cell in reading order; after the last comes the first, null if
        none.

        A doubtful row counts as its first cell. Without `row` and `column` the search starts at the first (or
        last) cell.
        """
        found: DoubtfulCell | None = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/next-doubt",
            query={"row": row, "column": column, "direction": direction, "version": version},
            answer=DoubtfulCell | None,
        )
        return found

    def read_profile(self, dataset: str, /, *, column: str, version: int | None = None) -> ColumnProfile:
        """Return the profile of a column. It is computed at the first request, without Spark."""
        found: ColumnProfile = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/profile",
            query={"column": column, "version": version},
            answer=ColumnProfile,
        )
        return found

    def read_notes(self, dataset: str, /, *, version: int | None = None) -> Notes:
        """Return the notes about a result, such as joins that multiplied rows and values that were never data.

        A result whose lineage is still to be captured has its notes once that is done.
        """
        found: Notes = self.call(
            "GET", f"/api/datasets/{path_part(dataset)}/notes", query={"version": version}, answer=Notes
        )
        return found

    def suggest_checks(self, dataset: str, /) -> SuggestedChecks:
        """Suggest checks that hold for every row now, as the values of an `expect` cell. No Spark is needed."""
        found: SuggestedChecks = self.call("GET", f"/api/datasets/{path_part(dataset)}/checks", answer=SuggestedChecks)
        return found

    def preview_checks(self, dataset: str, /, *, checks: list[dict[str, object]]) -> CheckPreviews:
        """Count the rows that checks would mark. Nothing of it is stored.

        Checks that do not fit are no error of the request, because a form asks while it is being filled in.
        """
        found: CheckPreviews = self.call(
            "POST", f"/api/datasets/{path_part(dataset)}/checks/preview", body={"checks": checks}, answer=CheckPreviews
        )
        return found

    def list_caveats(
        self, dataset: str, /, *, column: str | None = None, row: int | None = None, version: int | None = None
    ) -> CaveatList:
        """Return the caveats behind a dataset, a row, a column or a cell, in groups."""
        found: CaveatList = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/caveats",
            query={"column": column, "row": row, "version": version},
            answer=CaveatList,
        )
        return found

    def acknowledge_caveats(
        self,
        dataset: str,
        /,
        *,
        group: str,
        places: list[int] | None = None,
        note: str = "",
        version: int | None = None,
        since: str | None = None,
    ) -> CaveatList:
        """Acknowledge caveats. They stay listed and flag nothing any more, in every dataset they reach."""
        found: CaveatList = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/caveats/acknowledge",
            body={"group": group, "note": note} | without_none({"places": places, "version": version, "since": since}),
            answer=CaveatList,
        )
        return found

    def revoke_caveats(
        self, dataset: str, /, *, group: str, version: int | None = None, since: str | None = None
    ) -> CaveatList:
        """Take back an acknowledgement, so that the caveats flag cells and rows again."""
        found: CaveatList = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/caveats/revoke",
            body={"group": group} | without_none({"version": version, "since": since}),
            answer=CaveatList,
        )
        return found

    def read_impact(
        self, dataset: str, /, *, group: str, version: int | None = None, since: str | None = None
    ) -> CaveatImpact:
        """Count the cells and rows of a dataset that a group of caveats may have changed."""
        found: CaveatImpact = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/caveats/impact",
            query={"group": group, "version": version, "since": since},
            answer=CaveatImpact,
        )
        return found

    def list_all_caveats(self, *, since: str | None = None) -> CaveatOverview:
        """Return every group of caveats behind the current datasets, with the datasets that each group reaches.

        With `since`, such as `dataset:prices@1` or `notebook:tour@12`, only the caveats that came after that
        version.
        """
        found: CaveatOverview = self.call("GET", "/api/caveats", query={"since": since}, answer=CaveatOverview)
        return found

    def count_caveats(self) -> CaveatCount:
        """Count the caveats of the workspace that are not acknowledged yet."""
        found: CaveatCount = self.call("GET", "/api/caveats/count", answer=CaveatCount)
        return found

    def read_density(self, dataset: str, /, *, buckets: int = 400, version: int | None = None) -> CaveatDensity:
        """Count the doubtful cells in each of equal stretches of the rows, for the rail beside a table."""
        found: CaveatDensity = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/caveat-density",
            query={"buckets": buckets, "version": version},
            answer=CaveatDensity,
        )
        return found

    def read_bounds(self, dataset: str, /, *, row: int, column: str, version: int | None = None) -> CellBounds:
        """Return the least and greatest value that a cell can have, given the ranges of caveats.

        Its query may run once more.
        """
        found: CellBounds = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/bounds",
            query={"row": row, "column": column, "version": version},
            answer=CellBounds,
        )
        return found

    def read_width_parts(
        self, dataset: str, /, *, row: int, column: str, version: int | None = None
    ) -> list[WidthPart]:
        """Return the caveats that make the bounds of a cell wide. Its query runs once or twice for each caveat."""
        found: list[WidthPart] = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/width-parts",
            query={"row": row, "column": column, "version": version},
            answer=list[WidthPart],
        )
        return found

    def read_widths(self, dataset: str, /, *, at_hand: bool = False, version: int | None = None) -> BoundWidths:
        """Return how wide the bounds of each column are. With `at_hand`, answer only if no query has to run for
        that.
        """
        found: BoundWidths = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/widths",
            query={"at_hand": at_hand, "version": version},
            answer=BoundWidths,
        )
        return found

    def trace_rows(
        self,
        dataset: str,
        /,
        *,
        direction: Literal["backward", "forward"],
        to: str,
        rows: list[int] | None = None,
        where: str | None = None,
        path: list[str] | None = None,
        influence: bool = False,
        version: int | None = None,
        offset: int = 0,
        limit: int = 50,
    ) -> TracedRows:
        """Follow rows backward to an ancestor or forward to a descendant. Return how many there are, and the first
        ones.
        """
        found: TracedRows = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/trace",
            body={"direction": direction, "to": to, "influence": influence, "offset": offset, "limit": limit}
            | without_none({"rows": rows, "where": where, "path": path, "version": version}),
            answer=TracedRows,
        )
        return found

    def read_way(self, dataset: str, /, *, row: int, column: str, most: int = 3, version: int | None = None) -> WayCell:
        """Return the way back from a cell, step by step, with `most` cells of each column at each step."""
        found: WayCell = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/way",
            query={"row": row, "column": column, "most": most, "version": version},
            answer=WayCell,
        )
        return found

    def read_reached(self, dataset: str, /, *, row: int, version: int | None = None) -> Reached:
        """Count the rows of each ancestor behind a row, and the rows of each current descendant made from it."""
        found: Reached = self.call(
            "GET", f"/api/datasets/{path_part(dataset)}/reached", query={"row": row, "version": version}, answer=Reached
        )
        return found

    def read_column_lineage(self, dataset: str, /, *, column: str, version: int | None = None) -> ColumnGraph:
        """Return the columns behind a column, back to what was loaded, and the current columns that were made from
        it.
        """
        found: ColumnGraph = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/column-lineage",
            query={"column": column, "version": version},
            answer=ColumnGraph,
        )
        return found

    def ask_why_not(
        self,
        dataset: str,
        /,
        *,
        source: str,
        row: int | None = None,
        where: str | None = None,
        version: int | None = None,
    ) -> WhyNotAnswer:
        """Return where rows of an ancestor went: the rows made from them, or the step and condition that left them
        out.
        """
        found: WhyNotAnswer = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/why-not",
            body={"source": source} | without_none({"row": row, "where": where, "version": version}),
            answer=WhyNotAnswer,
        )
        return found

    def read_graph(self) -> Graph:
        """Return every current dataset, and all that it was made from, as a graph of dataset versions."""
        found: Graph = self.call("GET", "/api/graph", answer=Graph)
        return found

    def upload(self, content: bytes, /, *, name: str) -> Upload:
        """Store the body of the request as a file of the workspace. A load cell reads it by the returned path."""
        found: Upload = self.call("POST", "/api/uploads", query={"name": name}, body=content, answer=Upload)
        return found

    def end_sessions(self, *, all: bool = False) -> EndedSessions:
        """Sign out the browser that asks, or every browser. Their open pages then get no more answers."""
        found: EndedSessions = self.call("POST", "/api/sessions/end", body={"all": all}, answer=EndedSessions)
        return found

    def make_tour(self) -> NotebookView:
        """Return the notebook of the tour. If it is missing, make it with its sample files, and run its cells."""
        found: NotebookView = self.call("POST", "/api/tour", body={}, answer=NotebookView)
        return found

    def list_recent_workspaces(self) -> list[RecentWorkspaceView]:
        """Return other workspaces that were served on this machine, the newest first, with the command that opens
        each.
        """
        found: list[RecentWorkspaceView] = self.call("GET", "/api/recent", answer=list[RecentWorkspaceView])
        return found

    def list_kinds(self) -> list[KindView]:
        """Return the kinds of cells, with their parameters."""
        found: list[KindView] = self.call("GET", "/api/kinds", answer=list[KindView])
        return found

    def list_notebooks(self) -> list[str]:
        """Return the notebooks of the workspace, oldest first."""
        found: list[str] = self.call("GET", "/api/notebooks", answer=list[str])
        return found

    def make_notebook(self, *, name: str) -> NotebookView:
        """Return the notebook of this name, and create it if it is missing."""
        found: NotebookView = self.call("POST", "/api/notebooks", body={"name": name}, answer=NotebookView)
        return found

    def list_sheets(self) -> list[SheetView]:
        """Return the sheets that were neither applied nor discarded."""
        found: list[SheetView] = self.call("GET", "/api/sheets", answer=list[SheetView])
        return found

    def make_sheet(self, *, dataset: str, version: int | None = None, resume: bool = False) -> SheetView:
        """Open a dataset version as a spreadsheet. The dataset itself never changes."""
        found: SheetView = self.call(
            "POST",
            "/api/sheets",
            body={"dataset": dataset, "resume": resume} | without_none({"version": version}),
            answer=SheetView,
        )
        return found

    def read_sheet(self, sheet: str, /) -> SheetView:
        """Return a sheet: its columns, its number of rows, its operations, and the edits that found no row."""
        found: SheetView = self.call("GET", f"/api/sheets/{path_part(sheet)}", answer=SheetView)
        return found

    def read_sheet_page(
        self, sheet: str, /, *, offset: int = 0, limit: int = 200, where: str | None = None
    ) -> PagedSheet:
        """Return what rows show, with the pending operations. No Spark is needed.

        With `where` only the rows for which a formula such as `[@price] > 10` is true; the sheet itself keeps
        all.
        """
        found: PagedSheet = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/page",
            query={"offset": offset, "limit": limit, "where": where},
            answer=PagedSheet,
        )
        return found

    def do_operation(
        self,
        sheet: str,
        /,
        *,
        operation: str,
        arguments: dict[str, object] | None = None,
        command_id: str | None = None,
    ) -> SheetView:
        """Do one operation in a sheet. It is stored when this call answers."""
        found: SheetView = self.call(
            "POST",
            f"/api/sheets/{path_part(sheet)}/operations",
            body={"operation": operation} | without_none({"arguments": arguments, "command_id": command_id}),
            answer=SheetView,
        )
        return found

    def discard_sheet(self, sheet: str, /) -> list[SheetView]:
        """Discard a sheet with all its operations."""
        found: list[SheetView] = self.call(
            "POST", f"/api/sheets/{path_part(sheet)}/discard", body={}, answer=list[SheetView]
        )
        return found

    def apply_sheet(
        self,
        sheet: str,
        /,
        *,
        notebook: str,
        base_version: int | None = None,
        command_id: str | None = None,
        name: str | None = None,
        position: int | None = None,
    ) -> AppliedSheet:
        """Save the pending operations as one sheet cell of a notebook, and close the sheet.

        A sheet is applied once: sent again, after an answer that was lost or a crash, this answers the same.
        """
        found: AppliedSheet = self.call(
            "POST",
            f"/api/sheets/{path_part(sheet)}/apply",
            body={"notebook": notebook}
            | without_none(
                {"base_version": base_version, "command_id": command_id, "name": name, "position": position}
            ),
            answer=AppliedSheet,
        )
        return found

    def find_home(self, sheet: str, /) -> SheetHome | None:
        """Return the notebook that makes the data of a sheet, and the position after that cell; null if there is
        none.
        """
        found: SheetHome | None = self.call("GET", f"/api/sheets/{path_part(sheet)}/home", answer=SheetHome | None)
        return found

    def read_chart_grammar(self) -> ChartGrammar:
        """Return the channels, geoms, stats, positions and scales of charts, with the options of each."""
        found: ChartGrammar = self.call("GET", "/api/chart-grammar", answer=ChartGrammar)
        return found

    def suggest_charts(self, dataset: str, /, *, version: int | None = None) -> list[SuggestedChart]:
        """Suggest up to three charts for a dataset."""
        found: list[SuggestedChart] = self.call(
            "GET", f"/api/datasets/{path_part(dataset)}/charts", query={"version": version}, answer=list[SuggestedChart]
        )
        return found

    def draw_chart(
        self, dataset: str, /, *, spec: dict[str, object], version: int | None = None, name: str | None = None
    ) -> DrawnChart:
        """Compute the marks of a chart and draw them. The same chart of the same version is not computed again.

        Without a name they are only looked at: listed nowhere, and gone after a day unless something was made
        from them.
        """
        found: DrawnChart = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/charts",
            body={"spec": spec} | without_none({"version": version, "name": name}),
            answer=DrawnChart,
        )
        return found

    def weigh_chart(
        self, dataset: str, /, *, spec: dict[str, object], version: int | None = None, name: str | None = None
    ) -> ChartCost:
        """Estimate what drawing a chart would read and make. Nothing is computed."""
        found: ChartCost = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/charts/cost",
            body={"spec": spec} | without_none({"version": version, "name": name}),
            answer=ChartCost,
        )
        return found

    def read_chart(self, chart: str, /) -> DrawnChart:
        """Return the chart whose marks this dataset holds. Its name may be `name@version`."""
        found: DrawnChart = self.call("GET", f"/api/charts/{path_part(chart)}/picture", answer=DrawnChart)
        return found

    def chart_code(self, chart: str, /) -> ChartCode:
        """Return a chart as the SELECT that computes its marks, and as Altair code."""
        found: ChartCode = self.call("GET", f"/api/charts/{path_part(chart)}/code", answer=ChartCode)
        return found

    def keep_rows(self, chart: str, /, *, marks: list[int], name: str | None = None) -> DatasetSummary:
        """Make a dataset of the rows behind some marks, in the order of the dataset they come from."""
        found: DatasetSummary = self.call(
            "POST",
            f"/api/charts/{path_part(chart)}/rows",
            body={"marks": marks} | without_none({"name": name}),
            answer=DatasetSummary,
        )
        return found

    def link_charts(self, *, charts: list[str], tables: list[str] | None = None) -> LinkedCharts:
        """Link charts and tables, so that a brush on one chart selects in all that share source rows with it."""
        found: LinkedCharts = self.call(
            "POST", "/api/links", body={"charts": charts} | without_none({"tables": tables}), answer=LinkedCharts
        )
        return found

    def prepare_brush(self, link: str, /, *, chart: int) -> list[str]:
        """Build what brushing a chart needs, before the pointer moves. Return which charts will not follow, and why."""
        found: list[str] = self.call(
            "POST", f"/api/links/{path_part(link)}/prepare", body={"chart": chart}, answer=list[str]
        )
        return found

    def brush_chart(
        self,
        link: str,
        /,
        *,
        chart: int,
        marks: list[int] | None = None,
        x: list[object] | None = None,
        y: list[object] | None = None,
        color: list[object] | None = None,
    ) -> BrushedCharts:
        """Select marks of one chart. Return every other chart over the selected rows. Brushes on several charts
        combine.
        """
        found: BrushedCharts = self.call(
            "POST",
            f"/api/links/{path_part(link)}/brush",
            body={"chart": chart} | without_none({"marks": marks, "x": x, "y": y, "color": color}),
            answer=BrushedCharts,
        )
        return found

    def selected_rows(self, link: str, /, *, table: int, limit: int = 200) -> SelectedRows:
        """Return the rows of a linked table behind what is brushed, or all of them without a brush."""
        found: SelectedRows = self.call(
            "POST", f"/api/links/{path_part(link)}/rows", body={"table": table, "limit": limit}, answer=SelectedRows
        )
        return found

    def clear_brush(self, link: str, /, *, chart: int | None = None) -> BrushedCharts:
        """Remove one brush or all. Return every chart over what is still selected."""
        found: BrushedCharts = self.call(
            "POST", f"/api/links/{path_part(link)}/clear", body=without_none({"chart": chart}), answer=BrushedCharts
        )
        return found

    def ask_question(self, *, chart: str) -> QuestionView:
        """Return what can be asked about the marks of a chart. It is an error if they are no aggregates."""
        found: QuestionView = self.call("POST", "/api/questions", body={"chart": chart}, answer=QuestionView)
        return found

    def read_question(self, question: str, /) -> SearchView:
        """Return the state of the search of a question, with the answers found so far."""
        found: SearchView = self.call("GET", f"/api/questions/{path_part(question)}", answer=SearchView)
        return found

    def search_answers(
        self,
        question: str,
        /,
        *,
        outliers: list[int],
        fine: list[int] | None = None,
        direction: Literal["high", "low", "wrong"] = "high",
        expected: dict[str, float] | None = None,
        attributes: list[str] | None = None,
    ) -> SearchView:
        """Start the search. Its answers can be read while it goes on."""
        found: SearchView = self.call(
            "POST",
            f"/api/questions/{path_part(question)}/search",
            body={"outliers": outliers, "direction": direction}
            | without_none({"fine": fine, "expected": expected, "attributes": attributes}),
            answer=SearchView,
        )
        return found

    def stop_search(self, question: str, /) -> SearchView:
        """End the search. The best answers so far stay."""
        found: SearchView = self.call("POST", f"/api/questions/{path_part(question)}/stop", body={}, answer=SearchView)
        return found

    def preview_answer(self, question: str, /, *, clauses: list[ClauseView], keep: bool = False) -> AnswerPreview:
        """Return the chart without the rows of a predicate, or of them alone, and the cells that would keep that."""
        found: AnswerPreview = self.call(
            "POST",
            f"/api/questions/{path_part(question)}/preview",
            body={"clauses": clauses, "keep": keep},
            answer=AnswerPreview,
        )
        return found

    def compare_answers(self, question: str, /, *, one: list[ClauseView], other: list[ClauseView]) -> ComparedAnswers:
        """Count the rows that two predicates take, and those that both take."""
        found: ComparedAnswers = self.call(
            "POST",
            f"/api/questions/{path_part(question)}/compare",
            body={"one": one, "other": other},
            answer=ComparedAnswers,
        )
        return found

    def read_sheet_density(self, sheet: str, /, *, buckets: int = 400, where: str | None = None) -> SheetDensityView:
        """Count the doubtful and the edited cells in each of equal stretches of the rows."""
        found: SheetDensityView = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/density",
            query={"buckets": buckets, "where": where},
            answer=SheetDensityView,
        )
        return found

    def find_sheet_doubt(
        self,
        sheet: str,
        /,
        *,
        row: int | None = None,
        column: str | None = None,
        direction: Literal["next", "previous"] = "next",
        where: str | None = None,
    ) -> SheetPlace | None:
        """Return the next (or previous) doubtful cell in reading order; after the last comes the first, null if
        none.
        """
        found: SheetPlace | None = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/next-doubt",
            query={"row": row, "column": column, "direction": direction, "where": where},
            answer=SheetPlace | None,
        )
        return found

    def find_sheet_text(
        self,
        sheet: str,
        /,
        *,
        text: str,
        row: int | None = None,
        column: str | None = None,
        direction: Literal["next", "previous"] = "next",
        where: str | None = None,
    ) -> SheetPlace | None:
        """Return the nearest cell that shows a text, whatever its capitals; null if there is none."""
        found: SheetPlace | None = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/find",
            query={"text": text, "row": row, "column": column, "direction": direction, "where": where},
            answer=SheetPlace | None,
        )
        return found

    def sum_up(
        self, sheet: str, /, *, column: list[str], start: int = 0, stop: int | None = None, where: str | None = None
    ) -> SheetSummary:
        """Count and add up the cells of rows start..stop-1 in these columns."""
        found: SheetSummary = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/summary",
            query={"column": column, "start": start, "stop": stop, "where": where},
            answer=SheetSummary,
        )
        return found

    def read_sheet_history(self, sheet: str, /, *, row: str, column: str) -> SheetCellHistory:
        """Return what was done to one cell, step by step. The row is named by its key."""
        found: SheetCellHistory = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/history",
            query={"row": row, "column": column},
            answer=SheetCellHistory,
        )
        return found

    def count_identical(self, sheet: str, /, *, row: str, column: str) -> IdenticalCells:
        """Count the cells that `apply_to_identical` would change."""
        found: IdenticalCells = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/identical",
            query={"row": row, "column": column},
            answer=IdenticalCells,
        )
        return found

    def read_sheet_values(
        self, sheet: str, /, *, column: str, limit: int = 200, text: str = "", where: str | None = None
    ) -> SheetValues:
        """Return the values of a column with their counts, the most frequent first; with `text`, those that contain
        it.
        """
        found: SheetValues = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/values",
            query={"column": column, "limit": limit, "text": text, "where": where},
            answer=SheetValues,
        )
        return found

    def find_clusters(
        self,
        sheet: str,
        /,
        *,
        column: str,
        method: Literal["fingerprint", "ngram", "phonetic", "distance"] = "fingerprint",
        where: str | None = None,
    ) -> SheetClusters:
        """Return groups of values of a column that are probably the same."""
        found: SheetClusters = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/clusters",
            query={"column": column, "method": method, "where": where},
            answer=SheetClusters,
        )
        return found

    def preview_sheet(self, sheet: str, /, *, operations: list[SheetOperation], limit: int = 8) -> SheetPreviewView:
        """Return what operations would change in the first rows of a sheet. Nothing is stored, and no Spark is
        needed.
        """
        found: SheetPreviewView = self.call(
            "POST",
            f"/api/sheets/{path_part(sheet)}/preview",
            body={"operations": operations, "limit": limit},
            answer=SheetPreviewView,
        )
        return found

    def list_sheet_functions(self) -> list[SheetFunctionView]:
        """Return the functions that formulas can call."""
        found: list[SheetFunctionView] = self.call("GET", "/api/sheet-functions", answer=list[SheetFunctionView])
        return found

    def read_notebook(self, notebook: str, /) -> NotebookView:
        """Return a notebook with its cells as they are now; through a share link, as they were when the link was
        made.
        """
        found: NotebookView = self.call("GET", f"/api/notebooks/{path_part(notebook)}", answer=NotebookView)
        return found

    def remove_notebook(self, notebook: str, /) -> list[str]:
        """Delete a notebook with its history. Return the notebooks that are left."""
        found: list[str] = self.call("POST", f"/api/notebooks/{path_part(notebook)}/remove", body={}, answer=list[str])
        return found

    def add_cell(
        self,
        notebook: str,
        /,
        *,
        kind: str,
        base_version: int | None = None,
        command_id: str | None = None,
        values: dict[str, object] | None = None,
        position: int | None = None,
        is_draft: bool = False,
    ) -> Edited:
        """Add a cell. It runs at once unless it is a draft or the notebook is lazy."""
        found: Edited = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cells",
            body={"kind": kind, "is_draft": is_draft}
            | without_none(
                {"base_version": base_version, "command_id": command_id, "values": values, "position": position}
            ),
            answer=Edited,
        )
        return found

    def change_cell(
        self,
        notebook: str,
        cell: str,
        /,
        *,
        base_version: int | None = None,
        command_id: str | None = None,
        kind: str | None = None,
        values: dict[str, object] | None = None,
    ) -> Edited:
        """Change a cell. The status is 409 if someone else changed it since the base version; both texts are kept."""
        found: Edited = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/change",
            body=without_none({"base_version": base_version, "command_id": command_id, "kind": kind, "values": values}),
            answer=Edited,
        )
        return found

    def remove_cell(
        self, notebook: str, cell: str, /, *, base_version: int | None = None, command_id: str | None = None
    ) -> Edited:
        """Delete a cell. Earlier versions still have it."""
        found: Edited = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/remove",
            body=without_none({"base_version": base_version, "command_id": command_id}),
            answer=Edited,
        )
        return found

    def move_cell(
        self,
        notebook: str,
        cell: str,
        /,
        *,
        position: int,
        base_version: int | None = None,
        command_id: str | None = None,
    ) -> Edited:
        """Move a cell to another position."""
        found: Edited = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/move",
            body={"position": position} | without_none({"base_version": base_version, "command_id": command_id}),
            answer=Edited,
        )
        return found

    def freeze_cell(self, notebook: str, cell: str, /) -> Edited:
        """Freeze a cell: it keeps its results, whatever changes in the cells above it."""
        found: Edited = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/freeze", body={}, answer=Edited
        )
        return found

    def thaw_cell(self, notebook: str, cell: str, /) -> Edited:
        """Let a frozen cell run again."""
        found: Edited = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/thaw", body={}, answer=Edited
        )
        return found

    def run_cells(
        self,
        notebook: str,
        /,
        *,
        cell: str | None = None,
        what: Literal["cell", "below", "upstream", "all", "stale"] = "all",
        again: bool = False,
    ) -> NotebookView:
        """Run cells. Events tell how they get on."""
        found: NotebookView = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/run",
            body={"what": what, "again": again} | without_none({"cell": cell}),
            answer=NotebookView,
        )
        return found

    def cancel_cells(self, notebook: str, /, *, cell: str | None = None, hard: bool = False) -> NotebookView:
        """Stop cells. Their results from earlier runs stay."""
        found: NotebookView = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cancel",
            body={"hard": hard} | without_none({"cell": cell}),
            answer=NotebookView,
        )
        return found

    def set_mode(self, notebook: str, /, *, mode: Literal["auto", "lazy", "session"]) -> NotebookView:
        """Set whether edits run the cells that they make stale, or only mark them."""
        found: NotebookView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/mode", body={"mode": mode}, answer=NotebookView
        )
        return found

    def read_session(self, notebook: str, /) -> SessionView:
        """Return the state of the session: whether variables exist, and which cells are out of date."""
        found: SessionView = self.call("GET", f"/api/notebooks/{path_part(notebook)}/session", answer=SessionView)
        return found

    def restart_session(self, notebook: str, /) -> SessionView:
        """End the interpreter with all its variables. The next Python cell starts a new one."""
        found: SessionView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/session/restart", body={}, answer=SessionView
        )
        return found

    def find_upstream(self, notebook: str, /, *, cell: str) -> UpstreamView:
        """Return the cells to run, in order, so that a cell of a session uses nothing out of date."""
        found: UpstreamView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/session/upstream", body={"cell": cell}, answer=UpstreamView
        )
        return found

    def make_workflow(self, notebook: str, /) -> WorkflowView:
        """Turn a session into a notebook whose cells share no variables, as a new version, if some order allows it."""
        found: WorkflowView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/session/workflow", body={}, answer=WorkflowView
        )
        return found

    def read_history(self, notebook: str, /) -> list[VersionView]:
        """Return every version of every branch, oldest first."""
        found: list[VersionView] = self.call(
            "GET", f"/api/notebooks/{path_part(notebook)}/history", answer=list[VersionView]
        )
        return found

    def read_version(self, notebook: str, version: int, /) -> list[CellView]:
        """Return the cells of a version with the results they had. A cell whose inputs have changed since is stale."""
        found: list[CellView] = self.call(
            "GET", f"/api/notebooks/{path_part(notebook)}/versions/{path_part(version)}", answer=list[CellView]
        )
        return found

    def compare_versions(self, notebook: str, /, *, before: int, after: int) -> Comparison:
        """Compare two versions: their cells with the texts, and their final datasets as far as the cells ran."""
        found: Comparison = self.call(
            "GET",
            f"/api/notebooks/{path_part(notebook)}/compare",
            query={"before": before, "after": after},
            answer=Comparison,
        )
        return found

    def make_branch(self, notebook: str, /, *, name: str, at: int | None = None) -> NotebookView:
        """Make a branch that begins at any version."""
        found: NotebookView = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/branches",
            body={"name": name} | without_none({"at": at}),
            answer=NotebookView,
        )
        return found

    def check_out(self, notebook: str, /, *, branch: str) -> NotebookView:
        """Switch to another branch: to its cells, and in the workspace to its datasets."""
        found: NotebookView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/checkout", body={"branch": branch}, answer=NotebookView
        )
        return found

    def restore_version(self, notebook: str, /, *, version: int) -> NotebookView:
        """Bring an earlier version back, as a new one."""
        found: NotebookView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/restore", body={"version": version}, answer=NotebookView
        )
        return found

    def preview_cell(
        self, notebook: str, cell: str, /, *, values: dict[str, object] | None = None, form: str = ""
    ) -> CellPreview:
        """Return what a cell would do with these values. Nothing of it is stored.

        Values that do not fit are no error of the request, because a form asks while it is being filled in.
        """
        found: CellPreview = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/preview",
            body={"form": form} | without_none({"values": values}),
            answer=CellPreview,
        )
        return found

    def rename_notebook(self, notebook: str, /, *, name: str) -> NotebookView:
        """Give a notebook another name. Its history and its share links stay."""
        found: NotebookView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/rename", body={"name": name}, answer=NotebookView
        )
        return found

    def copy_notebook(self, notebook: str, /, *, name: str) -> NotebookView:
        """Copy the cells of a notebook to a new one, give their datasets other names, and run the copies."""
        found: NotebookView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/copy", body={"name": name}, answer=NotebookView
        )
        return found

    def list_report_columns(self, notebook: str, /) -> list[HideableColumn]:
        """Return the columns that a report of a notebook may show, with those of the files behind its values."""
        found: list[HideableColumn] = self.call(
            "GET", f"/api/notebooks/{path_part(notebook)}/report/columns", answer=list[HideableColumn]
        )
        return found

    def download_notebook(
        self,
        notebook: str,
        /,
        *,
        format: Literal["report", "jupyter", "script", "text"] = "jupyter",
        redact: str | None = None,
    ) -> bytes:
        """Return a notebook as a report, for Jupyter with outputs, as a script (a zip file if it needs data), or as
        text.

        A report hides the values of the columns in `redact`, a JSON list of names, each `column` or
        `dataset.column`.
        """
        found: bytes = self.call(
            "GET",
            f"/api/notebooks/{path_part(notebook)}/download",
            query={"format": format, "redact": redact},
            answer=bytes,
        )
        return found

    def arrange_page(
        self,
        notebook: str,
        /,
        *,
        items: list[PlacedItem],
        base_version: int | None = None,
        command_id: str | None = None,
    ) -> Edited:
        """Arrange the page of a notebook. The status is 409 if an item was moved by someone else since the base
        version.
        """
        found: Edited = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/page",
            body={"items": items} | without_none({"base_version": base_version, "command_id": command_id}),
            answer=Edited,
        )
        return found

    def set_parameters(self, notebook: str, /, *, values: dict[str, object]) -> Edited:
        """Change parameters, each in the last parameters cell that sets it. The cells that depend on them run."""
        found: Edited = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/parameters", body={"values": values}, answer=Edited
        )
        return found

    def list_shares(self, notebook: str, /) -> list[ShareView]:
        """Return the links to versions of a notebook that are still valid, oldest first."""
        found: list[ShareView] = self.call(
            "GET", f"/api/notebooks/{path_part(notebook)}/shares", answer=list[ShareView]
        )
        return found

    def make_share(self, notebook: str, /, *, version: int | None = None, days: float | None = 30) -> ShareView:
        """Make a link to one version with its present results. Only this answer holds the link's secret."""
        found: ShareView = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/shares",
            body={"days": days} | without_none({"version": version}),
            answer=ShareView,
        )
        return found

    def revoke_share(self, notebook: str, share: str, /) -> list[ShareView]:
        """End a link. Return the links that are left."""
        found: list[ShareView] = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/shares/{path_part(share)}/revoke",
            body={},
            answer=list[ShareView],
        )
        return found

    def read_frame(
        self,
        notebook: str,
        cell: str,
        /,
        *,
        output: int,
        content: str = "",
        theme: Literal["light", "dark", "system"] = "system",
        version: int | None = None,
    ) -> str:
        """Return an output of a cell as a sandboxed document, whose scripts reach neither the page nor the network.

        `content` is a hash of the output, so that the address changes with it. `theme` is that of the page around
        it. A share link shows its own version, whichever `version` names.
        """
        found: str = self.call(
            "GET",
            f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/frame",
            query={"output": output, "content": content, "theme": theme, "version": version},
            answer=str,
        )
        return found
