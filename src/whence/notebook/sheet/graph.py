"""Dependencies between formula cells or columns: the order to compute them in, and cycles."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(start: Iterable[Node], needs: Callable[[Node], list[Node]]) -> Iterator[tuple[list[Node], bool]]:
    """Yield each strongly connected component after those it needs, and whether it is a cycle.

    Tarjan's algorithm, without recursion: a running total down a column is a path of as many nodes as it has rows.

    >>> list(components("a", {"a": ["b"], "b": ["c"], "c": ["b"]}.__getitem__))
    [(['c', 'b'], True), (['a'], False)]
    """
    return _Search(needs).run(start)


class _Search(Generic[Node]):
    """One depth-first search. `_index` says in which order nodes were met, `_low` the earliest one each can reach."""

    def __init__(self, needs: Callable[[Node], list[Node]]) -> None:
        self._needs = needs
        self._index: dict[Node, int] = {}
        self._low: dict[Node, int] = {}
        self._waiting: dict[Node, None] = {}  # a stack that also tells quickly whether a node is in it
        self._path: list[tuple[Node, list[Node], int]] = []

    def run(self, start: Iterable[Node]) -> Iterator[tuple[list[Node], bool]]:
        for root in start:
            if root not in self._index:
                self._meet(root)
            while self._path:
                yield from self._step()

    def _meet(self, node: Node) -> None:
        self._index[node] = self._low[node] = len(self._index)
        self._waiting[node] = None
        self._path.append((node, self._needs(node), 0))

    def _step(self) -> Iterator[tuple[list[Node], bool]]:
        node, below, place = self._path.pop()
        if place < len(below):
            self._path.append((node, below, place + 1))
            child = below[place]
            if child not in self._index:
                self._meet(child)
            elif child in self._waiting:
                self._low[node] = min(self._low[node], self._index[child])
            return
        if self._path:
            parent = self._path[-1][0]
            self._low[parent] = min(self._low[parent], self._low[node])
        if self._low[node] == self._index[node]:
            group = self._group(node)
            yield group, len(group) > 1 or node in below

    def _group(self, node: Node) -> list[Node]:
        group: list[Node] = []
        while not group or group[-1] != node:
            group.append(self._waiting.popitem()[0])
        return group


def circles(needs: dict[Node, set[Node]]) -> dict[Node, list[Node]]:
    """Return the nodes that can reach themselves, each with the nodes that it needs and that need it.

    >>> circles({"a": {"a"}, "b": {"a", "c"}, "c": {"b"}, "d": {"a"}})
    {'a': ['a'], 'c': ['c', 'b'], 'b': ['c', 'b']}
    """
    found = components(needs, lambda node: [each for each in needs[node] if each in needs])
    return {node: group for group, is_circular in found if is_circular for node in group}
