"""The interface through which operators answer for the lineage that they declare."""

from __future__ import annotations

from typing import Protocol

from whence.lineage.lookup import Lookup
from whence.model.dataset import DatasetRecord


class DeclaredLookups(Protocol):
    """Answers for datasets that have no blocks."""

    @property
    def epoch(self) -> int:
        """A number that grows when the planner stores lineage in another form, and lookups must be asked for again."""

    def lookup(self, record: DatasetRecord, source: int, *, backward: bool) -> Lookup:
        """One direction of one input."""
