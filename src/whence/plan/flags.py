"""Turns claims about doubt into flag columns of one projection."""

from __future__ import annotations

from collections.abc import Mapping

from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.expr import FALSE, TRUE, Column, Expr, alias, ref


class Flags:
    """Collects the flags of one projection: a claim that is a column already is carried, any other is computed.

    A claim that can never hold gets no column at all: certain data costs nothing.
    """

    def __init__(self, ids: ColumnIdAllocator) -> None:
        self._ids = ids
        self._made: dict[Expr, Column] = {}

    def flag(self, claim: Expr, purpose: str) -> Column | None:
        """The column that holds this claim, None if it never holds."""
        if claim == FALSE:
            return None
        if claim not in self._made:
            self._made[claim] = claim.output if claim.kind == "column" else self._ids.flag(purpose)
        return self._made[claim]

    def present(self, claim: Expr) -> Column | None:
        """The column that says whether a row is there, None if it always is."""
        return None if claim == TRUE else self.flag(claim, "present")

    def cells(self, claims: Mapping[int, Expr]) -> dict[int, Column]:
        """The flag columns of cells."""
        flagged = ((column, self.flag(claim, "doubt")) for column, claim in claims.items())
        return {column: flag for column, flag in flagged if flag is not None}

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """What to project beside the data."""
        return tuple(
            ref(column) if claim.kind == "column" else alias(claim, column) for claim, column in self._made.items()
        )
