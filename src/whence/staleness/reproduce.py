"""Is a notebook reproducible from the top? Runs its cells in order in a new interpreter and compares what they show."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from whence.staleness.session import Session

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


@dataclass(frozen=True, slots=True)
class Expected:
    """A cell in its place, with what it showed the last time; None if it never ran."""

    cell: str
    text: str
    output: str | None


@dataclass(frozen=True, slots=True)
class Reproduction:
    """Whether a run from the top shows the same, and if not, the first cell that differs and how."""

    ok: bool
    first_difference: str | None = None
    reason: str = ""


def is_reproducible(session: Session) -> Reproduction:
    """Would a new interpreter, given this session's cells from first to last, show what they show now?

    >>> s = Session()
    >>> _ = s.run("c1", "x = 1"), s.run("c2", "print(x)"), s.run("c1", "x = 2")
    >>> is_reproducible(s).first_difference
    'c2'
    """
    return run_from_the_top(Expected(cell.id, cell.text, cell.output) for cell in session.cells.values())


def run_from_the_top(cells: Iterable[Expected]) -> Reproduction:
    """Run cells in order, each once, until one shows something else than expected.

    >>> run_from_the_top([Expected("c1", "x = 1", ""), Expected("c2", "print(x)", "2\\n")])
    Reproduction(ok=False, first_difference='c2', reason="shows '1' where it showed '2'")
    """
    session = Session()
    for expected in cells:
        result = session.run(expected.cell, expected.text)
        if expected.output is None:
            continue
        if not result.ok:
            error = f"{type(result.error).__name__}: {result.error}"
            return Reproduction(False, expected.cell, f"fails from the top with {error}")
        if _normal(result.output) != _normal(expected.output):
            shown, showed = _normal(result.output).strip(), _normal(expected.output).strip()
            return Reproduction(False, expected.cell, f"shows {shown!r} where it showed {showed!r}")
    return Reproduction(True)


def _normal(output: str) -> str:
    """Memory addresses differ from run to run and mean nothing."""
    return _ADDRESS.sub("0x…", output)
