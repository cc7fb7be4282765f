"""The footprint of a cell: what it reads and writes, as far as that is known before it runs."""

from __future__ import annotations

from dataclasses import dataclass

Known = frozenset[str] | None
"""Names, or None where the cell may touch any name."""


@dataclass(frozen=True)
class Footprint:
    """The names a cell reads and writes: datasets, parameters and functions in one name space, and files apart.

    A footprint may name too much, never too little. After the run, what the cell really read replaces it.
    """

    reads: Known
    writes: Known
    files: frozenset[str] = frozenset()
    """Paths of files whose change makes the cell stale."""
    is_exact: bool = False
    """Every name in `reads` must exist, or the cell fails."""
    reads_marks: bool = False
    """The result depends on doubt flags, and so on which caveats are acknowledged."""


NOTHING = Footprint(frozenset(), frozenset())
