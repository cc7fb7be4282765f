"""Profiling by lineage: functional dependencies, the rows that break them, and columns that could be keys.

After Smoke, Section 6.5.2: violations and rows are the two sides of a bipartite graph, with an index in each direction,
which is what lineage of a GROUP BY would be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from whence.lineage.block import Ids
from whence.lineage.codes import Codes, combine, compact, encode
from whence.lineage.index import Index, build_index
from whence.model.dataset import DatasetRecord
from whence.model.errors import BadInput, UnknownColumn
from whence.store.store import Store


@dataclass(frozen=True)
class Violation:
    """One value of the left side with several values of the right side."""

    left: tuple[object, ...]
    rights: tuple[tuple[object, ...], ...]
    rows: int


class Dependency:
    """Whether rows that agree on some columns agree on others, and which do not."""

    def __init__(self, text: str, left: dict[str, Codes], right: dict[str, Codes], rows: int) -> None:
        self.text = text
        self._left, self._right, self._rows = left, right, rows
        groups, places = compact(combine(list(left.values()), rows)[0])
        _, others = compact(combine(list(right.values()), rows)[0])
        pairs = np.unique(places * (int(others.max(initial=0)) + 1) + others)
        counts = np.bincount(pairs // (int(others.max(initial=0)) + 1), minlength=len(groups))
        is_broken = counts > 1
        numbers = np.cumsum(is_broken) - 1
        self._of_row = np.where(is_broken[places], numbers[places], -1) if rows else np.empty(0, dtype=np.int64)
        self.count = int(is_broken.sum())

    @property
    def holds(self) -> bool:
        """No two rows contradict it."""
        return self.count == 0

    @property
    def graph(self) -> tuple[Ids, Ids]:
        """The bipartite graph: (violation, row) for every row that takes part in one, sorted."""
        rows = self.broken_rows
        order = np.argsort(self._of_row[rows], kind="stable")
        return self._of_row[rows][order], rows[order]

    @property
    def broken_rows(self) -> Ids:
        """The rows that take part in a violation, in order."""
        return np.flatnonzero(self._of_row >= 0)

    @cached_property
    def _index(self) -> Index:
        violations, rows = self.graph
        return build_index(violations, rows, self.count)

    def rows(self, violation: int) -> Ids:
        """The rows of one violation."""
        return self._index.of(np.array([violation], dtype=np.int64))

    def violation_of(self, row: int) -> int | None:
        """The violation a row takes part in, if any."""
        found = int(self._of_row[row])
        return None if found < 0 else found

    def broken(self, violation: int) -> Violation:
        """The values of one violation."""
        rows = self.rows(violation)
        rights = dict.fromkeys(_values(self._right, row) for row in rows.tolist())
        return Violation(_values(self._left, int(rows[0])), tuple(rights), len(rows))

    def __repr__(self) -> str:
        said = "holds" if self.holds else f"does not hold: {self.count} violations, {len(self.graph[1])} rows"
        return f"<{self.text} {said}>"


def _values(columns: dict[str, Codes], row: int) -> tuple[object, ...]:
    return tuple(each.values[int(each.numbers[row])].as_py() for each in columns.values())


def read_dependency(text: str) -> tuple[list[str], list[str]]:
    """Return the columns on both sides of a dependency such as "zip, street -> city"."""
    found = re.fullmatch(r"\s*(.+?)\s*->\s*(.+?)\s*", text)
    if found is None:
        raise BadInput(f"{text!r} is no functional dependency.", 'For example: "zip -> city".')
    left, right = ([name.strip() for name in side.split(",")] for side in found.groups())
    return left, right


def dependency(store: Store, record: DatasetRecord, text: str) -> Dependency:
    """Check a dependency such as "zip, street -> city"."""
    sides = read_dependency(text)
    names = [name for side in sides for name in side]
    _check(record, names)
    table = store.read(record, 0, record.rows, list(dict.fromkeys(names)))
    codes = {name: encode(table.column(name)) for name in table.column_names}
    left, right = ({name: codes[name] for name in side} for side in sides)
    return Dependency(f"{', '.join(sides[0])} -> {', '.join(sides[1])}", left, right, record.rows)


def key_candidates(
    store: Store, record: DatasetRecord, most: int = 2, columns: Sequence[str] | None = None
) -> list[tuple[str, ...]]:
    """The smallest sets of at most `most` columns without NULL in which no two rows are alike."""
    names = list(record.schema.names if columns is None else columns)
    _check(record, names)
    table = store.read(record, 0, record.rows, names)
    codes = {name: encode(table.column(name)) for name in names if table.column(name).null_count == 0}
    found: list[tuple[str, ...]] = []
    for size in range(1, most + 1):
        for some in combinations(codes, size):
            if any(set(known) <= set(some) for known in found):
                continue
            numbers, total = combine([codes[name] for name in some], record.rows)
            if total >= record.rows and len(np.unique(numbers)) == record.rows:
                found.append(some)
    return found


def _check(record: DatasetRecord, names: Sequence[str]) -> None:
    for name in names:
        if record.schema.position(name) is None:
            raise UnknownColumn(f"{record.label} has no column {name}.", f"It has {', '.join(record.schema.names)}.")
