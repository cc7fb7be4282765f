"""Provenance templates: which columns a step makes from which, instead of one record per value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from whence.model.cellref import Role

Reading = Literal["changed", "touched"]
"""Which cells count as written: those whose value changed, or all cells of the columns."""


@dataclass(frozen=True)
class Read:
    """A column that a template reads, in the row itself or in the input rows behind it.

    `source` 0 is the table before the step; 1, 2, ... are the other datasets of a join or union. `only` is a column and
    a value that the rows read must hold, as in a pivot. `leaf` is the number of the rows in the query's lineage where a
    window or a FILTER clause reads other rows than those behind the row. `around` names the column that a window
    function of the step writes, if the rows read are those of the function.
    """

    column: str
    role: Role = "computed"
    source: int = 0
    only: tuple[str, object] | None = None
    leaf: int | None = None
    around: str = ""


@dataclass(frozen=True)
class Statistic:
    """A value learned from columns, over all rows or over the groups of `by`; provenance lists it as an item.

    `fills`: it is in the cells that were missing, and in no others. Rows in which a column of `non_null` is missing did
    not take part.
    """

    name: str
    columns: tuple[str, ...]
    value: object = None
    by: tuple[str, ...] = ()
    fills: bool = False
    non_null: tuple[str, ...] = ()


@dataclass(frozen=True)
class Template:
    """The columns that a step writes, and the columns and statistics it makes them from."""

    reads: tuple[Read, ...]
    writes: tuple[str, ...]
    statistics: tuple[Statistic, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table before the step that it reads, each once."""
        own = [read.column for read in self.reads if read.source == 0]
        learned = [name for each in self.statistics for name in (*each.columns, *each.by)]
        return tuple(dict.fromkeys([*own, *learned]))
