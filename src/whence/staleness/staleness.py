"""Computes which symbols are stale (Definition 4 of the NBSafety paper).

A container that is used as a whole is as new as its newest part, and stale if a part is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from whence.staleness.lineage import Lineage
from whence.staleness.paths import Key
from whence.staleness.symbols import Symbol


class Staleness:
    """A snapshot of which symbols are stale, and how new each is; computed in time linear in the lineage."""

    def __init__(self, lineage: Lineage, also: Iterable[Symbol] = ()) -> None:
        self._shadows = lineage.shadows
        members = [(symbol, shadow.identity) for shadow in self._shadows.values() for symbol in shadow.members()]
        self._inside: dict[Symbol, int] = dict(members)
        self._around: dict[int, set[int]] = {}  # object -> objects that have it as a part
        for shadow in self._shadows.values():
            for part in shadow.parts.values():
                self._around.setdefault(part.value, set()).add(shadow.identity)
        self._buried = lineage.buried.values()  # what was made from these is stale for ever
        self._symbols = {*lineage.names.values(), *self._buried, *self._inside, *also}
        self._content_time = self._newest_content()
        self.stale: set[Symbol] = set()
        self._stale_content: set[int] = set()
        self._propagate()

    def newest(self, symbol: Symbol, whole: bool) -> int:
        """Return the timestamp of a symbol's binding or, if used as a whole, of its newest part if that is newer."""
        return max(symbol.bound, self._content_time.get(symbol.value, 0)) if whole else symbol.bound

    def is_stale(self, symbol: Symbol, whole: bool) -> bool:
        """Return whether a symbol is stale or, if used as a whole, any part of it."""
        own = symbol in self.stale or (symbol not in self._symbols and self._is_outdated(symbol))
        return own or (whole and symbol.value in self._stale_content)

    def parts(self, symbol: Symbol) -> Iterator[tuple[tuple[Key, ...], Symbol]]:
        """Yield the parts of a symbol at any depth, each with the keys that lead to it.

        Changes that belong to no single part come with the keys of their container.
        """
        pending: list[tuple[tuple[Key, ...], int]] = [((), symbol.value)]
        visited: set[int] = set()
        while pending:
            keys, value = pending.pop()
            shadow = self._shadows.get(value)
            if shadow is None or value in visited:
                continue
            visited.add(value)
            if shadow.rest is not None:
                yield keys, shadow.rest
            for key, part in shadow.parts.items():
                yield (*keys, key), part
                pending.append(((*keys, key), part.value))

    def causes(self, symbol: Symbol) -> list[Symbol]:
        """Return the parents that make a symbol stale: those newer than it, or if none is, those that are stale."""
        newer = [parent for parent, whole in symbol.parents.items() if self._is_newer(parent, whole, symbol)]
        older = [parent for parent, whole in symbol.parents.items() if self.is_stale(parent, whole)]
        return newer or older

    def _newest_content(self) -> dict[int, int]:
        times: dict[int, int] = {}
        # Newest first: the first symbol to reach a container gives its time, so each is visited once.
        for symbol in sorted(self._inside, key=lambda symbol: -symbol.bound):
            pending = [self._inside[symbol]]
            while pending:
                container = pending.pop()
                if container not in times:
                    times[container] = symbol.bound
                    pending.extend(self._around.get(container, ()))
        return times

    def _is_newer(self, parent: Symbol, whole: bool, child: Symbol) -> bool:
        """Return whether a parent is newer than its child. An alias shares its content, so only the binding counts."""
        shared = parent.value == child.value
        return self.newest(parent, whole and not shared) > child.bound

    def _is_outdated(self, symbol: Symbol) -> bool:
        return any(self.outdates(parent, whole, symbol) for parent, whole in symbol.parents.items())

    def outdates(self, parent: Symbol, whole: bool, child: Symbol) -> bool:
        """Return whether a parent makes its child stale (Definition 4)."""
        return self._is_newer(parent, whole, child) or self._is_stale_parent(parent, whole, child)

    def _is_stale_parent(self, parent: Symbol, whole: bool, child: Symbol) -> bool:
        """Return whether a stale parent makes its child stale. Stale content that both share does not count."""
        content = whole and parent.value != child.value and parent.value in self._stale_content
        return parent in self.stale or content

    def _propagate(self) -> None:
        by_symbol: dict[Symbol, list[Symbol]] = {}
        by_content: dict[int, list[Symbol]] = {}
        pending = list(self._buried)
        for symbol in self._symbols:
            for parent, whole in symbol.parents.items():
                by_symbol.setdefault(parent, []).append(symbol)
                if whole and parent.value and parent.value != symbol.value:
                    by_content.setdefault(parent.value, []).append(symbol)
                if self._is_newer(parent, whole, symbol):
                    pending.append(symbol)
        while pending:
            symbol = pending.pop()
            if symbol in self.stale:
                continue
            self.stale.add(symbol)
            pending += by_symbol.get(symbol, ())
            for container in self._containers(symbol):
                pending += by_content.get(container, ())

    def _containers(self, symbol: Symbol) -> Iterator[int]:
        """Yield the objects whose content becomes stale with this symbol, each only once for the whole snapshot."""
        pending = [self._inside[symbol]] if symbol in self._inside else []
        while pending:
            container = pending.pop()
            if container not in self._stale_content:
                self._stale_content.add(container)
                yield container
                pending.extend(self._around.get(container, ()))
