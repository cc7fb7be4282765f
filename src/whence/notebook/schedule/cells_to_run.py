"""Finds the cells to run after an edit, or when a user asks for one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from whence.model.notebook import CellId
from whence.notebook.schedule.survey import CellState

States = Mapping[CellId, CellState]


def after_edit(before: States, after: States, edited: CellId | None) -> set[CellId]:
    """Return the edited cell, the cells that the edit made stale, and the cells above that these wait for.

    A cell that was stale or cancelled before, for the same reason, does not run because of an edit elsewhere.
    """
    wanted = set[CellId]()
    for cell, state in after.items():
        if state.is_needed and (cell == edited or not _stood_still(before.get(cell), state) or state.blockers & wanted):
            wanted.add(cell)
    return with_upstream(wanted, after)


def with_upstream(cells: Iterable[CellId], states: States) -> set[CellId]:
    """Return these cells and the cells above that they wait for, but none that failed: it would fail again."""
    wanted, waiting = set[CellId](), list(cells)
    while waiting:
        cell = waiting.pop()
        if cell in wanted or cell not in states:
            continue
        wanted.add(cell)
        waiting += [each for each in states[cell].blockers if each in states and states[each].is_needed]
    return wanted


def _stood_still(was: CellState | None, state: CellState) -> bool:
    return (
        was is not None
        and was.status in ("stale", "cancelled")
        and (was.status, was.reason, was.blockers) == (state.status, state.reason, state.blockers)
    )
