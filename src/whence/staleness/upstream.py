"""Which cells to run, in which order, so that a cell no longer uses anything out of date."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from whence.staleness.highlights import NotebookView, StaleUse
from whence.staleness.paths import Path


@dataclass(frozen=True, slots=True)
class Upstream:
    """The cells to run first, then the cell itself; `unresolved` are stale symbols no cell would renew."""

    cells: tuple[str, ...]
    unresolved: tuple[str, ...] = ()


def upstream(notebook: NotebookView, cell: str) -> Upstream:
    """For each stale symbol, first the cell that made it, if it still does, or else another that would.

    A name that is not there at all, as after a restart, comes from the last cell before that surely binds it.
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
    """The best cell to renew a stale symbol: its maker, or else one that is not stale itself."""
    able = [name for name in notebook.renewers(use) if name not in excluded]
    if use.symbol.cell in able:
        return use.symbol.cell
    return min(able, key=lambda name: len(notebook.views[name].stale), default=None)


def _makers(notebook: NotebookView, cell: str) -> list[str]:
    """For each name a cell would miss, the last cell before it that surely binds it, or else the first after it.

    Before and after are meant in the order in which the cells came to the notebook.
    """
    page = list(notebook.views)
    found = []
    for name in notebook.views[cell].missing:
        able = [each for each in page if each != cell and each in notebook.index.get(Path(name), ())]
        above = [each for each in able if page.index(each) < page.index(cell)]
        found += above[-1:] or able[:1]
    return sorted(set(found), key=page.index)
