"""Shorthand for tests that run several cells."""

from __future__ import annotations

from whence.safety import Session


def run_cells(session: Session, **cells: str) -> None:
    """Run cells in the order given; each must succeed and leave no fault of the tracer."""
    for cell, text in cells.items():
        result = session.run(cell, text)
        assert result.ok, (cell, result.error)
        assert session.problems == []


def marks(session: Session) -> tuple[set[str], set[str], set[str]]:
    """The stale, fresh and refresher cells."""
    found = session.highlights()
    return set(found.stale), set(found.fresh), set(found.refresher)


def parents(session: Session, name: str) -> set[str]:
    """The symbols a variable was made from, by name; whole uses and bindings alike."""
    return {str(parent.path) for parent in session.lineage.names[name].parents}
