"""Garbage collection for the lineage: drops shadows of objects that the notebook can no longer reach."""

from __future__ import annotations

from collections.abc import Mapping

from whence.staleness.lineage import Lineage, Parents
from whence.staleness.objects import ABSENT
from whence.staleness.staleness import Staleness
from whence.staleness.symbols import Symbol


def collect(lineage: Lineage, values: Mapping[str, object]) -> None:
    """Drop the shadows of objects that no symbol leads to any more, and update parts that have changed.

    Only objects with a shadow are visited, so the cost grows with the text of the notebook and not with its data.
    """
    reached = _reach(lineage, values)
    lost = [shadow for number, shadow in lineage.shadows.items() if number not in reached]
    gone = {symbol for shadow in lost for symbol in shadow.members()}.union(lineage.removed)
    if gone:
        _bury(lineage, gone)
    for symbol in gone:
        symbol.exists, symbol.home = False, None
    lineage.removed = []
    lineage.shadows = {number: shadow for number, shadow in lineage.shadows.items() if number in reached}
    for shadow in lineage.shadows.values():
        shadow.holders = {holder for holder in shadow.holders if holder.exists and holder.value == shadow.identity}


def _reach(lineage: Lineage, values: Mapping[str, object]) -> set[int]:
    reached: set[int] = set()
    open_ends = [(symbol, values.get(name, ABSENT)) for name, symbol in lineage.names.items() if symbol.exists]
    while open_ends:
        symbol, value = open_ends.pop()
        shadow = lineage.shadows.get(symbol.value) if symbol.value else None
        if shadow is None or shadow.identity in reached or id(value) != shadow.identity:
            continue
        reached.add(shadow.identity)
        open_ends += lineage.compare_parts(value, shadow)
    return reached


def _bury(lineage: Lineage, gone: set[Symbol]) -> None:
    """Remove symbols that are gone from the parents of those that stay.

    A parent that makes its child stale stays in `lineage.buried`, one for each path, as the child remains stale for
    ever. Any other can only matter through its own parents, so these replace it.
    """
    members = [symbol for shadow in lineage.shadows.values() for symbol in shadow.members()]
    staying = {*lineage.names.values(), *members, *lineage.buried.values()} - gone
    children = [symbol for symbol in staying if not gone.isdisjoint(symbol.parents)]
    if not children:
        return
    staleness = Staleness(lineage, also=gone)
    done: set[Symbol] = set()
    while children:
        child = children.pop()
        done.add(child)
        child.parents = _without(child, gone, staleness, lineage)
        children += [parent for parent in child.parents if parent in gone and parent not in done]
    kept = {parent for symbol in [*staying, *done] for parent in symbol.parents}
    lineage.buried = {path: symbol for path, symbol in lineage.buried.items() if symbol in kept}


def _without(child: Symbol, gone: set[Symbol], staleness: Staleness, lineage: Lineage) -> Parents:
    kept: Parents = {}
    pending = list(child.parents.items())
    visited: set[Symbol] = set()
    while pending:
        symbol, whole = pending.pop()
        if symbol not in gone:
            kept[symbol] = kept.get(symbol, False) or whole
            continue
        if staleness.outdates(symbol, whole, child):
            grave = lineage.buried.setdefault(symbol.path, symbol)
            if grave is not child:
                kept[grave] = False
                continue
            # The child itself is buried under this path, and cannot be its own parent, so it takes the older time.
            child.bound = min(child.bound, symbol.bound)
        if symbol not in visited:
            visited.add(symbol)
            pending += _instead(symbol, whole, staleness)
    kept.pop(child, None)
    return kept


def _instead(symbol: Symbol, whole: bool, staleness: Staleness) -> list[tuple[Symbol, bool]]:
    """Return what replaces a symbol as a parent: its own parents and, if it was used as a whole, its content.

    A parent that holds the same object counts as used in the same way as the symbol.
    """
    shared = symbol.value
    parents = [
        (parent, whole if shared and parent.value == shared else deep) for parent, deep in symbol.parents.items()
    ]
    return parents + [(part, False) for _, part in staleness.parts(symbol) if whole]
