"""The shapes of what a server answers; made by tools/python_client.py from its contract, not edited."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class SharedVersion(BaseModel):
    """The one notebook version that a share link shows."""

    notebook: str
    version: int


class About(BaseModel):
    """Which whence this is, and whether Spark has started."""

    version: str
    engine: Literal["idle", "running"]
    shared: SharedVersion | None = None


class AcknowledgeCaveats(BaseModel):
    """Which group to acknowledge, or which of its places only, and why."""

    group: str
    places: list[int] | None = None
    note: str = ""
    version: int | None = None
    since: str | None = None


class KeptCell(BaseModel):
    """A notebook cell that makes a predicate last."""

    kind: str
    values: dict[str, object]


class AnswerPreview(BaseModel):
    """The chart without these rows, or with them alone; and the cells that would make just that."""

    values: list[float | None]
    rows: dict[str, list[dict[str, object]]] | None
    count: int
    sql: str
    cells: dict[str, KeptCell]


class ClauseView(BaseModel):
    """One condition of a predicate: values, or a range whose ends are included."""

    column: str
    part: str | None = None
    low: float | None = None
    high: float | None = None
    values: list[str | int | float | bool | None] | None = None
    phrase: str = ""


class ChangedValue(BaseModel):
    """A marked value before and after."""

    mark: int
    role: Literal["outlier", "holdout"]
    before: float | None
    after: float | None


class AnswerView(BaseModel):
    """One predicate, and what leaving its rows out does."""

    sql: str
    phrase: str
    sentence: str
    clauses: list[ClauseView]
    rows: int
    broadest: float
    narrowest: float
    p_value: float | None
    effect: list[ChangedValue]
    alternatives: list[str]


class ProgressView(BaseModel):
    """How far a running cell is; a total of 0 means nobody knows."""

    done: int
    total: int
    what: str


class CellProblem(BaseModel):
    """What went wrong in a cell, and where in its text."""

    message: str
    hint: str
    line: int | None
    column: int | None
    traceback: str
    kind: str


class MadeDataset(BaseModel):
    """A dataset a cell made."""

    name: str
    version: int
    rows: int
    is_doubtful: bool


class DisplayView(BaseModel):
    """Something a cell showed: printed text, or one output in several forms.

    HTML, SVG and Markdown of cells are never put into the page itself: `frame` is the address of a sandboxed
    document.
    """

    stream: Literal["stdout", "stderr"] | None = None
    text: str | None = None
    data: dict[str, object] = Field(default_factory=dict)
    frame: str | None = None


class DatasetVersion(BaseModel):
    """Names one version of a dataset."""

    name: str
    version: int


class CellView(BaseModel):
    """A cell as it stands."""

    id: str
    kind: str
    values: dict[str, object]
    status: Literal["draft", "waiting", "running", "ready", "stale", "error", "cancelled", "frozen"]
    reason: Literal[
        "",
        "not filled in yet",
        "edited",
        "input changed",
        "upstream error",
        "interrupted",
        "engine lost",
        "would fail",
        "stopping",
        "still ending, as other cells use Spark",
        "Spark was restarted to stop this query",
    ]
    seconds: float | None
    progress: ProgressView | None
    error: CellProblem | None
    datasets: list[MadeDataset]
    displays: list[DisplayView]
    reads: list[DatasetVersion]


class AppliedSheet(BaseModel):
    """The cell that was made."""

    version: int
    cell: CellView


class ApplySheet(BaseModel):
    """Where the sheet becomes a cell, and what its result is called; by default the dataset's own name."""

    base_version: int | None = None
    command_id: str | None = None
    notebook: str
    name: str | None = None
    position: int | None = None


class AskQuestion(BaseModel):
    """The chart that shows odd values; its marks are asked about."""

    chart: str


class AskUpstream(BaseModel):
    """The cell that is to use nothing out of date."""

    cell: str


class AskWhyNot(BaseModel):
    """The rows of an ancestor that are looked for: one by its number, or those for which a condition holds."""

    source: str
    row: int | None = None
    where: str | None = None
    version: int | None = None


class BrushChart(BaseModel):
    """What is brushed: marks by number, a range or values along an axis, entries of the legend; all of it holds."""

    chart: int
    marks: list[int] | None = None
    x: list[object] | None = None
    y: list[object] | None = None
    color: list[object] | None = None


class BrushedChart(BaseModel):
    """A chart under the brushes of the others."""

    chart: int
    values: list[object]
    rows: dict[str, list[dict[str, object]]]


class BrushedCharts(BaseModel):
    """All charts that a brush changed."""

    marks: list[int]
    charts: list[BrushedChart]
    notes: list[str]
    milliseconds: float


