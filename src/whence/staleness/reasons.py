"""Writes one sentence for each highlighted cell that tells the user why."""

from __future__ import annotations

from whence.staleness.highlights import CellView, NotebookView, StaleUse
from whence.staleness.symbols import Symbol
from whence.staleness.upstream import provider_of


def explain(notebook: NotebookView) -> dict[str, str]:
    """Return the reason for every highlighted cell."""
    explainer = _Explainer(notebook)
    sentences = {name: explainer.sentence(name, view) for name, view in notebook.views.items()}
    return {name: sentence for name, sentence in sentences.items() if sentence}


class _Explainer:
    """Finds causes, and caches them, so that a long chain of stale cells is walked only once."""

    def __init__(self, notebook: NotebookView) -> None:
        self._notebook = notebook
        self._first: dict[str, str | None] = {}
        self._roots: dict[Symbol, tuple[Symbol, int]] = {}

    def sentence(self, name: str, view: CellView) -> str:
        if view.missing:
            return f"would fail: {_list(view.missing)} {'is' if len(view.missing) == 1 else 'are'} not defined"
        if view.stale:
            return self._stale(name, view.stale[0])
        if name in self._notebook.refreshers:
            helped = sorted(self._notebook.refreshers[name])
            return f"would renew what {_cells(helped)} now {'uses' if len(helped) == 1 else 'use'} out of date"
        if view.fresh:
            newest = max(view.fresh, key=lambda symbol: symbol.bound)
            return f"`{newest.path}` was changed by cell {newest.cell} after this cell ran; run it again to use it"
        return ""

    def _stale(self, name: str, use: StaleUse) -> str:
        root, steps = self._root_cause(use.symbol)
        cause = f"was built with the old `{root.path}`" if steps <= 1 else f"goes back to the old `{root.path}`"
        first = self._run_first(name)
        advice = f"; run cell {first} first" if first is not None else ""
        return f"uses `{use.path}` from cell {use.symbol.cell}, which {cause}{advice}"

    def _run_first(self, cell: str) -> str | None:
        """Return the cell to run first: one that is not stale, at the end of a chain of cells that renew each other."""
        chain: dict[str, None] = {}
        here: str | None = cell
        while here is not None and here not in self._first and self._notebook.views[here].stale:
            chain[here] = None
            here = provider_of(self._notebook, self._notebook.views[here].stale[0], chain)
        start = self._first.get(here, here) if here is not None else None
        self._first.update(dict.fromkeys(chain, start))
        return start

    def _root_cause(self, symbol: Symbol) -> tuple[Symbol, int]:
        """Return the changed symbol at the end of a chain of stale parents, and the length of the chain."""
        chain: list[Symbol] = []
        staleness = self._notebook.staleness
        while symbol not in self._roots and symbol in staleness.stale and symbol not in chain[:1]:
            chain.append(symbol)
            self._roots[symbol] = symbol, 0  # until the end of the chain is known, and for ever in a circle
            causes = staleness.causes(symbol)
            newer = [cause for cause in causes if cause.bound > symbol.bound]
            symbol = (newer or causes or [symbol])[0]
            if newer:
                break
        root, steps = self._roots.get(symbol, (symbol, 0))
        for distance, member in enumerate(reversed(chain), start=1):
            self._roots[member] = root, steps + distance
        return self._roots.get(chain[0], (root, steps)) if chain else (root, steps)


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _cells(names: list[str]) -> str:
    if len(names) == 1:
        return f"cell {names[0]}"
    return f"cells {', '.join(names[:-1])} and {names[-1]}"
