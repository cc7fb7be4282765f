"""Ids for the columns that rules add to a plan: negative ones, which never meet Spark's own."""

from __future__ import annotations

from itertools import count

from whence.model.schema import INTERNAL_PREFIX
from whence.plan.expr import Column


class ColumnIdAllocator:
    """Allocates columns and numbers that nothing else in one plan has."""

    def __init__(self) -> None:
        self._ids = count(1)

    def column(self, purpose: str, type_name: str, *, nullable: bool = False) -> Column:
        """A new internal column; the purpose is only there to make plans readable."""
        number = next(self._ids)
        return Column(-number, f"{INTERNAL_PREFIX}{purpose}_{number}", type_name, nullable)

    def number(self) -> int:
        """A number that nothing else in this plan has."""
        return next(self._ids)

    def named_column(self, name: str, type_name: str) -> Column:
        """A new column that users see under this name."""
        return Column(-next(self._ids), name, type_name)

    def flag(self, purpose: str) -> Column:
        """A new internal boolean column that is never NULL."""
        return self.column(purpose, "boolean")
