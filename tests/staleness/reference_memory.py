"""The reference's memory: every value lives in a place that carries its own timestamp and parents.

Written from the definitions of the paper and the conventions of the product, with nothing taken from the package:
values hold their lineage themselves, so there are no identities, probes or aliases to keep track of.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field


@dataclass(eq=False)
class Place:
    """A symbol: what it holds, when it was last given a value, and from which other places the value came."""

    value: object = None
    time: int = 0
    parents: dict[Place, bool] = field(default_factory=dict)


@dataclass(eq=False)
class Thing:
    """A mutable object: its parts are places, and `rest` stands for changes that concern no part."""

    parts: dict[object, Place] = field(default_factory=dict)
    rest: Place = field(default_factory=Place)

    def places(self) -> list[tuple[tuple[object, ...], Place]]:
        """All places inside, to any depth, with the keys that lead to them."""
        found: list[tuple[tuple[object, ...], Place]] = [((), self.rest)]
        for key, place in self.parts.items():
            found.append(((key,), place))
            if isinstance(place.value, Thing):
                found += [((key, *keys), inner) for keys, inner in place.value.places()]
        return found


@dataclass(eq=False)
class Function:
    """A function, with its syntax."""

    node: ast.FunctionDef | ast.Lambda

    @property
    def body(self) -> list[ast.stmt]:
        return self.node.body if isinstance(self.node, ast.FunctionDef) else [ast.Return(self.node.body)]

    @property
    def parameters(self) -> list[str]:
        return [argument.arg for argument in self.node.args.args]


Loads = dict[Place, bool]


def content(place: Place) -> list[Place]:
    """The places a use of the whole sees, besides the place itself."""
    return [inner for _, inner in place.value.places()] if isinstance(place.value, Thing) else []


def shares(parent: Place, child: Place) -> bool:
    return isinstance(parent.value, Thing) and parent.value is child.value


def newest(place: Place, whole: bool) -> int:
    return max([place.time, *(inner.time for inner in content(place))]) if whole else place.time


def stale_places(places: list[Place]) -> set[Place]:
    """Definition 4, applied until nothing changes."""
    stale: set[Place] = set()
    while True:
        found = {place for place in places if place not in stale and _is_stale(place, stale)}
        if not found:
            return stale
        stale |= found


def _is_stale(place: Place, stale: set[Place]) -> bool:
    for parent, whole in place.parents.items():
        deep = whole and not shares(parent, place)
        if newest(parent, deep) > place.time or parent in stale:
            return True
        if deep and any(inner in stale for inner in content(parent)):
            return True
    return False
