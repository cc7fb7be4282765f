"""The protocols through which the server uses a workspace.

No handle is imported at run time, so that the API contract (OpenAPI) can be generated without Spark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from whence.model.notebook import Mode
    from whence.store.browser_sessions import BrowserSessions
    from whence.store.pending_sheets import PendingSheets
    from whence.store.uploads import Incoming
    from whence.workspace.chart import Chart
    from whence.workspace.dataset import Dataset
    from whence.workspace.link import Link
    from whence.workspace.notebook import Notebook
    from whence.workspace.notebook_cell import Cell
    from whence.workspace.sheet import Sheet


class SharedSnapshot(Protocol):
    """The cells of a notebook version at one moment."""

    @property
    def version(self) -> int:
        """Which version it is."""

    @property
    def cells(self) -> list[Cell]:
        """The cells, from top to bottom."""


class SharedVersion(SharedSnapshot, Protocol):
    """The notebook version that a share link shows."""

    name: str
    is_read_only: Literal[True]

    @property
    def mode(self) -> Mode:
        """When its cells would run."""

    @property
    def branch_name(self) -> str:
        """The branch it is on; empty if the link shows none."""

    @property
    def datasets(self) -> list[Dataset]:
        """The datasets that its cells made: the only ones that the link shows."""

    def branches(self) -> dict[str, int]:
        """The last version of every branch that the link shows."""

    def cell(self, id: str) -> Cell:
        """The cell with this id."""

    def snapshot(self) -> SharedSnapshot:
        """The cells as they are at this moment."""


class ReadableWorkspace(Protocol):
    """A workspace, or the part of it that a share link shows."""

    @property
    def path(self) -> Path:
        """The folder."""

    @property
    def is_engine_running(self) -> bool:
        """Whether Spark runs."""

    @property
    def seconds_starting(self) -> float | None:
        """For how many seconds Spark has been starting; None if it is not starting."""

    def datasets(self) -> list[Dataset]:
        """The current version of every dataset."""

    def __getitem__(self, reference: str, /) -> Dataset:
        """A dataset by `name` or `name@version`."""


class ServedWorkspace(ReadableWorkspace, Protocol):
    """A workspace with all the calls that a server makes."""

    @property
    def browser_sessions(self) -> BrowserSessions:
        """The browsers that are signed in."""

    @property
    def pending_sheets(self) -> PendingSheets:
        """The operations of sheets that are neither applied nor discarded."""

    def notebooks(self) -> list[str]:
        """The names of the notebooks, oldest first."""

    def notebook(self, name: str) -> Notebook:
        """A notebook, made if it is missing."""

    def drop_notebook(self, name: str) -> None:
        """Delete a notebook with its whole history."""

    def shared(self, token: str) -> SharedVersion | None:
        """Return the notebook version that the share link with this secret shows."""

    def sheet(self, dataset: Dataset | str, operations: Iterable[Mapping[str, Any]] = ()) -> Sheet:
        """Edit a dataset as in a spreadsheet."""

    def link(self, charts: Sequence[Chart[Dataset]]) -> Link:
        """Link charts so that they follow each other's brushes."""

    def receive(self, name: str) -> Incoming:
        """Begin the upload of a file, which arrives piece by piece."""

    def sql(self, text: str, name: str | None = None, **placeholders: Any) -> Dataset:  # noqa: ANN401 - as the workspace takes them
        """Run a query and store the result."""
