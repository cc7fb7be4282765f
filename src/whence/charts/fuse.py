"""Fuse copies of a layer that differ only in their grouping into one group-by with grouping sets.

A parameter facet with 10 and 20 bins groups the same rows twice. With grouping sets, Spark reads them once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whence.charts.relation import Grouping, Relation
from whence.charts.sql import inner, literal, select


@dataclass(frozen=True)
class Copy:
    """One copy of a layer: its relation, and its values of the facet's parameters."""

    relation: Relation
    panel: dict[str, object]


def can_fuse(one: Copy, other: Copy) -> bool:
    """Return whether two copies read and measure the same, and only group differently."""
    first, second = one.relation.grouping, other.relation.grouping
    return (
        first is not None
        and second is not None
        # Only parameter facets make copies of a layer. Two layers that look alike stay two.
        and bool(one.panel)
        and (first.source, first.where, first.measures) == (second.source, second.where, second.measures)
        and first.keys.keys() == second.keys.keys()
        and any(first.keys[name] != second.keys[name] for name in first.keys)
        and one.relation.order == other.relation.order
    )


def fused(copies: Sequence[Copy], columns: Sequence[str], number: int) -> str:
    """Return the query of all copies together, in their order."""
    groupings = [copy.relation.grouping for copy in copies if copy.relation.grouping is not None]
    first = groupings[0]
    shared = [name for name in first.keys if len({each.keys[name] for each in groupings}) == 1]
    own = [name for name in first.keys if name not in shared]
    keyed = {"*": "*", **{f"k_{name}": first.keys[name] for name in shared}}
    for place, each in enumerate(groupings):
        keyed |= {f"k{place}_{name}": each.keys[name] for name in own}
    sets = [
        [*(f"k_{name}" for name in shared), *(f"k{place}_{name}" for name in own)] for place in range(len(groupings))
    ]
    listed = ", ".join(f"({', '.join(each)})" for each in sets)
    told = {f"s{place}": f"grouping(k{place}_{own[0]})" for place in range(len(groupings))}
    names = dict.fromkeys(name for each in sets for name in each)
    grouped = select(
        {**{name: name for name in names}, **told, **{f"m_{name}": sql for name, sql in first.measures.items()}},
        inner(select(keyed, inner(first.source), first.where)),
    )
    return _shown(
        copies, columns, number, grouped=f"{grouped} group by grouping sets ({listed})", first=first, shared=shared
    )


def _shown(
    copies: Sequence[Copy],
    columns: Sequence[str],
    number: int,
    grouped: str,
    first: Grouping,
    shared: Sequence[str],
) -> str:
    """Return the final projection, in which each row takes the keys and parameters of its own grouping set."""

    def by_set(values: Sequence[str]) -> str:
        # Spark's grouping(key) is 0 in the rows of the set that groups by the key.
        whens = " ".join(f"when s{place} = 0 then {value}" for place, value in enumerate(values))
        return f"case {whens} end"

    places = range(len(copies))
    items: dict[str, str] = {}
    for name in columns:
        if name == "layer":
            items[name] = str(number)
        elif name in copies[0].panel:
            items[name] = by_set([literal(copy.panel[name]) for copy in copies])
        elif name in shared:
            items[name] = f"k_{name}"
        elif name in first.keys:
            items[name] = by_set([f"k{place}_{name}" for place in places])
        else:
            items[name] = f"m_{name}" if name in first.measures else "null"
    copy = by_set([str(place) for place in places])
    order = ", ".join([f"{copy} nulls last", *(f"{_item(items, key)} nulls last" for key in copies[0].relation.order)])
    return f"{select(items, inner(grouped))} order by {order}"


def _item(items: dict[str, str], key: str) -> str:
    name, space, rest = key.partition(" ")
    return items[name] + space + rest