class Bucket(BaseModel):
    """How many values lie from `low` up to, not including, `high`; the last bucket includes its end."""

    low: object
    high: object
    count: int


class CancelCells(BaseModel):
    """Stop one cell or all; `hard` restarts Spark if need be."""

    cell: str | None = None
    hard: bool = False


class CaveatCount(BaseModel):
    """How many caveats of the workspace are open: not acknowledged yet."""

    open: int


class CaveatDensity(BaseModel):
    """Doubtful cells by stretches of rows; stretch i begins at row `starts[i]`."""

    rows: int
    starts: list[int]
    counts: list[int]


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
    groups: list[ListedCaveats]


class CaveatsEverywhere(BaseModel):
    """Caveats of one group, and every current dataset they reach."""

    id: str
    acknowledged: bool
    note: str
    raised_in: DatasetVersion
    caveats: CaveatSummary
    reaches: list[DatasetVersion]


class CaveatOverview(BaseModel):
    """All that is doubtful in the workspace."""

    groups: list[CaveatsEverywhere]
    datasets: int


class CellComparison(BaseModel):
    """One cell that is not the same in both versions."""

    cell: str
    change: Literal["added", "removed", "changed", "moved"]
    kind: str
    diff: str


class InputValue(BaseModel):
    """A value that cells behind the cell have in common."""

    value: object
    row: int
    count: int
    is_doubtful: bool


class InputGroup(BaseModel):
    """All cells of one column that played the same part."""

    role: Literal["copied", "computed", "aggregated", "grouped", "joined", "filtered"]
    column: str
    count: int
    distinct: int
    values: list[InputValue]


class InputCell(BaseModel):
    """One cell behind the cell that was asked about."""

    row: int
    column: str
    role: Literal["copied", "computed", "aggregated", "grouped", "joined", "filtered"]
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
    origin: Literal[
        "load",
        "create",
        "sql",
        "dataset",
        "lens",
        "pipeline",
        "caveat",
        "chart",
        "python",
        "array",
        "operator",
        "sheet",
    ]
    text: str
    groups: list[InputGroup]
    refs: list[InputCell]
    count: int
    rows: RowSample


class CellReport(BaseModel):
    """One cell: its value, where it came from, step by step, and what is doubtful about it."""

    dataset: str
    version: int
    row: int
    column: str
    line: int | None
    value: object
    suspect: bool
    row_suspect: bool
    steps: list[TraceStep]
    caveats: list[CaveatSummary]
    exact: bool
    strategy: str


class ChangedCell(BaseModel):
    """What a cell is to say instead; values not given stay, one given as null goes."""

    base_version: int | None = None
    command_id: str | None = None
    kind: str | None = None
    values: dict[str, object] = Field(default_factory=dict)


class ChangedColumn(BaseModel):
    """A column that came, went or changed its type; None where it is not there."""

    column: str
    before: str | None
    after: str | None


class ChartChannel(BaseModel):
    """What a column can be seen as."""

    name: str
    label: str
    is_basic: bool
    is_scaled: bool


class ChartCost(BaseModel):
    """What drawing a chart means, said before it is drawn."""

    text: str
    is_large: bool


class ParameterView(BaseModel):
    """One thing a form asks for; its kind decides what the field shows."""

    name: str
    kind: Literal[
        "text",
        "texts",
        "path",
        "dataset",
        "datasets",
        "column",
        "columns",
        "choice",
        "number",
        "numbers",
        "whole",
        "flag",
        "value",
        "values",
        "mapping",
        "entries",
    ]
    label: str
    is_required: bool
    default: object
    choices: list[str]
    least: float | None = None


class ChartOperator(BaseModel):
    """A geom, stat, position or scale, with all a form needs."""

    name: str
    title: str
    aliases: list[str]
    options: list[ParameterView]
    needs: list[list[str]]
    channels: list[str]
    kinds: list[str]


class ChartGrammar(BaseModel):
    """Everything a chart can be made of."""

    channels: list[ChartChannel]
    geoms: list[ChartOperator]
    stats: list[ChartOperator]
    positions: list[ChartOperator]
    scales: list[ChartOperator]


class Checkout(BaseModel):
    """The branch to work on."""

    branch: str


class ClearBrush(BaseModel):
    """Whose brush to take away; all of them if none is named."""

    chart: int | None = None


class Column(BaseModel):
    """A column's name and its type as Spark writes it."""

    name: str
    type: str


class ColumnPlace(BaseModel):
    """Names one column of a dataset version."""

    name: str
    version: int
    column: str


