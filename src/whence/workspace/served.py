"""The protocols through which the server uses a workspace.

No handle is imported at run time, so that the API contract (OpenAPI) can be generated without Spark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

if TYPE_CHECKING:
    from whence.checks.check import Check
    from whence.model.certificate import Certificate
    from whence.model.notebook import Mode
    from whence.model.page import PageItem
    from whence.store.browser_sessions import BrowserSessions
    from whence.store.pending_sheets import PendingSheets
    from whence.store.uploads import Incoming
    from whence.workspace.chart import Chart
    from whence.workspace.context import Context
    from whence.workspace.dataset import Dataset
    from whence.workspace.dataset_names import RenamedDataset
    from whence.workspace.forgetting.reach import ForgettingPlan
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

    @property
    def items(self) -> list[PageItem]:
        """What stands on the page, in reading order."""


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
    def context(self) -> Context:
        """The services of the workspace."""

    @property
    def browser_sessions(self) -> BrowserSessions:
        """The browsers that are signed in."""

    @property
    def pending_sheets(self) -> PendingSheets:
        """The operations of sheets that are neither applied nor discarded."""

    def suggest_checks(self, dataset: Dataset | str) -> list[Check]:
        """Checks that hold for every row of a dataset now."""

    def notebooks(self) -> list[str]:
        """The names of the notebooks, oldest first."""

    def notebook(self, name: str) -> Notebook:
        """A notebook, made if it is missing."""

    def rename_notebook(self, name: str, new: str) -> None:
        """Give a notebook another name."""

    def copy_notebook(self, name: str, new: str) -> Notebook:
        """Copy the cells of a notebook to a new one."""

    def drop_notebook(self, name: str) -> None:
        """Delete a notebook with its whole history."""

    def dataset_makers(self) -> dict[str, str]:
        """The notebook that makes each dataset, by the dataset's name in lower case."""

    def rename_dataset(self, name: str, new: str) -> RenamedDataset:
        """Give a dataset another name in the cells that make and read it."""

    @overload
    def forget(
        self, dataset: Dataset | str, *, also_dependants: bool = False, keep_dependants: bool = False
    ) -> list[str]:
        """Delete all versions of a dataset for good."""

    @overload
    def forget(self, dataset: str, *, where: str, delete_unrepeatable: bool = False) -> Certificate:
        """Forget the rows of a dataset for which a condition holds, for good."""

    def plan_forgetting(self, dataset: str, where: str) -> ForgettingPlan:
        """What forgetting rows would do; nothing happens yet."""

    def shared(self, token: str) -> SharedVersion | None:
        """Return the notebook version that the share link with this secret shows."""

    def sheet(self, dataset: Dataset | str, operations: Iterable[Mapping[str, Any]] = ()) -> Sheet:
        """Edit a dataset as in a spreadsheet."""

    def link(self, charts: Sequence[Chart[Dataset]], tables: Sequence[Dataset] = ()) -> Link:
        """Link charts so that they follow each other's brushes."""

    def receive(self, name: str) -> Incoming:
        """Begin the upload of a file, which arrives piece by piece."""

    def sql(self, text: str, name: str | None = None, **placeholders: Any) -> Dataset:  # noqa: ANN401 - as the workspace takes them
        """Run a query and store the result."""

    def scratch_sql(self, text: str) -> Dataset:
        """Run a query and return the result, which no list shows."""
