"""Finds which input made each row of a result, from what each input makes alone."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Sequence


def attribute_rows(result: Sequence[Hashable], alone: Sequence[Sequence[Hashable]]) -> list[int] | None:
    """For each row of the result, the number of the input that makes it; None if together they make other rows.

    The rows may come in another order. Of inputs that make equal rows each gets as many as it makes.

    >>> attribute_rows(["a", "b", "b"], [["a"], [], ["b", "b"]])
    [0, 2, 2]
    >>> attribute_rows(["b", "a", "a"], [["a"], ["b"], ["a"]])
    [1, 0, 2]
    >>> attribute_rows(["a"], [["a"], ["a"]])
    """
    makers: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for number, rows in enumerate(alone):
        for row in rows:
            makers[row].append(number)
    if sum(map(len, makers.values())) != len(result):
        return None
    found = []
    for row in result:
        if not makers[row]:
            return None
        found.append(makers[row].popleft())
    return found
