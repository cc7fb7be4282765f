"""A method for each operation of a server; made by tools/python_client.py from its contract, not edited."""

from __future__ import annotations

from typing import Literal

from whence.client.connection import Connection, given, path_part
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
        """Whether the process answers at all."""
        found: Health = self.call("GET", "/health", answer=Health)
        return found

    def read_about(self) -> About:
        """The version of whence, the state of its Spark engine, which starts when it is first needed, and who asks."""
        found: About = self.call("GET", "/api/about", answer=About)
        return found

    def list_datasets(self) -> list[DatasetSummary]:
        """Every dataset of the workspace at its current version, in the order they were made."""
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
        """Up to `limit` rows from `offset` on, with their ids, marks and file lines; past the end, none.

        `sort` is a JSON list of columns or `[column, "desc"]` pairs, `filter` one of `[column, comparison,
        value]`; such a view is an array of row ids that is computed once for a dataset version, without Spark.
        `rids` is a JSON list of the ids of at most 1,000 rows to return instead, in that order; ids that are not
        there are left out.
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
        """All rows in the order of the dataset, as a CSV, Excel or Parquet file; written without Spark."""
        found: bytes = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/download",
            query={"format": format, "version": version},
            answer=bytes,
        )
        return found

    def rename_dataset(self, dataset: str, /, *, name: str) -> RenamedDataset:
        """Give a dataset that a notebook makes another name, in all cells that make or read it, as one version each."""
        found: RenamedDataset = self.call(
            "POST", f"/api/datasets/{path_part(dataset)}/rename", body={"name": name}, answer=RenamedDataset
        )
        return found

    def remove_dataset(self, dataset: str, /, *, dependants: Literal["keep", "remove"] | None = None) -> list[str]:
        """Delete all versions of a dataset that no notebook makes, for good; the labels of what was deleted."""
        found: list[str] = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/remove",
            body=given({"dependants": dependants}),
            answer=list[str],
        )
        return found

    def plan_forgetting(self, dataset: str, /, *, where: str) -> ForgettingPlanView:
        """What forgetting the rows for which a condition holds would do: nothing happens yet."""
        found: ForgettingPlanView = self.call(
            "POST", f"/api/datasets/{path_part(dataset)}/forget/plan", body={"where": where}, answer=ForgettingPlanView
        )
        return found

    def forget_rows(self, dataset: str, /, *, where: str, plan: str, confirmation: str) -> CertificateView:
        """Forget the rows for which a condition holds, for good, if the plan is still the one that was shown."""
        found: CertificateView = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/forget",
            body={"where": where, "plan": plan, "confirmation": confirmation},
            answer=CertificateView,
        )
        return found

    def read_cell(self, dataset: str, /, *, row: int, column: str, version: int | None = None) -> CellReport:
        """One cell: value, the cells and rows behind it from direct inputs back to the sources, and its caveats."""
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
        """The doubtful cell after (or before) a cell in reading order, going round at the end; null if there is
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
        """One column's profile; computed when it is first asked for, without Spark."""
        found: ColumnProfile = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/profile",
            query={"column": column, "version": version},
            answer=ColumnProfile,
        )
        return found

    def read_notes(self, dataset: str, /, *, version: int | None = None) -> Notes:
        """Joins that multiplied or lost rows, filters that left nothing, vanished groups, values that were never
        data.

        A result whose lineage is still to be captured has its notes once that is done.
        """
        found: Notes = self.call(
            "GET", f"/api/datasets/{path_part(dataset)}/notes", query={"version": version}, answer=Notes
        )
        return found

    def suggest_checks(self, dataset: str, /) -> SuggestedChecks:
        """Checks that hold for every row now, as the values of an `expect` cell; found without Spark."""
        found: SuggestedChecks = self.call("GET", f"/api/datasets/{path_part(dataset)}/checks", answer=SuggestedChecks)
        return found

    def preview_checks(self, dataset: str, /, *, checks: list[dict[str, object]]) -> CheckPreviews:
        """How many rows checks would mark; nothing of it is stored.

        Checks that do not fit are no error of the request, because a form asks while it is being filled in.
        """
        found: CheckPreviews = self.call(
            "POST", f"/api/datasets/{path_part(dataset)}/checks/preview", body={"checks": checks}, answer=CheckPreviews
        )
        return found

    def list_caveats(
        self, dataset: str, /, *, column: str | None = None, row: int | None = None, version: int | None = None
    ) -> CaveatList:
        """The caveats behind a dataset, a row, a column or a cell, in groups."""
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
        """Acknowledge caveats: they stay listed and no longer mark, here and in all they reach."""
        found: CaveatList = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/caveats/acknowledge",
            body={"group": group, "note": note} | given({"places": places, "version": version, "since": since}),
            answer=CaveatList,
        )
        return found

    def revoke_caveats(
        self, dataset: str, /, *, group: str, version: int | None = None, since: str | None = None
    ) -> CaveatList:
        """Doubt again what was acknowledged."""
        found: CaveatList = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/caveats/revoke",
            body={"group": group} | given({"version": version, "since": since}),
            answer=CaveatList,
        )
        return found

    def read_impact(
        self, dataset: str, /, *, group: str, version: int | None = None, since: str | None = None
    ) -> CaveatImpact:
        """How many cells and rows of a dataset a group of caveats may have changed."""
        found: CaveatImpact = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/caveats/impact",
            query={"group": group, "version": version, "since": since},
            answer=CaveatImpact,
        )
        return found

    def list_all_caveats(self, *, since: str | None = None) -> CaveatOverview:
        """Every group of caveats behind any current dataset, with the datasets each reaches.

        With `since`, such as `dataset:prices@1` or `notebook:tour@12`, only the caveats that came after that
        version.
        """
        found: CaveatOverview = self.call("GET", "/api/caveats", query={"since": since}, answer=CaveatOverview)
        return found

    def count_caveats(self) -> CaveatCount:
        """How many caveats of the workspace are not acknowledged yet."""
        found: CaveatCount = self.call("GET", "/api/caveats/count", answer=CaveatCount)
        return found

    def read_density(self, dataset: str, /, *, buckets: int = 400, version: int | None = None) -> CaveatDensity:
        """How many doubtful cells lie in each of equal stretches of the rows: the rail beside a table."""
        found: CaveatDensity = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/caveat-density",
            query={"buckets": buckets, "version": version},
            answer=CaveatDensity,
        )
        return found

    def read_bounds(self, dataset: str, /, *, row: int, column: str, version: int | None = None) -> CellBounds:
        """The least and the greatest value that a cell can have, by the ranges of caveats; its query may run once
        more.
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
        """The caveats that make the bounds of a cell as wide as they are; its query runs once or twice for each."""
        found: list[WidthPart] = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/width-parts",
            query={"row": row, "column": column, "version": version},
            answer=list[WidthPart],
        )
        return found

    def read_widths(self, dataset: str, /, *, at_hand: bool = False, version: int | None = None) -> BoundWidths:
        """How wide the bounds of each column are; with `at_hand` only if no query has to run for that."""
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
        """Follow rows backward to an ancestor or forward to a descendant: how many there are, and the first of them."""
        found: TracedRows = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/trace",
            body={"direction": direction, "to": to, "influence": influence, "offset": offset, "limit": limit}
            | given({"rows": rows, "where": where, "path": path, "version": version}),
            answer=TracedRows,
        )
        return found

    def read_way(self, dataset: str, /, *, row: int, column: str, most: int = 3, version: int | None = None) -> WayCell:
        """What a cell was made from, what that was made from, and so on; `most` cells of each column at each step."""
        found: WayCell = self.call(
            "GET",
            f"/api/datasets/{path_part(dataset)}/way",
            query={"row": row, "column": column, "most": most, "version": version},
            answer=WayCell,
        )
        return found

    def read_reached(self, dataset: str, /, *, row: int, version: int | None = None) -> Reached:
        """How many rows of each ancestor lie behind a row, and how many of each current descendant it went into."""
        found: Reached = self.call(
            "GET", f"/api/datasets/{path_part(dataset)}/reached", query={"row": row, "version": version}, answer=Reached
        )
        return found

    def read_column_lineage(self, dataset: str, /, *, column: str, version: int | None = None) -> ColumnGraph:
        """The columns behind a column back to what was loaded, and those of current datasets that were made of it."""
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
        """Where rows of an ancestor went: the rows they are in, or the step and the condition that left them out."""
        found: WhyNotAnswer = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/why-not",
            body={"source": source} | given({"row": row, "where": where, "version": version}),
            answer=WhyNotAnswer,
        )
        return found

    def read_graph(self) -> Graph:
        """Every current dataset and all it was made from, as a graph of dataset versions."""
        found: Graph = self.call("GET", "/api/graph", answer=Graph)
        return found

    def upload(self, content: bytes, /, *, name: str) -> Upload:
        """Keep the body of the request as a file of the workspace; a load cell reads it by the path given back."""
        found: Upload = self.call("POST", "/api/uploads", query={"name": name}, body=content, answer=Upload)
        return found

    def end_sessions(self, *, all: bool = False) -> EndedSessions:
        """Sign out the browser that asks, or every browser; open pages of theirs then lead nowhere."""
        found: EndedSessions = self.call("POST", "/api/sessions/end", body={"all": all}, answer=EndedSessions)
        return found

    def make_tour(self) -> NotebookView:
        """Return the notebook of the tour, with its sample files; it is made if it is missing, and its cells run."""
        found: NotebookView = self.call("POST", "/api/tour", body={}, answer=NotebookView)
        return found

    def list_recent_workspaces(self) -> list[RecentWorkspaceView]:
        """Other workspaces that were served on this machine, the newest first, with the command that opens each."""
        found: list[RecentWorkspaceView] = self.call("GET", "/api/recent", answer=list[RecentWorkspaceView])
        return found

    def list_kinds(self) -> list[KindView]:
        """The kinds of cells, with the parameters their forms ask for."""
        found: list[KindView] = self.call("GET", "/api/kinds", answer=list[KindView])
        return found

    def list_notebooks(self) -> list[str]:
        """The notebooks of the workspace, oldest first."""
        found: list[str] = self.call("GET", "/api/notebooks", answer=list[str])
        return found

    def make_notebook(self, *, name: str) -> NotebookView:
        """A notebook of this name, made if it is missing."""
        found: NotebookView = self.call("POST", "/api/notebooks", body={"name": name}, answer=NotebookView)
        return found

    def list_sheets(self) -> list[SheetView]:
        """The sheets that were neither applied nor discarded."""
        found: list[SheetView] = self.call("GET", "/api/sheets", answer=list[SheetView])
        return found

    def make_sheet(self, *, dataset: str, version: int | None = None, resume: bool = False) -> SheetView:
        """Open a dataset version as a spreadsheet; the dataset itself never changes."""
        found: SheetView = self.call(
            "POST",
            "/api/sheets",
            body={"dataset": dataset, "resume": resume} | given({"version": version}),
            answer=SheetView,
        )
        return found

    def read_sheet(self, sheet: str, /) -> SheetView:
        """A sheet: its columns, how many rows, what was done and what of it found no row."""
        found: SheetView = self.call("GET", f"/api/sheets/{path_part(sheet)}", answer=SheetView)
        return found

    def read_sheet_page(
        self, sheet: str, /, *, offset: int = 0, limit: int = 200, where: str | None = None
    ) -> PagedSheet:
        """What rows show, pending operations included; computed without Spark.

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
        """Do one thing in a sheet; when this answers, it is kept."""
        found: SheetView = self.call(
            "POST",
            f"/api/sheets/{path_part(sheet)}/operations",
            body={"operation": operation} | given({"arguments": arguments, "command_id": command_id}),
            answer=SheetView,
        )
        return found

    def discard_sheet(self, sheet: str, /) -> list[SheetView]:
        """Drop what was done in a sheet."""
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
        """Make the pending operations one sheet cell of a notebook, and close the sheet.

        A sheet is applied once: sent again, after an answer that was lost or a crash, this answers the same.
        """
        found: AppliedSheet = self.call(
            "POST",
            f"/api/sheets/{path_part(sheet)}/apply",
            body={"notebook": notebook}
            | given({"base_version": base_version, "command_id": command_id, "name": name, "position": position}),
            answer=AppliedSheet,
        )
        return found

    def find_home(self, sheet: str, /) -> SheetHome | None:
        """The notebook that makes the data of a sheet, and the place right after the cell that makes it; null if
        none.
        """
        found: SheetHome | None = self.call("GET", f"/api/sheets/{path_part(sheet)}/home", answer=SheetHome | None)
        return found

    def read_chart_grammar(self) -> ChartGrammar:
        """The channels, geoms, stats, positions and scales of charts, with the options their forms ask for."""
        found: ChartGrammar = self.call("GET", "/api/chart-grammar", answer=ChartGrammar)
        return found

    def suggest_charts(self, dataset: str, /, *, version: int | None = None) -> list[SuggestedChart]:
        """Three charts for a dataset that nobody has looked at yet."""
        found: list[SuggestedChart] = self.call(
            "GET", f"/api/datasets/{path_part(dataset)}/charts", query={"version": version}, answer=list[SuggestedChart]
        )
        return found

    def draw_chart(
        self, dataset: str, /, *, spec: dict[str, object], version: int | None = None, name: str | None = None
    ) -> DrawnChart:
        """Compute the marks of a chart and draw them; the same chart of the same version is not computed again.

        Without a name they are only looked at: listed nowhere, and gone after a day unless something was made
        from them.
        """
        found: DrawnChart = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/charts",
            body={"spec": spec} | given({"version": version, "name": name}),
            answer=DrawnChart,
        )
        return found

    def weigh_chart(
        self, dataset: str, /, *, spec: dict[str, object], version: int | None = None, name: str | None = None
    ) -> ChartCost:
        """What drawing a chart would mean; nothing is computed."""
        found: ChartCost = self.call(
            "POST",
            f"/api/datasets/{path_part(dataset)}/charts/cost",
            body={"spec": spec} | given({"version": version, "name": name}),
            answer=ChartCost,
        )
        return found

    def read_chart(self, chart: str, /) -> DrawnChart:
        """The chart whose marks are this dataset, by name or `name@version`."""
        found: DrawnChart = self.call("GET", f"/api/charts/{path_part(chart)}/picture", answer=DrawnChart)
        return found

    def chart_code(self, chart: str, /) -> ChartCode:
        """A chart as the SELECT of its marks, and as Altair code."""
        found: ChartCode = self.call("GET", f"/api/charts/{path_part(chart)}/code", answer=ChartCode)
        return found

    def keep_rows(self, chart: str, /, *, marks: list[int], name: str | None = None) -> DatasetSummary:
        """The rows behind some marks as a dataset of its own, in the order they have in theirs."""
        found: DatasetSummary = self.call(
            "POST",
            f"/api/charts/{path_part(chart)}/rows",
            body={"marks": marks} | given({"name": name}),
            answer=DatasetSummary,
        )
        return found

    def link_charts(self, *, charts: list[str], tables: list[str] | None = None) -> LinkedCharts:
        """Look at charts together: a brush on one selects in all, and in the tables, that share source rows."""
        found: LinkedCharts = self.call(
            "POST", "/api/links", body={"charts": charts} | given({"tables": tables}), answer=LinkedCharts
        )
        return found

    def prepare_brush(self, link: str, /, *, chart: int) -> list[str]:
        """Build what brushing a chart needs, before the pointer moves; which charts will not follow, and why."""
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
        """Select in one chart; every other with its values over the selected rows. Brushes on several charts
        combine.
        """
        found: BrushedCharts = self.call(
            "POST",
            f"/api/links/{path_part(link)}/brush",
            body={"chart": chart} | given({"marks": marks, "x": x, "y": y, "color": color}),
            answer=BrushedCharts,
        )
        return found

    def selected_rows(self, link: str, /, *, table: int, limit: int = 200) -> SelectedRows:
        """The rows of a linked table behind what is brushed: all of them if nothing is."""
        found: SelectedRows = self.call(
            "POST", f"/api/links/{path_part(link)}/rows", body={"table": table, "limit": limit}, answer=SelectedRows
        )
        return found

    def clear_brush(self, link: str, /, *, chart: int | None = None) -> BrushedCharts:
        """Take a brush away, or all of them; every chart over what is still selected."""
        found: BrushedCharts = self.call(
            "POST", f"/api/links/{path_part(link)}/clear", body=given({"chart": chart}), answer=BrushedCharts
        )
        return found

    def ask_question(self, *, chart: str) -> QuestionView:
        """What can be asked about the marks of a chart; refused with the reason if they are no aggregates."""
        found: QuestionView = self.call("POST", "/api/questions", body={"chart": chart}, answer=QuestionView)
        return found

    def read_question(self, question: str, /) -> SearchView:
        """How the search of a question stands."""
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
        """Begin to search; what is found can be read while it goes on."""
        found: SearchView = self.call(
            "POST",
            f"/api/questions/{path_part(question)}/search",
            body={"outliers": outliers, "direction": direction}
            | given({"fine": fine, "expected": expected, "attributes": attributes}),
            answer=SearchView,
        )
        return found

    def stop_search(self, question: str, /) -> SearchView:
        """End the search; the best so far stays."""
        found: SearchView = self.call("POST", f"/api/questions/{path_part(question)}/stop", body={}, answer=SearchView)
        return found

    def preview_answer(self, question: str, /, *, clauses: list[ClauseView], keep: bool = False) -> AnswerPreview:
        """The chart without the rows of a predicate, or with them alone, and the cells that would make that last."""
        found: AnswerPreview = self.call(
            "POST",
            f"/api/questions/{path_part(question)}/preview",
            body={"clauses": clauses, "keep": keep},
            answer=AnswerPreview,
        )
        return found

    def compare_answers(self, question: str, /, *, one: list[ClauseView], other: list[ClauseView]) -> ComparedAnswers:
        """How far two predicates are about the same rows."""
        found: ComparedAnswers = self.call(
            "POST",
            f"/api/questions/{path_part(question)}/compare",
            body={"one": one, "other": other},
            answer=ComparedAnswers,
        )
        return found

    def read_sheet_density(self, sheet: str, /, *, buckets: int = 400, where: str | None = None) -> SheetDensityView:
        """How many doubtful and how many edited cells lie in each of equal stretches of the rows."""
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
        """The doubtful cell after (or before) a cell in reading order, going round at the end; null if there is
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
        """The nearest cell that shows a text, however it is capitalised; null if there is none."""
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
        """What the cells of rows start..stop-1 come to in these columns."""
        found: SheetSummary = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/summary",
            query={"column": column, "start": start, "stop": stop, "where": where},
            answer=SheetSummary,
        )
        return found

    def read_sheet_history(self, sheet: str, /, *, row: str, column: str) -> SheetCellHistory:
        """What was done to one cell, the row named by its key."""
        found: SheetCellHistory = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/history",
            query={"row": row, "column": column},
            answer=SheetCellHistory,
        )
        return found

    def count_identical(self, sheet: str, /, *, row: str, column: str) -> IdenticalCells:
        """How many cells `apply_to_identical` would change."""
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
        """The values of a column with their counts, the most frequent first; with `text` only those that contain it."""
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
        """Values of a column that are probably the same."""
        found: SheetClusters = self.call(
            "GET",
            f"/api/sheets/{path_part(sheet)}/clusters",
            query={"column": column, "method": method, "where": where},
            answer=SheetClusters,
        )
        return found

    def preview_sheet(self, sheet: str, /, *, operations: list[SheetOperation], limit: int = 8) -> SheetPreviewView:
        """What operations would change in the first rows of a sheet; nothing is kept, and nothing is computed in
        Spark.
        """
        found: SheetPreviewView = self.call(
            "POST",
            f"/api/sheets/{path_part(sheet)}/preview",
            body={"operations": operations, "limit": limit},
            answer=SheetPreviewView,
        )
        return found

    def list_sheet_functions(self) -> list[SheetFunctionView]:
        """The functions that formulas can call."""
        found: list[SheetFunctionView] = self.call("GET", "/api/sheet-functions", answer=list[SheetFunctionView])
        return found

    def read_notebook(self, notebook: str, /) -> NotebookView:
        """A notebook with its cells as they stand; by a share link, as they stood when it was made."""
        found: NotebookView = self.call("GET", f"/api/notebooks/{path_part(notebook)}", answer=NotebookView)
        return found

    def remove_notebook(self, notebook: str, /) -> list[str]:
        """Delete a notebook with its history; the notebooks that are left."""
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
        """Put a cell in; it runs at once unless it is a draft or the notebook is lazy."""
        found: Edited = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cells",
            body={"kind": kind, "is_draft": is_draft}
            | given({"base_version": base_version, "command_id": command_id, "values": values, "position": position}),
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
        """Change what a cell says; 409 if somebody else changed it since the base version, and both texts are kept."""
        found: Edited = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/change",
            body=given({"base_version": base_version, "command_id": command_id, "kind": kind, "values": values}),
            answer=Edited,
        )
        return found

    def remove_cell(
        self, notebook: str, cell: str, /, *, base_version: int | None = None, command_id: str | None = None
    ) -> Edited:
        """Take a cell out; earlier versions keep it."""
        found: Edited = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/remove",
            body=given({"base_version": base_version, "command_id": command_id}),
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
        """Put a cell at another place."""
        found: Edited = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/move",
            body={"position": position} | given({"base_version": base_version, "command_id": command_id}),
            answer=Edited,
        )
        return found

    def freeze_cell(self, notebook: str, cell: str, /) -> Edited:
        """Let a cell keep what it gave, whatever changes around it."""
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
        """Start cells; how they go is told by events."""
        found: NotebookView = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/run",
            body={"what": what, "again": again} | given({"cell": cell}),
            answer=NotebookView,
        )
        return found

    def cancel_cells(self, notebook: str, /, *, cell: str | None = None, hard: bool = False) -> NotebookView:
        """Stop cells; what they gave before stays."""
        found: NotebookView = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cancel",
            body={"hard": hard} | given({"cell": cell}),
            answer=NotebookView,
        )
        return found

    def set_mode(self, notebook: str, /, *, mode: Literal["auto", "lazy", "session"]) -> NotebookView:
        """Run what edits make stale, or only mark it."""
        found: NotebookView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/mode", body={"mode": mode}, answer=NotebookView
        )
        return found

    def read_session(self, notebook: str, /) -> SessionView:
        """The variables that Python cells share, and which cells are out of date."""
        found: SessionView = self.call("GET", f"/api/notebooks/{path_part(notebook)}/session", answer=SessionView)
        return found

    def restart_session(self, notebook: str, /) -> SessionView:
        """Forget all variables; the next Python cell begins anew."""
        found: SessionView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/session/restart", body={}, answer=SessionView
        )
        return found

    def find_upstream(self, notebook: str, /, *, cell: str) -> UpstreamView:
        """What to run, in order, so that a cell of a session uses nothing out of date."""
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
        """Every version of every branch, oldest first."""
        found: list[VersionView] = self.call(
            "GET", f"/api/notebooks/{path_part(notebook)}/history", answer=list[VersionView]
        )
        return found

    def read_version(self, notebook: str, version: int, /) -> list[CellView]:
        """The cells of a version with the results they had; one whose inputs have changed since is stale."""
        found: list[CellView] = self.call(
            "GET", f"/api/notebooks/{path_part(notebook)}/versions/{path_part(version)}", answer=list[CellView]
        )
        return found

    def compare_versions(self, notebook: str, /, *, before: int, after: int) -> Comparison:
        """What two versions differ in: cells with their texts, and the datasets they end with, as far as they ran."""
        found: Comparison = self.call(
            "GET",
            f"/api/notebooks/{path_part(notebook)}/compare",
            query={"before": before, "after": after},
            answer=Comparison,
        )
        return found

    def make_branch(self, notebook: str, /, *, name: str, at: int | None = None) -> NotebookView:
        """A branch that begins at any version."""
        found: NotebookView = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/branches",
            body={"name": name} | given({"at": at}),
            answer=NotebookView,
        )
        return found

    def check_out(self, notebook: str, /, *, branch: str) -> NotebookView:
        """Work on another branch: its cells, and in the workspace its datasets."""
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
        """What a cell would do with these values; nothing of it is stored.

        Values that do not fit are no error of the request, because a form asks while it is being filled in.
        """
        found: CellPreview = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/preview",
            body={"form": form} | given({"values": values}),
            answer=CellPreview,
        )
        return found

    def rename_notebook(self, notebook: str, /, *, name: str) -> NotebookView:
        """Give a notebook another name; its history and its share links stay."""
        found: NotebookView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/rename", body={"name": name}, answer=NotebookView
        )
        return found

    def copy_notebook(self, notebook: str, /, *, name: str) -> NotebookView:
        """Copy the cells of a notebook to a new one, with other names for the datasets they make, and run them."""
        found: NotebookView = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/copy", body={"name": name}, answer=NotebookView
        )
        return found

    def list_report_columns(self, notebook: str, /) -> list[HideableColumn]:
        """The columns that a report of a notebook may show, those of the files behind its values as well."""
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
        """A notebook as a report, a Jupyter notebook with its outputs, a script (packed, if it needs data), or text.

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
        """Arrange the page of a notebook; 409 if somebody else moved one of its items since the base version."""
        found: Edited = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/page",
            body={"items": items} | given({"base_version": base_version, "command_id": command_id}),
            answer=Edited,
        )
        return found

    def set_parameters(self, notebook: str, /, *, values: dict[str, object]) -> Edited:
        """Give parameters other values, each in the last parameters cell that sets it; what depends on them runs."""
        found: Edited = self.call(
            "POST", f"/api/notebooks/{path_part(notebook)}/parameters", body={"values": values}, answer=Edited
        )
        return found

    def list_shares(self, notebook: str, /) -> list[ShareView]:
        """The links to versions of a notebook that still open, oldest first."""
        found: list[ShareView] = self.call(
            "GET", f"/api/notebooks/{path_part(notebook)}/shares", answer=list[ShareView]
        )
        return found

    def make_share(self, notebook: str, /, *, version: int | None = None, days: float | None = 30) -> ShareView:
        """A link to one version with the results it has now; its secret is in this answer and kept nowhere."""
        found: ShareView = self.call(
            "POST",
            f"/api/notebooks/{path_part(notebook)}/shares",
            body={"days": days} | given({"version": version}),
            answer=ShareView,
        )
        return found

    def revoke_share(self, notebook: str, share: str, /) -> list[ShareView]:
        """Let a link open nothing from now on; the links that are left."""
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
        """One output of a cell as a sandboxed document: scripts in it run, but reach neither the page nor the
        network.

        `content` only makes the address another when the output is, and `theme` is that of the page around it. A
        share link shows one version, whichever `version` names.
        """
        found: str = self.call(
            "GET",
            f"/api/notebooks/{path_part(notebook)}/cells/{path_part(cell)}/frame",
            query={"output": output, "content": content, "theme": theme, "version": version},
            answer=str,
        )
        return found
