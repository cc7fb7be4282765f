"""Checks whether a notebook is reproducible: runs its cells from the top in a new namespace and compares outputs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from whence.staleness.session import Session

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


@dataclass(frozen=True, slots=True)
class Expected:
    """A cell of a notebook, with the output of its last run; None if it never ran."""

    cell: str
    text: str
    output: str | None


@dataclass(frozen=True, slots=True)
class Reproduction:
    """Whether a run from the top shows the same output, and if not, the first cell that differs and how."""

    ok: bool
    first_difference: str | None = None
    reason: str = ""


def is_reproducible(session: Session) -> Reproduction:
    """Run the session's cells from first to last in a new session, and return whether they show what they show now.

    >>> s = Session()
    >>> _ = s.run("c1", "x = 1"), s.run("c2", "print(x)"), s.run("c1", "x = 2")
    >>> is_reproducible(s).first_difference
    'c2'
    """
    return run_from_the_top(Expected(cell.id, cell.text, cell.output) for cell in session.cells.values())


def run_from_the_top(cells: Iterable[Expected]) -> Reproduction:
    """Run cells in order, each once, until one shows other output than expected.

    >>> run_from_the_top([Expected("c1", "x = 1", ""), Expected("c2", "print(x)", "2\\n")])
    Reproduction(ok=False, first_difference='c2', reason="shows '1' where it showed '2'")
    """
    session = Session()
    for expected in cells:
        result = session.run(expected.cell, expected.text)
        if expected.output is None:  # it never ran, so there is nothing to compare; an error in it does not count
            continue
        if not result.ok:
            error = f"{type(result.error).__name__}: {result.error}"
            return Reproduction(False, expected.cell, f"fails from the top with {error}")
        if _normal(result.output) != _normal(expected.output):
            shown, showed = _normal(result.output).strip(), _normal(expected.output).strip()
            return Reproduction(False, expected.cell, f"shows {shown!r} where it showed {showed!r}")
    return Reproduction(True)


def _normal(output: str) -> str:
    """Return the output with memory addresses masked, as they differ from run to run."""
    return _ADDRESS.sub("0x…", output)
