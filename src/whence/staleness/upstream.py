"""Finds the cells to run, in order, so that a cell no longer uses anything out of date."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from whence.staleness.highlights import NotebookView, StaleUse
from whence.staleness.paths import Path


@dataclass(frozen=True, slots=True)
class Upstream:
    """The cells to run first, then the cell itself. `unresolved` are stale symbols that no cell would renew."""

    cells: tuple[str, ...]
    unresolved: tuple[str, ...] = ()


def upstream(notebook: NotebookView, cell: str) -> Upstream:
    """Return the cells to run before a cell: for each stale symbol the cell that made it, or another that binds it.

    A name that is missing in memory, as after a restart, comes from the last cell above that surely binds it.
    """
    order: dict[str, None] = {}
    unresolved: dict[str, None] = {}
    pending = [(cell, False)]
    entered: set[str] = set()
    while pending:
        name, is_ready = pending.pop()
        if is_ready:
            order[name] = None
        elif name not in entered:
            entered.add(name)
            # Depth first, without recursion: a cell is listed after the providers that are pushed above it.
            pending.append((name, True))
            for use in notebook.views[name].stale:
                if not any(done in order for done in notebook.renewers(use)):
                    provider = provider_of(notebook, use, entered)
                    if provider is None:
                        unresolved[str(use.path)] = None
                    else:
                        pending.append((provider, False))
            makers = [maker for maker in _makers(notebook, name) if maker not in entered]
            pending += [(maker, False) for maker in reversed(makers)]  # the last one in is the first to run
    return Upstream(tuple(order), tuple(unresolved))


def provider_of(notebook: NotebookView, use: StaleUse, excluded: Container[str] = ()) -> str | None:
    """Return the best cell to renew a stale symbol: its maker, else the able cell with the fewest stale reads."""
    able = [name for name in notebook.renewers(use) if name not in excluded]
    if use.symbol.cell in able:
        return use.symbol.cell
    return min(able, key=lambda name: len(notebook.views[name].stale), default=None)


def _makers(notebook: NotebookView, cell: str) -> list[str]:
    """Return, for each name that a cell would miss, the last cell before it that surely binds it, else the first after.

    Before and after refer to the order in which the cells joined the notebook.
    """
    page = list(notebook.views)
    found = []
    for name in notebook.views[cell].missing:
        able = [each for each in page if each != cell and each in notebook.index.get(Path(name), ())]
        above = [each for each in able if page.index(each) < page.index(cell)]
        found += above[-1:] or able[:1]
    return sorted(set(found), key=page.index)
