"""The frozen context that every lineage rule of one rewrite gets: allocator, limits, and what to trace."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import Expr
from whence.plan.limits import Limits


@dataclass(frozen=True, kw_only=True)
class RewriteContext:
    """Made once for each rewrite, with all its fields; no rule changes it.

    Rules allocate columns from `ids`, and number the sources that FILTER clauses limit in the collector `limits`.
    """

    ids: ColumnIdAllocator
    limits: Limits
    traced_sources: frozenset[int] | None
    """The sources whose rows are traced; None for all."""
    shown_readings: frozenset[Expr]
    """What windows and subqueries read for cells that are shown; what only a filter uses does not contribute."""
    puts_groups_aside: bool
    """The ids of a group are not copied to every row that a join pairs it with, but kept once, beside the rows."""

    def traces(self, source: int) -> bool:
        """Rows of this source are traced."""
        return self.traced_sources is None or source in self.traced_sources


def all_but(sources: int, pruned: Collection[int]) -> frozenset[int] | None:
    """The sources that are traced where some are pruned; None for all."""
    return frozenset(range(sources)).difference(pruned) if pruned else None