class ColumnEdge(BaseModel):
    """`target` was made of `source`, which played this part."""

    source: ColumnPlace
    target: ColumnPlace
    role: Literal["copied", "computed", "aggregated", "grouped", "joined", "filtered"]


class ColumnNode(BaseModel):
    """One column of one dataset version."""

    name: str
    version: int
    column: str
    type: str
    is_doubtful: bool


class ColumnGraph(BaseModel):
    """The columns that one column was made of, and those it went into."""

    nodes: list[ColumnNode]
    edges: list[ColumnEdge]


class Quantile(BaseModel):
    """The value below which this share of the rows lies."""

    share: float
    value: object


class FrequentValue(BaseModel):
    """A value and how often it comes."""

    value: object
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


class CompareAnswers(BaseModel):
    """Two predicates to be held against each other."""

    one: list[ClauseView]
    other: list[ClauseView]


class ComparedAnswers(BaseModel):
    """How many rows behind the marks each of two predicates takes, and how many both do."""

    one: int
    other: int
    both: int


class DatasetComparison(BaseModel):
    """A dataset that is not the same after both versions; None where a version has not made it."""

    name: str
    rows_before: int | None
    rows_after: int | None
    columns: list[ChangedColumn]


class Comparison(BaseModel):
    """What two versions of a notebook differ in."""

    before: int
    after: int
    cells: list[CellComparison]
    datasets: list[DatasetComparison]


class Conflict(BaseModel):
    """Two edits of one cell: what each says, and the version to the side that keeps the one that came later."""

    cell: str
    mine: str | None
    theirs: str | None
    side_version: int


class ConflictView(BaseModel):
    """Why there is no order: the cells that quarrel, and over what."""

    symbol: str
    cells: list[str]
    reason: str


class DoubtSummary(BaseModel):
    """Which parts of a dataset carry any mark at all."""

    columns: list[str]
    rows: bool
    row_set: bool


class DatasetSummary(BaseModel):
    """One dataset, as the list shows it."""

    name: str
    version: int
    rows: int
    columns: list[Column]
    origin: Literal[
        "load",
        "create",
        "sql",
        "dataset",
        "lens",
        "pipeline",
        "caveat",
        "chart",
        "python",
        "array",
        "operator",
        "sheet",
    ]
    text: str
    doubt: DoubtSummary
    exact: bool
    parents: list[str]
    made_from: list[DatasetVersion]


class DoubtfulCell(BaseModel):
    """A doubtful cell, and whether the search went round the end to find it."""

    row: int
    column: str
    wrapped: bool


class DrawChart(BaseModel):
    """A specification in the grammar of charts, or Vega-Lite."""

    spec: dict[str, object]
    version: int | None = None
    name: str | None = None


class DrawnChart(BaseModel):
    """A chart with its picture; `chart` names its marks, one version of them, and so the chart."""

    chart: str
    source: DatasetVersion
    marks: DatasetSummary
    value: str
    spec: dict[str, object]
    vega: dict[str, object]
    notes: list[str]
    cost: str


class Edited(BaseModel):
    """What an edit led to."""

    version: int
    cell: CellView | None


class EndSessions(BaseModel):
    """Which browsers to sign out."""

    all: bool = False


class EndedSessions(BaseModel):
    """Whether every browser was signed out, or the one that asked."""

    all: bool


class ErrorDetail(BaseModel):
    """What went wrong and what to do about it."""

    kind: str
    message: str
    hint: str = ""
    conflict: Conflict | None = None


class ErrorBody(BaseModel):
    """The shape of every error response."""

    error: ErrorDetail


class FacetBar(BaseModel):
    """So many rows have this value, or values from low to high; ends of times are numbers, too."""

    label: str
    count: int
    low: float | None
    high: float | None
    value: object


class FacetView(BaseModel):
    """A column that may explain, and how it is spread over the rows behind the marks."""

    column: str
    why_not: str
    bars: list[FacetBar]


class FewRowsView(BaseModel):
    """A few single rows that alone make the marks look odd."""

    rows: list[int]
    sentence: str
    effect: list[ChangedValue]


class GraphNode(BaseModel):
    """One dataset version."""

    name: str
    version: int
    origin: Literal[
        "load",
        "create",
        "sql",
        "dataset",
        "lens",
        "pipeline",
        "caveat",
        "chart",
        "python",
        "array",
        "operator",
        "sheet",
    ]
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


class Health(BaseModel):
    """Answered without a credential: the process is up."""

    status: Literal["ok"] = "ok"


class IdenticalCells(BaseModel):
    """How many other cells of the column still say what the data of this one says."""

    count: int


