"""Caches instrumented cells by their text, so that running a cell again needs no second analysis."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable
from dataclasses import replace

from whence.staleness.instrument import instrument
from whence.staleness.sites import InstrumentedCell

_BUILTINS = frozenset(dir(builtins))
_Wanted = tuple[str, frozenset[str]]


class Preparations:
    """The cache of instrumented cells. Its key includes which builtins the notebook's variables hide."""

    def __init__(self) -> None:
        self._done: dict[_Wanted, InstrumentedCell] = {}

    def get(
        self, tree: ast.Module, parse: Callable[[], ast.Module], text: str | None, names: Iterable[str]
    ) -> InstrumentedCell:
        """Return the instrumented form of a parsed cell. `names` are the variables of the notebook."""
        if text is None:
            return instrument(tree, parse(), frozenset(names))
        wanted = text, _BUILTINS.intersection(names)
        if wanted not in self._done:
            self._done[wanted] = instrument(tree, parse(), frozenset(names))
        found = self._done[wanted]
        # The body is copied, as the caller may take the last expression out of it.
        return replace(found, tree=ast.Module(list(found.tree.body), []))

    def keep(self, texts: set[str]) -> None:
        """Drop cached texts that no cell has any more, once they are the majority."""
        if len(self._done) > 2 * len(texts) + 16:
            self._done = {wanted: found for wanted, found in self._done.items() if wanted[0] in texts}
