"""Sources seen through a FILTER clause: the same rows, but only those that the clause lets into an aggregate.

The row of a group comes from all its members; a cell with a FILTER clause only from some. So each clause makes one more
source of the plan, with ids of its own, that only that cell's columns refer to.
"""

from __future__ import annotations

from whence.plan.expr import Expr


class Limits:
    """Collects the limited sources of one plan: rules number them, after the real ones, as they meet clauses."""

    def __init__(self, sources: int) -> None:
        self._sources = sources
        self._numbers: dict[tuple[int, Expr], int] = {}

    def of(self, source: int, condition: Expr) -> int:
        """The number of a source as this clause limits it."""
        return self._numbers.setdefault((source, condition), self._sources + len(self._numbers))

    def number_through(self, source: int, conditions: tuple[Expr, ...]) -> int:
        """The number of a source seen through several clauses, the innermost first."""
        for condition in conditions:
            source = self.of(source, condition)
        return source

    @property
    def origins(self) -> tuple[int, ...]:
        """For each limited source, in order, the real source it shows."""
        roots = {number: number for number in range(self._sources)}
        for (source, _), number in self._numbers.items():
            roots[number] = roots[source]
        return tuple(roots[number] for number in self._numbers.values())

    @property
    def by_number(self) -> dict[int, int]:
        """The real source that each limited one shows."""
        return dict(zip(self._numbers.values(), self.origins, strict=True))
