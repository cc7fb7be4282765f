"""Names for what rules add to a plan: columns with negative ids, which never meet Spark's own, and limited sources."""

from __future__ import annotations

from itertools import count

from whence.model.schema import INTERNAL_PREFIX
from whence.plan.expr import Column, Expr
from whence.plan.limits import Limits


class Fresh:
    """Hands out columns nobody has used in this plan."""

    def __init__(self) -> None:
        self._ids = count(1)
        self.limits = Limits(0)
        self.only: frozenset[int] | None = None
        """The sources whose rows are traced; None for all."""
        self.notes: list[str] = []
        """What the strategy text has to say about choices in this plan."""
        self.shown_readings: frozenset[Expr] = frozenset()
        """What windows and subqueries read for cells that are shown; what only a filter uses does not contribute."""

    def over(self, sources: int) -> Fresh:
        """Columns for another use of the same plan, beside this one, with limited sources of its own."""
        other = Fresh()
        other._ids = self._ids
        other.limits = Limits(sources)
        other.only = self.only
        other.shown_readings = self.shown_readings
        return other

    def column(self, purpose: str, type_name: str, *, nullable: bool = False) -> Column:
        """A new internal column; the purpose is only there to make plans readable."""
        number = next(self._ids)
        return Column(-number, f"{INTERNAL_PREFIX}{purpose}_{number}", type_name, nullable)

    def number(self) -> int:
        """A number nobody else has in this plan."""
        return next(self._ids)

    def renamed(self, name: str, type_name: str) -> Column:
        """A new column that users see under this name."""
        return Column(-next(self._ids), name, type_name)

    def flag(self, purpose: str) -> Column:
        """A new internal boolean column that is never NULL."""
        return self.column(purpose, "boolean")