class KindView(BaseModel):
    """A kind of cell, with all a form needs."""

    name: str
    title: str
    group: str
    parameters: list[ParameterView]


class LinkCharts(BaseModel):
    """Which charts to look at together."""

    charts: list[str]


class LinkedChart(BaseModel):
    """One of them."""

    chart: str
    source: DatasetVersion
    marks: DatasetSummary
    value: str
    vega: dict[str, object]
    colors: list[object]


class LinkedCharts(BaseModel):
    """A set of linked charts, under the id by which it is brushed."""

    link: str
    charts: list[LinkedChart]


class LostOperation(BaseModel):
    """Something that was done but finds no row or column in the data."""

    sentence: str
    why: str


class LostRow(BaseModel):
    """A row of one dataset that did not get into the next: the step that left it out and what its condition read."""

    dataset: str
    row: int
    into: str
    step: str
    condition: str
    values: dict[str, object]


class ModeChange(BaseModel):
    """`auto` runs what an edit made stale, `lazy` only marks it; in a `session` Python cells share one interpreter."""

    mode: Literal["auto", "lazy", "session"]


class MovedCell(BaseModel):
    """Where a cell is to stand, counted from 0 among the others."""

    base_version: int | None = None
    command_id: str | None = None
    position: int


class NewBranch(BaseModel):
    """A branch that begins at a version."""

    name: str
    at: int | None = None


class NewCell(BaseModel):
    """A cell to put in; without a position it goes behind all others."""

    base_version: int | None = None
    command_id: str | None = None
    kind: str
    values: dict[str, object] = Field(default_factory=dict)
    position: int | None = None
    is_draft: bool = False


class NewNotebook(BaseModel):
    """What to call a notebook."""

    name: str


class NewShare(BaseModel):
    """Which version to show, the newest unless another is named, and for how many days; null for no end."""

    version: int | None = None
    days: float | None = 30


class NewSheet(BaseModel):
    """The dataset to edit, at its current version unless another is named."""

    dataset: str
    version: int | None = None
    resume: bool = False


class NotebookView(BaseModel):
    """A notebook as it stands."""

    name: str
    version: int
    branch: str
    branches: dict[str, int]
    mode: Literal["auto", "lazy", "session"]
    cells: list[CellView]
    is_read_only: bool = False


class OldCell(BaseModel):
    """What a cell of an earlier version said."""

    kind: str
    values: dict[str, object]


class Page(BaseModel):
    """Consecutive rows of a dataset, or of a sorted and filtered view of it, with what is doubtful in each."""

    name: str
    version: int
    offset: int
    count: int
    columns: list[Column]
    rows: list[list[object]]
    rids: list[int]
    marks: list[list[int]]
    row_marks: list[bool]
    lines: list[int | None]


class SheetColumn(BaseModel):
    """A column of a sheet."""

    name: str
    type: str
    base: str | None
    base_type: str | None


class SheetCellNote(BaseModel):
    """A text about one cell: its error, or the formula behind its value. `row` is its position in the sheet."""

    row: int
    column: str
    text: str


class PagedSheet(BaseModel):
    """Consecutive rows of a sheet as they stand, pending operations included."""

    offset: int
    count: int
    total: int
    columns: list[SheetColumn]
    positions: list[int]
    rows: list[list[object]]
    rids: list[int | None]
    keys: list[str]
    marks: list[list[int]]
    row_marks: list[bool]
    edited: list[list[int]]
    errors: list[SheetCellNote]
    formulas: list[SheetCellNote]


class PrepareBrush(BaseModel):
    """Which chart the pointer has entered, by its place in the set."""

    chart: int


class PreviewAnswer(BaseModel):
    """Which rows to leave out, or to keep alone."""

    clauses: list[ClauseView]
    keep: bool = False


class QuestionView(BaseModel):
    """What can be asked about the marks of a chart."""

    question: str
    chart: str
    column: str
    input: DatasetVersion
    rows: int
    facets: list[FacetView]
    left_out: dict[str, str]


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


class RemovedCell(BaseModel):
    """A cell to take out."""

    base_version: int | None = None
    command_id: str | None = None


class Restore(BaseModel):
    """The version to bring back."""

    version: int


class RevokeCaveats(BaseModel):
    """Which group to doubt again."""

    group: str
    version: int | None = None
    since: str | None = None


class RowFate(BaseModel):
    """What became of one row: the rows it is in, or else where it was lost."""

    row: int
    count: int
    rows: list[int]
    losses: list[LostRow]


class RowsOfMarks(BaseModel):
    """Marks of which the rows are wanted as a dataset."""

    marks: list[int]
    name: str | None = None


