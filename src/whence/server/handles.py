"""What the server asks of a workspace: the reading half of the public handles, so that routes run without Spark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow as pa

from whence.model.caveat import CaveatGroup
from whence.model.cellref import CellRef
from whence.model.dataset import DatasetRecord, Doubt
from whence.model.schema import Schema
from whence.server.sessions import SessionStore


class RowsHandle(Protocol):
    """A set of rows of one dataset."""

    @property
    def ids(self) -> np.ndarray:
        """Sorted, unique row ids."""

    @property
    def count(self) -> int:
        """How many rows."""


class LineageHandle(Protocol):
    """Where a dataset's rows and cells came from."""

    @property
    def exact(self) -> bool:
        """False where only coarse lineage is known."""

    @property
    def strategy(self) -> str:
        """How lineage was captured, in words."""

    def backward(self, rows: Sequence[int], to: object) -> RowsHandle:
        """The rows of an ancestor behind these rows."""

    def cell(self, row: int, column: str, to: object = None) -> Sequence[CellRef]:
        """The cells of an ancestor behind one cell."""


class CaveatsHandle(Protocol):
    """What is doubtful in a dataset."""

    @property
    def doubt(self) -> Doubt:
        """Which parts carry any mark now."""

    def marks(self, start: int = 0, stop: int | None = None) -> pa.Table:
        """One bool per column, then one for the row."""

    def marks_of(self, rids: Sequence[int]) -> pa.Table:
        """The same for these rows, in the order given."""

    def list(self, row: int | None = None, column: str | None = None) -> list[CaveatGroup]:
        """The doubts about a place, grouped."""


class DatasetHandle(Protocol):
    """One dataset version."""

    @property
    def name(self) -> str:
        """Its name in the workspace."""

    @property
    def version(self) -> int:
        """Grows by one each time the name is made again."""

    @property
    def count(self) -> int:
        """How many rows."""

    @property
    def schema(self) -> Schema:
        """Its columns."""

    @property
    def record(self) -> DatasetRecord:
        """What is known of it without opening its files."""

    @property
    def lineage(self) -> LineageHandle:
        """Where its rows and cells came from."""

    @property
    def caveats(self) -> CaveatsHandle:
        """What is doubtful in it."""

    def rows(self, start: int, stop: int) -> pa.Table:
        """Rows in rid order."""

    def parents(self) -> Sequence[DatasetHandle]:
        """The versions it was made from."""

    def source_lines(self, rids: Sequence[int]) -> list[int | None]:
        """The line of the file where each row begins."""


class WorkspaceHandle(Protocol):
    """A workspace that can be read."""

    @property
    def path(self) -> Path:
        """The folder."""

    @property
    def is_engine_running(self) -> bool:
        """Whether Spark has started."""

    def datasets(self) -> Sequence[DatasetHandle]:
        """The current version of every dataset."""

    def shared(self, token: str) -> object | None:
        """What the share link with this secret shows."""

    def __getitem__(self, label: str) -> DatasetHandle:
        """A dataset by `name` or `name@version`."""


class ServedWorkspace(WorkspaceHandle, Protocol):
    """A workspace that remembers which browsers are signed in to its servers."""

    @property
    def browser_sessions(self) -> SessionStore:
        """Where sessions of browsers outlive the server."""
