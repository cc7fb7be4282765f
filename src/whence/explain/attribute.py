"""An attribute of the rows in numbered bins: ranges of an ordered attribute, single values of an unordered one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from whence.explain.arrays import Floats, Ints
from whence.explain.predicate import Condition, Range, Scale, Values, range_of
from whence.explain.time_part import TimePart

FINE = 1024
"""The most bins of an ordered attribute, but for some extra cuts.

A range loses rows between two ends: with 256 bins, a box with eight ends lost about one row in a hundred.
"""

FAR = 256
"""The same where rows stay in Spark, and the sums over bins are sent to the driver."""

EVEN = 15
"""The number of equal-width ranges whose ends are always among the cuts. The thesis's exhaustive search uses them."""

MOST_VALUES = 200
"""The most values of an unordered attribute that a clause may name: the commonest ones."""


@dataclass(frozen=True)
class Span:
    """A clause that takes bins low..high-1 of an ordered attribute.

    With low above high it wraps, for a cyclic attribute: from low to the last bin, and on from the first to high-1.
    """

    low: int
    high: int

    @property
    def wraps(self) -> bool:
        """Whether the span passes the last bin and goes on from the first."""
        return self.low > self.high


@dataclass(frozen=True)
class Choice:
    """A clause that takes these bins, in rising order."""

    codes: tuple[int, ...]


Clause = Span | Choice


