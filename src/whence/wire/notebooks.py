"""Request and response models about notebooks."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from whence.model.cell_status import Reason, Status
from whence.model.notebook import Mode, VersionRecord
from whence.wire.datasets import DatasetVersion
from whence.wire.edits import EditBase
from whence.wire.notebook_page import PageItemView
from whence.wire.parameter import ParameterView


class KindView(BaseModel):
    """A kind of cell, with all a form needs."""

    name: str
    title: str
    group: str
    summary: str
    """What a cell of this kind does, in one sentence."""
    has_preview: bool
    """Whether the preview of a cell shows what it would do to rows."""
    parameters: list[ParameterView]


class ProgressView(BaseModel):
    """The progress of a running cell. A total of 0 means that it is not known."""

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

    HTML, SVG and Markdown of cells are never put into the page itself: `frame` is the address of a sandboxed document.
    """

    stream: Literal["stdout", "stderr"] | None = None
    text: str | None = None
    data: dict[str, object] = Field(default_factory=dict)
    frame: str | None = None


class CellView(BaseModel):
    """A cell as it stands."""

    id: str
    kind: str
    values: dict[str, object]
    status: Status
    reason: Reason
    seconds: float | None
    progress: ProgressView | None
    error: CellProblem | None
    datasets: list[MadeDataset]
    displays: list[DisplayView]
    reads: list[DatasetVersion]


class NotebookView(BaseModel):
    """A notebook as it stands."""

    name: str
    version: int
    branch: str
    branches: dict[str, int]
    mode: Mode
    cells: list[CellView]
    page: list[PageItemView] = Field(default_factory=list)
    """What stands on the page of the notebook, in reading order."""
    is_read_only: bool = False
    """Whether a share link shows it: one version, with the results it had when the link was made."""


class NewShare(BaseModel):
    """Which version to show, the newest unless another is named, and for how many days; null for no end."""

    version: int | None = Field(None, ge=0, le=2**31)
    days: float | None = Field(30, gt=0, le=3650)


class ShareView(BaseModel):
    """A link through which one version can be read."""

    id: str
    version: int
    created: str
    expires: str | None
    link: str | None
    """The link itself, only in the response that made it: the workspace stores only a hash of its secret."""


class NewNotebook(BaseModel):
    """The name of a notebook."""

    name: str = Field(min_length=1, max_length=200)


class NewCell(EditBase):
    """A cell to add; without a position, after all others."""

    kind: str
    values: dict[str, object] = Field(default_factory=dict)
    position: int | None = Field(None, ge=0, le=2**31)
    is_draft: bool = False
    """Whether the cell begins empty: it is checked, and runs, once an edit fills it in."""


class ChangedCell(EditBase):
    """New values of a cell. Values that are left out stay, and a value of null is removed."""

    kind: str | None = None
    values: dict[str, object] = Field(default_factory=dict)


class RemovedCell(EditBase):
    """A cell to delete."""


class MovedCell(EditBase):
    """The new position of a cell, counted from 0 among the others."""

    position: int = Field(ge=0, le=2**31)


class Edited(BaseModel):
    """The result of an edit."""

    version: int
    cell: CellView | None


class RunCells(BaseModel):
    """Run one cell with what it waits for, it and all below it, all that is not ready, or all that is stale.

    `upstream`, in a session: what a cell needs so that it uses nothing out of date, in order, then the cell.
    """

    cell: str | None = None
    what: Literal["cell", "below", "upstream", "all", "stale"] = "all"
    again: bool = False


class CancelCells(BaseModel):
    """Stop one cell or all; `hard` restarts Spark if need be."""

    cell: str | None = None
    hard: bool = False


class ModeChange(BaseModel):
    """`auto` runs what an edit made stale, `lazy` only marks it; in a `session` Python cells share one interpreter."""

    mode: Mode


class SessionView(BaseModel):
    """The interpreter that the Python cells of a notebook share, and which of them are out of date.

    `stale` cells would read something old, `fresh` ones read something that has changed since, `refresher` ones would
    renew what a stale cell reads; `would_fail` names what is not there, `again` says which cells would start from their
    own result.
    """

    is_running: bool
    lost: str
    """The reason why the variables of an earlier interpreter are gone; empty if none were lost."""
    stale: list[str]
    fresh: list[str]
    refresher: list[str]
    new_fresh: list[str]
    new_refresher: list[str]
    would_fail: dict[str, list[str]]
    again: dict[str, str]
    reasons: dict[str, str]


class AskUpstream(BaseModel):
    """The cell that is to use nothing out of date."""

    cell: str


class UpstreamView(BaseModel):
    """The cells to run, in order, the one asked about last; `unresolved` is what no cell would renew."""

    cells: list[str]
    unresolved: list[str]


class ConflictView(BaseModel):
    """Why there is no order: the cells that conflict, and over which variable or dataset."""

    symbol: str
    cells: list[str]
    reason: str


class WorkflowView(BaseModel):
    """Whether a session became a workflow: the cells in the order found, or the conflicts."""

    ok: bool
    cells: list[str]
    conflicts: list[ConflictView]
    notebook: NotebookView


class NewBranch(BaseModel):
    """A branch that begins at a version."""

    name: str = Field(min_length=1, max_length=200)
    at: int | None = Field(None, ge=0, le=2**31)


class Checkout(BaseModel):
    """The branch to work on."""

    branch: str


class Restore(BaseModel):
    """The version to bring back."""

    version: int = Field(ge=0, le=2**31)


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
    """Whether it holds the text of an edit that conflicted with another one."""

    @classmethod
    def of(cls, record: VersionRecord) -> VersionView:
        """Return the model of a stored version."""
        return cls(
            version=record.version,
            parent=record.parent,
            branch=record.branch,
            action=record.action,
            cell=record.cell,
            author=record.author,
            time=record.time,
            is_side=record.is_side,
        )


class ChangedColumn(BaseModel):
    """A column that came, went or changed its type; None where it is not there."""

    column: str
    before: str | None
    after: str | None


class CellComparison(BaseModel):
    """One cell that is not the same in both versions."""

    cell: str
    change: Literal["added", "removed", "changed", "moved"]
    kind: str
    diff: str
    """The lines that differ, as git shows them."""


class ColumnDifference(BaseModel):
    """How many values of a column differ, and the first of them."""

    column: str
    count: int
    before: object
    after: object


class RowDifference(BaseModel):
    """How many rows came and went, and the values that differ in the others."""

    added: int
    removed: int
    columns: list[ColumnDifference]


class DatasetComparison(BaseModel):
    """A dataset that is not the same after both versions; None where a version has not made it."""

    name: str
    rows_before: int | None
    rows_after: int | None
    columns: list[ChangedColumn]
    values: RowDifference | None
    """None where a version has not made it, where nothing can be compared, or where that would take too long."""


class Comparison(BaseModel):
    """What two versions of a notebook differ in."""

    before: int
    after: int
    cells: list[CellComparison]
    datasets: list[DatasetComparison]


class Upload(BaseModel):
    """A stored file. Give its `path` to a load cell."""

    path: str
    bytes: int


class HideableColumn(BaseModel):
    """A column that a report of a notebook may show, and the datasets that have one of this name."""

    name: str
    datasets: list[str]