class RunCells(BaseModel):
    """Run one cell with what it waits for, it and all below it, all that is not ready, or all that is stale.

    `upstream`, in a session: what a cell needs so that it uses nothing out of date, in order, then the cell.
    """

    cell: str | None = None
    what: Literal["cell", "below", "upstream", "all", "stale"] = "all"
    again: bool = False


class SearchAnswers(BaseModel):
    """Which marks look odd and how, which are fine, and what may explain them."""

    outliers: list[int]
    fine: list[int] | None = None
    direction: Literal["high", "low", "wrong"] = "high"
    expected: dict[str, float] | None = None
    attributes: list[str] | None = None


class SearchView(BaseModel):
    """How a search stands: what it has found so far, or in the end."""

    state: Literal["none", "running", "done", "stopped", "failed"]
    answers: list[AnswerView]
    reason: str
    few_rows: FewRowsView | None
    seconds: float


class SessionView(BaseModel):
    """The interpreter that the Python cells of a notebook share, and which of them are out of date.

    `stale` cells would read something old, `fresh` ones read something that has changed since, `refresher` ones
    would renew what a stale cell reads; `would_fail` names what is not there, `again` says which cells would
    start from their own result.
    """

    is_running: bool
    lost: str
    stale: list[str]
    fresh: list[str]
    refresher: list[str]
    new_fresh: list[str]
    new_refresher: list[str]
    would_fail: dict[str, list[str]]
    again: dict[str, str]
    reasons: dict[str, str]


class ShareView(BaseModel):
    """A link through which one version can be read."""

    id: str
    version: int
    created: str
    expires: str | None
    link: str | None


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


class SheetClusters(BaseModel):
    """Values of a column that are probably the same, the most frequent of each cluster first."""

    clusters: list[list[SheetValue]]


class SheetDensityView(BaseModel):
    """Doubtful and edited cells by stretches of the rows that are looked at; stretch i begins at row `starts[i]`."""

    rows: int
    starts: list[int]
    doubts: list[int]
    edits: list[int]


class SheetHome(BaseModel):
    """Where the edits of a sheet belong."""

    notebook: str
    position: int


class SheetOperation(BaseModel):
    """One thing to do, with its arguments by name: `set` takes row, column and value."""

    operation: str
    arguments: dict[str, object] = Field(default_factory=dict)
    command_id: str | None = None


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


class SheetValues(BaseModel):
    """The most frequent values of a column, and how many different ones there are."""

    values: list[SheetValue]
    distinct: int


class SheetView(BaseModel):
    """An open sheet."""

    id: str
    dataset: str
    version: int
    columns: list[str]
    count: int
    operations: int
    undone: int
    sentence: str | None
    lost: list[LostOperation]


class SuggestedChart(BaseModel):
    """A chart that would tell something about a dataset, and what."""

    spec: dict[str, object]
    why: str


class TraceRows(BaseModel):
    """Which rows to follow, and where to."""

    direction: Literal["backward", "forward"]
    to: str
    rows: list[int] = Field(default_factory=list)
    where: str | None = None
    path: list[str] = Field(default_factory=list)
    influence: bool = False
    version: int | None = None
    offset: int = 0
    limit: int = 50


class TracedRows(BaseModel):
    """The rows found: how many, and a page of them."""

    dataset: str
    version: int
    exact: bool
    count: int
    offset: int
    rows: RowSample


class Upload(BaseModel):
    """A file that was taken in: give `path` to a load cell."""

    path: str
    bytes: int


class UpstreamView(BaseModel):
    """The cells to run, in order, the one asked about last; `unresolved` is what no cell would renew."""

    cells: list[str]
    unresolved: list[str]


class VersionView(BaseModel):
    """One version of a notebook."""

    version: int
    parent: int | None
    branch: str
    action: str
    cell: str | None
    author: str
    time: str
    is_side: bool


class WayStep(BaseModel):
    """Cells of one column that played the same part: how many there are, and the first of them."""

    dataset: str
    version: int
    column: str
    role: Literal["copied", "computed", "aggregated", "grouped", "joined", "filtered"]
    count: int
    cells: list[WayCell]


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


class WhyNotAnswer(BaseModel):
    """What became of the rows that were looked for; of many only the first are followed."""

    source: DatasetVersion
    matched: int
    fates: list[RowFate]


class WorkflowView(BaseModel):
    """Whether a session became a workflow: the cells in the order found, or the conflicts."""

    ok: bool
    cells: list[str]
    conflicts: list[ConflictView]
    notebook: NotebookView
