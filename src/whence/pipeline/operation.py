"""One step of a pipeline as users see it: what was called, on what, and what it did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Counts:
    """Rows before and after an operation, and the cells it changed and wrote."""

    rows_before: int
    rows_after: int
    cells_changed: int
    cells_touched: int


def _uncounted() -> Counts:
    return Counts(0, 0, 0, 0)


@dataclass(frozen=True, eq=False)
class Operation:
    """One call; `index` counts from 0. Rows and cells are counted when they are first asked for.

    `cells_changed` counts the cells it wrote whose value differs from before, new cells among them; `cells_touched` all
    cells of the columns it wrote. `code` is the call, `line` where it stands in the user's program.
    """

    index: int
    kind: str
    description: str
    columns_in: tuple[str, ...]
    columns_out: tuple[str, ...]
    code: str
    line: str = ""
    is_inferred: bool = False
    """Whether its effect was inferred by comparing tables, not read from a plan."""
    count: Callable[[], Counts] = field(default=_uncounted, repr=False)

    @property
    def number(self) -> int:
        """Its place counted from 1, as messages show it."""
        return self.index + 1

    @property
    def rows_before(self) -> int:
        """How many rows there were before."""
        return self.count().rows_before

    @property
    def rows_after(self) -> int:
        """How many rows there were after."""
        return self.count().rows_after

    @property
    def cells_changed(self) -> int:
        """How many cells have another value than before, or are new."""
        return self.count().cells_changed

    @property
    def cells_touched(self) -> int:
        """How many cells it wrote, whether or not their value differs."""
        return self.count().cells_touched

    def __str__(self) -> str:
        return f"step {self.number}, {self.kind}: {self.description}"