@dataclass(frozen=True)
class Attribute:
    """The bin of every row, and what the bins stand for.

    Clauses may name bins 0..size-1. Bin `size` holds NULL of an ordered attribute, or the values of an unordered one
    that are too rare to name.
    """

    name: str
    codes: Ints
    """The bin of every row."""
    size: int
    is_ordered: bool
    lows: Floats
    """The least value in each bin of an ordered attribute."""
    highs: Floats
    """The greatest value in each bin of an ordered attribute."""
    labels: tuple[object, ...] = ()
    """The value of each bin of an unordered attribute, the commonest first."""
    scale: Scale = "number"
    is_whole: bool = False
    has_nulls: bool = False
    even: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """The cuts between ranges of equal width."""
    part: TimePart | None = None
    """If set, the bins are those of this part of the column, such as hours."""

    @property
    def label(self) -> str:
        """The attribute as users name it: the column, or `hour(column)`."""
        return self.name if self.part is None else self.part.sql(self.name)

    @property
    def width(self) -> int:
        """The number of bins, with the last one that clauses may not name."""
        return self.size + 1

    @property
    def is_cyclic(self) -> bool:
        """Whether the first bin follows the last, as the hours of the next day follow those of one day."""
        return self.is_ordered and self.part is not None and self.part.is_cyclic

    @property
    def nulls(self) -> Choice | None:
        """The clause IS NULL of an ordered attribute, or None if it has no NULL."""
        return Choice((self.size,)) if self.is_ordered and self.has_nulls else None

    def allowed(self, clause: Clause) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return which bins a clause takes."""
        taken = np.zeros(self.width, dtype=np.bool_)
        if isinstance(clause, Span) and clause.wraps:
            taken[clause.low : self.size] = taken[: clause.high] = True
        elif isinstance(clause, Span):
            taken[clause.low : clause.high] = True
        else:
            taken[list(clause.codes)] = True
        return taken

    def condition(self, clause: Clause) -> Condition:
        """Return the clause as the condition that users read."""
        if isinstance(clause, Choice):
            values = [None] if self.is_ordered else [self.labels[code] for code in clause.codes]
            return Values(self.name, tuple(sorted(values, key=_reading_order)), self.part)
        if clause.wraps:
            low, high = float(self.lows[clause.low]), float(self.highs[clause.high - 1])
            return Range(column=self.name, low=low, high=high, scale=self.scale, is_whole=self.is_whole, part=self.part)
        below = self.highs[clause.low - 1] if clause.low > 0 else None
        above = self.lows[clause.high] if clause.high < self.size else None
        ends = (below, self.lows[clause.low], self.highs[clause.high - 1], above)
        bounds = [None if end is None else float(end) for end in ends]
        return range_of(self.name, bounds, self.scale, self.is_whole, self.part)

    def intersect(self, one: Span, other: Span) -> Span | None:
        """Return the span of the bins in both, or None if there are none or they are not one span."""
        shared = (self.allowed(one) & self.allowed(other))[: self.size]
        firsts, lasts = np.flatnonzero(shared & ~np.roll(shared, 1)), np.flatnonzero(shared & ~np.roll(shared, -1))
        # Wrapped spans can overlap in two places. Then there are two firsts, and no single span says it.
        if len(firsts) == 1:
            return Span(int(firsts[0]), int(lasts[0]) + 1)
        return Span(0, self.size) if shared.all() else None

    def take(self, rows: Ints) -> Attribute:
        """Return the attribute of some of the rows, in the same bins."""
        return replace(self, codes=self.codes[rows])


def _reading_order(value: object) -> tuple[bool, float, str]:
    """Sort key: numbers by size, text by letters, NULL last."""
    return value is None, float(value) if isinstance(value, int | float) else 0.0, str(value)


def ordered(name: str, values: Floats, scale: Scale = "number", fine: int = FINE) -> Attribute:
    """Return an attribute of numbers, dates or times in about `fine` bins at most. NaN means NULL."""
    known = values[~np.isnan(values)]
    distinct = np.unique(known)
    even = np.linspace(distinct[0], distinct[-1], EVEN + 1)[1:-1] if len(distinct) else distinct
    inner = _edges(known, distinct, even, fine)
    codes = np.searchsorted(inner, values, side="right")
    codes, inner = _without_empty(codes[~np.isnan(values)], inner, codes)
    size = len(inner) + 1
    starts = np.searchsorted(np.sort(known), inner, side="left")
    at = np.sort(known)
    lows = at[np.concatenate([[0], starts])] if len(at) else at
    highs = at[np.concatenate([starts - 1, [len(at) - 1]])] if len(at) else at
    has_nulls = len(known) < len(values)
    codes = np.where(np.isnan(values), size, codes)
    cuts = np.unique(np.searchsorted(lows, even, side="left"))
    is_whole = scale == "number" and bool(np.all(known == np.floor(known)))
    cuts = cuts[(cuts > 0) & (cuts < size)]
    return Attribute(
        name=name,
        codes=codes.astype(np.int64),
        size=size,
        is_ordered=True,
        lows=lows,
        highs=highs,
        labels=(),
        scale=scale,
        is_whole=is_whole,
        has_nulls=has_nulls,
        even=cuts.astype(np.int64),
    )


def _edges(known: Floats, distinct: Floats, even: Floats, fine: int) -> Floats:
    # Few values get a bin each, so that a range loses nothing.
    if len(distinct) <= fine:
        return distinct[1:]
    quantiles = np.quantile(known, np.linspace(0, 1, fine + 1)[1:-1])
    return np.unique(np.concatenate([quantiles, even]))


def _without_empty(known: Ints, inner: Floats, codes: Ints) -> tuple[Ints, Floats]:
    """Renumber the bins so that each holds at least one row."""
    used = np.bincount(known, minlength=len(inner) + 1) > 0
    if used.all():
        return codes, inner
    renumbered = np.cumsum(used) - 1
    firsts = np.flatnonzero(used)[1:]
    return renumbered[codes], inner[firsts - 1]


def unordered(name: str, values: Sequence[object], most: int = MOST_VALUES) -> Attribute:
    """Return an attribute of single values. None is a value like any other."""
    numbers: dict[object, int] = {}
    raw = np.fromiter((numbers.setdefault(value, len(numbers)) for value in values), dtype=np.int64, count=len(values))
    return numbered(name, raw, list(numbers), most)


def numbered(name: str, raw: Ints, values: Sequence[object], most: int = MOST_VALUES) -> Attribute:
    """Return an attribute of values that are numbered already. Its bins put the commonest values first."""
    counts = np.bincount(raw, minlength=len(values))
    # Commonest first, so that coarser bins can drop the rarest values by cutting the end (`Coarse.halved`).
    order = np.argsort(-counts, kind="stable")[: int((counts > 0).sum())]
    size = min(len(order), most)
    new = np.full(len(values), size, dtype=np.int64)
    new[order[:size]] = np.arange(size)
    none = np.empty(0)
    labels = tuple(values[number] for number in order[:size])
    return Attribute(name=name, codes=new[raw], size=size, is_ordered=False, lows=none, highs=none, labels=labels)
