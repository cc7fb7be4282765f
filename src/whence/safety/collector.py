"""Keeps the shadow no larger than what the notebook can still reach, so that metadata does not grow with time."""

from __future__ import annotations

from collections.abc import Mapping

from whence.safety.lineage import Lineage, Parents
from whence.safety.objects import ABSENT
from whence.safety.staleness import Staleness
from whence.safety.symbols import Symbol


def collect(lineage: Lineage, values: Mapping[str, object]) -> None:
    """Drop the shadows of objects no symbol leads to any more; notice changed parts on the way.

    Only what has a shadow is visited, so the cost grows with the text of the notebook and not with its data.
    """
    reached = _reach(lineage, values)
    lost = [shadow for number, shadow in lineage.shadows.items() if number not in reached]
    gone = {symbol for shadow in lost for symbol in shadow.members()}
    for symbol in gone:
        symbol.exists = False
    lineage.shadows = {number: shadow for number, shadow in lineage.shadows.items() if number in reached}
    for shadow in lineage.shadows.values():
        shadow.holders = {holder for holder in shadow.holders if holder.exists and holder.value == shadow.identity}
    if gone:
        _bury(lineage, gone)


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
    """Take symbols that are gone out of the parents of those that stay.

    One that is stale stays stale for ever, so its children keep it, one for each name. Any other can only become stale
    through its own parents, so these take its place.
    """
    members = [symbol for shadow in lineage.shadows.values() for symbol in shadow.members()]
    staying = [*lineage.names.values(), *members, *lineage.buried.values()]
    children = [symbol for symbol in staying if not gone.isdisjoint(symbol.parents)]
    if not children:
        return
    stale = Staleness(lineage, also=gone).stale
    done: set[Symbol] = set()
    while children:
        child = children.pop()
        done.add(child)
        child.parents = _without(child.parents, gone, stale, lineage)
        child.parents.pop(child, None)
        children += [parent for parent in child.parents if parent in gone and parent not in done]
    kept = {parent for symbol in [*staying, *done] for parent in symbol.parents}
    lineage.buried = {path: symbol for path, symbol in lineage.buried.items() if symbol in kept}


def _instead(symbol: Symbol, whole: bool) -> list[tuple[Symbol, bool]]:
    """The parents that stand for a symbol; one that holds the same object is used just as the symbol was."""
    shared = symbol.value
    return [(parent, whole if shared and parent.value == shared else deep) for parent, deep in symbol.parents.items()]


def _without(parents: Parents, gone: set[Symbol], stale: set[Symbol], lineage: Lineage) -> Parents:
    kept: Parents = {}
    pending = list(parents.items())
    visited: set[Symbol] = set()
    while pending:
        symbol, whole = pending.pop()
        if symbol not in gone:
            kept[symbol] = kept.get(symbol, False) or whole
        elif symbol in stale:
            kept[lineage.buried.setdefault(symbol.path, symbol)] = False
        elif symbol not in visited:
            visited.add(symbol)
            pending += _instead(symbol, whole)
    return kept
