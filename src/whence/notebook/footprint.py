"""What a cell reads and writes, as far as it is known before the cell runs."""

from __future__ import annotations

from dataclasses import dataclass

Known = frozenset[str] | None
"""Names, or None where the cell may touch any name."""


@dataclass(frozen=True)
class Footprint:
    """Names of datasets, parameters and functions share one space; files of this machine are apart.

    A footprint may name too much, never too little: what really was read corrects it after the run.
    """

    reads: Known
    writes: Known
    files: frozenset[str] = frozenset()
    """Paths outside the workspace whose change makes the cell stale."""
    is_exact: bool = False
    """Every name in `reads` must be there, or the cell fails."""
    reads_marks: bool = False
    """What the cell gives depends on which values are marked, and so on what was acknowledged."""


NOTHING = Footprint(frozenset(), frozenset())
