"""The interface of a step that reads the rows of a stored dataset version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from whence.model.dataset import Doubt
from whence.model.ids import DatasetId
from whence.plan.expr import Column
from whence.plan.rids import Rids


class StoredRows(Protocol):
    """A source of a plan: which dataset it reads, and under which number."""

    @property
    def source(self) -> int:
        """Its number among the sources of the plan."""

    @property
    def dataset(self) -> DatasetId:
        """The dataset version."""

    @property
    def user_columns(self) -> tuple[Column, ...]:
        """The columns that users see."""

    @property
    def positions(self) -> Mapping[str, int]:
        """The place of each stored column, by name."""

    @property
    def doubt(self) -> Doubt:
        """Which of its cells and rows are in doubt."""

    @property
    def rows(self) -> int:
        """How many rows are stored."""

    @property
    def chosen_rids(self) -> Rids | None:
        """The only rows that are read; None for all."""
