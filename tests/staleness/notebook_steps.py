"""Shorthand for tests that run several cells."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings

from tests.staleness.notebooks import notebook
from whence.safety import Session

Steps = list[tuple[str, str, str]]


def random_notebooks(count: int) -> Callable[[Callable[[Steps], None]], Callable[[], None]]:
    """Run a test on so many random notebooks, the same in every run."""
    chosen = settings(
        max_examples=count, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    return lambda test: chosen(given(notebook)(test))


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
