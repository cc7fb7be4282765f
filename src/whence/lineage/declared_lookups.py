"""What is asked of those who know the lineage of datasets that no query made: operators that declare it."""

from __future__ import annotations

from typing import Protocol

from whence.lineage.lookup import Lookup
from whence.model.dataset import DatasetRecord


class DeclaredLookups(Protocol):
    """Answers for datasets that have no blocks."""

    @property
    def epoch(self) -> int:
        """Grows when answers come from elsewhere than before, so that lookups must be asked for again."""

    def lookup(self, record: DatasetRecord, source: int, *, backward: bool) -> Lookup:
        """One direction of one input."""
