"""The reading calls of `Workspace`: datasets by name, differences of versions, caveats, and the graph of runs."""

from __future__ import annotations

import os
from pathlib import Path

from whence.engine.frames import Session
from whence.model.dataset import DatasetRecord
from whence.store.browser_sessions import BrowserSessions
from whence.store.pending_sheets import PendingSheets
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset
from whence.workspace.diff import Diff, compare
from whence.workspace.graph import WorkspaceGraph
from whence.workspace.handles import handle_of
from whence.workspace.references import version_of
from whence.workspace.report.verify import ReportCheck, verify_report
from whence.workspace.workspace_caveats import WorkspaceCaveats


class WorkspaceReader:
    """The calls of `Workspace` that only read. `DataIntake`, `DatasetMaker` and `NotebookAccess` extend it."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @property
    def context(self) -> Context:
        """The services of the workspace; for whence's own use."""
        return self._context

    @property
    def path(self) -> Path:
        """The folder of the workspace."""
        return self._context.store.root

    @property
    def spark(self) -> Session:
        """The SparkSession; Spark starts when it is first needed."""
        return self._context.engine.session

    @property
    def is_engine_running(self) -> bool:
        """Whether Spark has started for this workspace."""
        return self._context.engine.process.is_running

    @property
    def seconds_starting(self) -> float | None:
        """For how long Spark has been starting for this workspace; None if it is not."""
        return self._context.engine.process.seconds_starting

    def __getitem__(self, reference: str) -> Dataset:
        return self._dataset(version_of(self._context.store, reference))

    def datasets(self) -> list[Dataset]:
        """The current version of every dataset, oldest name first."""
        return [self._dataset(record) for record in self._context.store.datasets()]

    def diff(self, before: Dataset | str, after: Dataset | str) -> Diff:
        """Return the rows added and removed and the cells changed between two versions.

        Row keys tell which row is which, positions do not.

        >>> ws.create("fruit", [("fig",), ("kiwi",)], schema="name string").version
        1
        >>> ws.create("fruit", [("kiwi",), ("lime",)], schema="name string").version
        2
        >>> ws.diff("fruit@1", "fruit@2")
        <fruit@2 against fruit@1: 1 rows added, 1 removed, 0 cells changed>
        """
        store = self._context.store
        return compare(self._context, version_of(store, before), version_of(store, after))

    def verify_report(self, path: str | os.PathLike[str]) -> ReportCheck:
        """Say which values of a report, a file that `notebook.report` wrote, still hold here; see there."""
        return verify_report(self._context, Path(path))

    @property
    def caveats(self) -> WorkspaceCaveats:
        """The caveats behind the current versions of all datasets, each group of caveats once."""
        return WorkspaceCaveats(self.path.name, self.datasets)

    @property
    def graph(self) -> WorkspaceGraph:
        """The graph of datasets and of the operators and queries that ran between them."""
        return WorkspaceGraph(self._context)

    @property
    def pending_sheets(self) -> PendingSheets:
        """The operations of sheets that are neither applied nor discarded. They are on disk and outlive a crash."""
        return self._context.store.pending_sheets

    @property
    def browser_sessions(self) -> BrowserSessions:
        """The browsers that are signed in to servers of this workspace, by the hashes of their secrets."""
        return BrowserSessions(self._context.store.database)

    def _dataset(self, record: DatasetRecord) -> Dataset:
        return handle_of(self._context, record)
