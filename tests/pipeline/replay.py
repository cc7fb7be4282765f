"""A plain Python replay of pipelines with explicit provenance, every cell with its history: the slow definition."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import median
from typing import Any

Cell = tuple[int, str]
"""A cell of the input: rid and column."""
Why = frozenset[Cell]


@dataclass
class Item:
    """A value, the input cells behind it, and the steps on the way to it as (step, before, after)."""

    value: Any
    why: Why
    how: list[tuple[int, Any, Any]] = field(default_factory=list)
    is_single: bool = True
    """No step on the way was about several cells at once."""


@dataclass
class Row:
    """A record and its items by column."""

    record: int
    items: dict[str, Item]

    def value(self, name: str) -> Any:  # noqa: ANN401
        return self.items[name].value


class Replay:
    """A table in the making, and everything that happened to it."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        self.columns = list(columns)
        self.features = {name: number for number, name in enumerate(columns)}
        self.names: dict[int, set[str]] = {number: {name} for name, number in self.features.items()}
        self.rows = [
            Row(rid, {name: Item(value, frozenset({(rid, name)})) for name, value in zip(columns, row, strict=True)})
            for rid, row in enumerate(rows)
        ]
        self.records = len(rows)
        self.frozen: set[str] = set()
        self.step = 0
        self.counts: list[tuple[int, int, int]] = []
        self.feature_death: dict[int, int] = {}
        self.record_death: dict[int, int] = {}
        self.item_death: dict[tuple[int, int], list[int]] = {}
        self.record_steps: dict[int, list[int]] = {rid: [] for rid in range(len(rows))}
        self.item_steps: dict[tuple[int, int], list[int]] = {}
        self.before = self.changed = 0

    def begin(self) -> None:
        self.before, self.changed = len(self.rows), 0

    def end(self) -> None:
        self.counts.append((self.before, len(self.rows), self.changed))
        self.step += 1

    def write(
        self,
        name: str,
        make: Callable[[Row], tuple[Any, Why]],
        reads: Iterable[str] = (),
        *,
        only_changed: bool = False,
    ) -> None:
        """Give each row a value in a column, new or not; `reads` are the other columns this reads."""
        is_new = name not in self.columns
        if is_new:
            self._feature(name)
        for row in self.rows:
            value, why = make(row)
            old = None if is_new else row.items[name]
            differs = old is None or not same(old.value, value)
            how = [] if old is None else list(old.how)
            is_single = old is None or old.is_single
            for read in reads:
                if differs or not only_changed:
                    how = merged(how, row.items[read].how)
                    is_single = is_single and row.items[read].is_single
                    self._item(row, read)
            if differs:
                how = [*how, (self.step, None if old is None else old.value, value)]
                self.changed += 1
                self._record(row.record)
                self._item(row, name)
                if old is not None:
                    self._gone(row, name)
            row.items[name] = Item(value, why, how, is_single)

    def make_column(self, name: str, items: dict[int, Item], reads: Iterable[str]) -> None:
        """Give each record an item in a new column, made from any cells of the columns read."""
        self._feature(name)
        for row in self.rows:
            for read in reads:
                self._item(row, read)
            item = items[row.record]
            row.items[name] = Item(item.value, item.why, [*item.how, (self.step, None, item.value)], item.is_single)
            self.changed += 1
            self._record(row.record)
            self._item(row, name)

    def drop_columns(self, names: Sequence[str]) -> None:
        for name in names:
            self.columns.remove(name)
            self.feature_death[self.features[name]] = self.step
            for row in self.rows:
                self._item(row, name)
                self._gone(row, name)
                self._record(row.record)
                row.items.pop(name)
            del self.features[name]

    def keep(self, test: Callable[[Row], bool]) -> None:
        kept = []
        for row in self.rows:
            self._record(row.record)
            if test(row):
                kept.append(row)
            else:
                self._die(row)
        self.rows = kept

    def rename(self, old: str, new: str) -> None:
        self.features[new] = self.features.pop(old)
        self.names[self.features[new]].add(new)
        self.columns[self.columns.index(old)] = new
        for row in self.rows:
            row.items[new] = row.items.pop(old)
        if old in self.frozen:
            self.frozen.add(new)

    def add(self, rows: Iterable[dict[str, Item]]) -> None:
        """New records, made by this step."""
        for items in rows:
            for item in items.values():
                item.how = [*item.how, (self.step, None, item.value)]
            row = Row(self.records, items)
            self.records += 1
            self.record_steps[row.record] = [self.step]
            for name in self.columns:
                self._item(row, name)
            self.changed += len(self.columns)
            self.rows.append(row)

    def regroup(self, columns: Sequence[str], rows: Iterable[dict[str, Item]]) -> None:
        """All rows become part of others: every column and record is new."""
        for name in self.columns:
            self.feature_death[self.features[name]] = self.step
        for row in self.rows:
            self._record(row.record)
            self._die(row)
            for name in self.columns:
                self._item(row, name)
        self.rows, self.columns, self.features = [], [], {}
        for name in columns:
            self._feature(name)
        self.add(rows)

    def _feature(self, name: str) -> None:
        number = len(self.names)
        self.features[name], self.names[number] = number, {name}
        self.columns.append(name)

    def _die(self, row: Row) -> None:
        self.record_death[row.record] = self.step
        for name in self.columns:
            self._gone(row, name)

    def _gone(self, row: Row, name: str) -> None:
        steps = self.item_death.setdefault((row.record, self.features[name]), [])
        if self.step not in steps:
            steps.append(self.step)

    def _item(self, row: Row, name: str) -> None:
        steps = self.item_steps.setdefault((row.record, self.features[name]), [])
        if self.step not in steps:
            steps.append(self.step)

    def _record(self, record: int) -> None:
        steps = self.record_steps[record]
        if self.step not in steps:
            steps.append(self.step)


def merged(one: list[tuple[int, Any, Any]], other: list[tuple[int, Any, Any]]) -> list[tuple[int, Any, Any]]:
    return sorted([*one, *(each for each in other if each not in one)], key=lambda each: each[0])


def same(one: object, other: object) -> bool:
    """Equal as whence counts it: missing equals missing, 1 equals 1.0, a text is no number."""
    if one is None or other is None:
        return one is other
    return isinstance(one, str) == isinstance(other, str) and one == other


def filled(rows: Sequence[Row], name: str) -> list[Row]:
    return [row for row in rows if row.value(name) is not None]


def statistic(rows: Sequence[Row], name: str, method: str) -> Any:  # noqa: ANN401
    """As SQL computes it over whole numbers: mean and median are rounded half away from zero."""
    values = [row.value(name) for row in filled(rows, name)]
    if not values:
        return None
    if method == "mode":
        counts = Counter(values)
        return min(value for value, count in counts.items() if count == max(counts.values()))
    numbers = [Fraction(value) for value in values]
    exact = median(numbers) if method == "median" else sum(numbers, Fraction()) / len(numbers)
    return math.floor(abs(exact) + Fraction(1, 2)) * (1 if exact >= 0 else -1)


def grouped(value: object, items: Iterable[Item]) -> Item:
    """A value made from many items."""
    every = list(items)
    how: list[tuple[int, Any, Any]] = []
    for item in every:
        how = merged(how, item.how)
    return Item(value, union(item.why for item in every), how, is_single=False)


def union(cells: Iterable[Why]) -> Why:
    return frozenset().union(*cells)
