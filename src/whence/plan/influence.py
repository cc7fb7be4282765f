"""Which source rows decide about an output row without giving anything to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, order=True)
class Influence:
    """Every row of `source` influences the output rows made from a row of one of the sources `contributors`.

    With `unmatched`, only those that no row of these sources was joined to: a padded row of an outer join is there
    because none of them matched.
    """

    source: int
    contributors: tuple[int, ...]
    unmatched: tuple[int, ...] = ()


Influences = frozenset[Influence]


def influence_of_all_rows(
    sources: Iterable[int], contributors: Iterable[int], unmatched: Iterable[int] = ()
) -> Influences:
    """All rows of each of these sources influence."""
    near, missing = tuple(sorted(contributors)), tuple(sorted(unmatched))
    return frozenset(Influence(source, near, missing) for source in sources)


def through_groups(influences: Influences) -> Influences:
    """Return the influences above a group-by: a group may hold padded rows and others, so `unmatched` is dropped."""
    return frozenset(replace(each, unmatched=()) for each in influences)
