"""What a scan that reads ranges asks about a dataset."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from whence.model.dataset import DatasetRecord
from whence.model.ids import DatasetId
from whence.plan.step import RangedColumns


class KnownRanges(Protocol):
    """The ranges of datasets as caveats leave them now."""

    def ranged_columns(self, record: DatasetRecord) -> RangedColumns:
        """The columns with a range that can be told without running a query."""

    def prepare(self, record: DatasetRecord) -> None:
        """Compute its ranges, if they are not at hand."""

    def stored_copy(self, record: DatasetRecord) -> Path | None:
        """The files of the rows with their ranges; None if no cell has a range."""

    def states(self, datasets: Iterable[DatasetId]) -> list[str]:
        """A text for each dataset with acknowledged caveats, among these and all that they were made from."""
