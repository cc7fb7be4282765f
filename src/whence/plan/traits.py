"""What rules may assume of an operator without knowing which one it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RowDependence = Literal["row", "group", "any rows", "as below", "unknown"]
"""`row`: the input rows it was made from alone. `group`: these, and what else might have been in its group.
`any rows`: any row of the inputs, as after a limit. `as below`: as for the step below, because this one only adds
cells. `unknown`: no rule says."""


@dataclass(frozen=True, kw_only=True)
class Traits:
    """The facts that each concrete step states about itself: no defaults, so that a new step answers every question."""

    keeps_rows: bool
    """Each row of the first input comes out exactly once."""

    passes_through: bool
    """Every row comes out with the same cells; only its place, or what is known of the set of rows, changes."""

    row_depends_on: RowDependence
    """What decides what becomes of a row."""

    is_one_way: bool
    """No row is joined to another or comes out twice: leaving an input row out changes one row or group at most."""

    is_conjunctive: bool
    """Each row is made from one row of each source below, and goes if one of these goes."""

    groups_rows: bool
    """One row comes out for several that are equal in something."""

    computes_measures: bool
    """Its values are aggregates of Spark, so some follow from counts and sums of the rows of a group."""

    reads_around: bool
    """A value is computed from rows around its own, so it changes where only some rows are read."""

    gathers_in_python: bool
    """A Python function is given all rows of a group, which cannot be run on some of them."""

    defers_below: bool
    """Each row is a row of the input, so that lineage of a group-by below may be captured after the rows are there."""

    lets_keys_through: bool
    """Conditions and keys above it can be stated over its input, and so be looked up in the files of a dataset."""

    passes_formulas: bool
    """A column is the column of an input that has the same id, and so is its formula."""

    only_decides: bool
    """Its rows are compared with, and never shown."""
