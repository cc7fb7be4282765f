"""Finds cells that would start from their own result in a second run, such as one that pops an item from a list."""

from __future__ import annotations

from whence.staleness.highlights import CellView, NotebookView
from whence.staleness.paths import Path


def repeat_reason(notebook: NotebookView, cell: str) -> str:
    """Return why a second run of a cell would see another input than the first, and which cell resets it; "" if not.

    The input differs if something the cell reads was last changed by its own latest run with the same text.
    """
    view = notebook.views[cell]
    if not view.cell.ran_at or view.cell.text != view.cell.ran_text:
        return ""
    paths = _own_results(notebook, view)
    if not paths:
        return ""
    makers = [name for name in notebook.index.get(Path(paths[0].name), ()) if name != cell]
    advice = f"; run cell {makers[0]} first to start over" if makers else ""
    return f"would start from its own result: it has already changed `{paths[0]}`{advice}"


def _own_results(notebook: NotebookView, view: CellView) -> list[Path]:
    found: list[Path] = []
    for live in view.live:
        if live.symbol is None:
            continue
        parts = [part for _, part in notebook.staleness.parts(live.symbol)] if live.whole else []
        changed = [symbol for symbol in (live.symbol, *parts) if symbol.bound == view.cell.ran_at]
        if any(symbol.cell == view.cell.id for symbol in changed):
            found.append(live.path)
    return found
