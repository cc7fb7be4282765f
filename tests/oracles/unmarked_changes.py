"""Finds changes between two worlds that nothing marks, where rows have no names: by pairing them as well as possible.

A row without a mark of its own must be there in the other world, with the same values where no cell is marked. A row of
the other world must be one of these, unless rows that are absent might belong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Marked:
    """Rows with a mark for each cell and each row, and whether rows might be missing."""

    values: Sequence[Row]
    cells: Sequence[Sequence[bool]]
    rows: Sequence[bool]
    row_set: bool


def find_unmarked_changes(marked: Marked, world: Sequence[Row]) -> list[str]:
    """What no mark allows; nothing, if some pairing of the rows explains the other world.

    Two pairings, one of all rows that must stay and one of all rows that must not be new, make one of both (Mendelsohn
    and Dulmage), so each is looked for alone.
    """
    allowed = _allowed(marked, world)
    staying = [row for row, is_doubtful in enumerate(marked.rows) if not is_doubtful]
    problems = [
        f"not marked, but gone or different in another world: {marked.values[row]}"
        for row in _unpaired(staying, allowed)
    ]
    if not marked.row_set:
        partners: dict[int, list[int]] = defaultdict(list)
        for row, others in allowed.items():
            for other in others:
                partners[other].append(row)
        news = _unpaired(range(len(world)), partners)
        problems += [f"row_set is not marked, but another world has the row {world[row]}" for row in news]
    return problems


def _allowed(marked: Marked, world: Sequence[Row]) -> dict[int, list[int]]:
    """The rows of the other world that each row could be there."""
    return {
        number: [
            other
            for other, candidate in enumerate(world)
            if all(
                is_doubtful or before == after
                for before, after, is_doubtful in zip(values, candidate, doubtful, strict=True)
            )
        ]
        for number, (values, doubtful) in enumerate(zip(marked.values, marked.cells, strict=True))
    }


def _unpaired(rows: Sequence[int], allowed: dict[int, list[int]]) -> list[int]:
    """Rows that are left without a partner of their own by a pairing that leaves as few as possible."""
    taken: dict[int, int] = {}

    def pair(row: int, tried: set[int]) -> bool:
        for other in allowed.get(row, ()):
            if other not in tried:
                tried.add(other)
                if other not in taken or pair(taken[other], tried):
                    taken[other] = row
                    return True
        return False

    return [row for row in rows if not pair(row, set())]
