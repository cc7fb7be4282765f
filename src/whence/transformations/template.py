"""How an operation makes cells from cells: one template for a whole column, never one record per value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from whence.model.cellref import Role

Reading = Literal["changed", "touched"]
"""Which cells count as written: those whose value differs, or all cells of a written column."""


@dataclass(frozen=True)
class Read:
    """A column that is read: of the row itself, or of the rows that made the row.

    `source` 0 is the step before; 1, 2, ... are the other datasets of a join or union. `only` limits it to the rows
    that hold a value in a column, as the cells of a pivot. `leaf` is the number under which a query's lineage knows the
    rows, where these are not all that made the row: those of a window, or those that a FILTER clause let through.
    `around` is the column that a window function of a step writes, where the rows are those that this function reads.
    """

    column: str
    role: Role = "computed"
    source: int = 0
    only: tuple[str, object] | None = None
    leaf: int | None = None
    around: str = ""


@dataclass(frozen=True)
class Statistic:
    """A figure learned from columns: an item of its own, made from every row, or from the rows of the cell's group.

    `fills`: it went into the cells that were empty, and into no others. `given` are the columns of which rows with an
    empty cell taught nothing.
    """

    name: str
    columns: tuple[str, ...]
    value: object = None
    by: tuple[str, ...] = ()
    fills: bool = False
    given: tuple[str, ...] = ()


@dataclass(frozen=True)
class Template:
    """Which columns of a row are made from which."""

    reads: tuple[Read, ...]
    writes: tuple[str, ...]
    statistics: tuple[Statistic, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the step before that are read, each once."""
        own = [read.column for read in self.reads if read.source == 0]
        learned = [name for each in self.statistics for name in (*each.columns, *each.by)]
        return tuple(dict.fromkeys([*own, *learned]))
