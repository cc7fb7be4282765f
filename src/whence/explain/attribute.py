"""An attribute of the rows as numbered bins: ranges of an ordered one, values of another; NULL is a value too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from whence.explain.arrays import Floats, Ints
from whence.explain.predicate import Condition, Range, Scale, Values, range_of
from whence.explain.time_part import TimePart

FINE = 1024
"""Bins of an ordered attribute with more values than that: so many that little of a range is lost between two ends."""

FAR = 256
"""The same where rows stay in Spark, and sums over bins travel."""

EVEN = 15
"""Ranges of equal width that are among the cuts: those of the thesis's exhaustive search."""

MOST_VALUES = 200
"""Values of an unordered attribute that may stand in a clause; rarer ones may not."""


@dataclass(frozen=True)
class Span:
    """Bins low..high-1 of an ordered attribute.

    With low above high, of an attribute that starts over: from low to the last bin, and on from the first to high-1.
    """

    low: int
    high: int

    @property
    def wraps(self) -> bool:
        """It leads around the end."""
        return self.low > self.high


@dataclass(frozen=True)
class Choice:
    """These bins, in order."""

    codes: tuple[int, ...]


Clause = Span | Choice


@dataclass(frozen=True)
class Attribute:
    """The bin of every row, and what the bins stand for.

    Bins 0..size-1 may stand in clauses; NULL of an ordered attribute is bin `size`; the last bin of an unordered one
    holds values too rare to name.
    """

    name: str
    codes: Ints
    size: int
    is_ordered: bool
    lows: Floats
    highs: Floats
    labels: tuple[object, ...] = ()
    scale: Scale = "number"
    is_whole: bool = False
    has_nulls: bool = False
    even: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Cuts between ranges of equal width."""
    part: TimePart | None = None
    """The bins are those of this part of the column."""

    @property
    def label(self) -> str:
        """As users name it: the column, or `hour(column)`."""
        return self.name if self.part is None else self.part.sql(self.name)

    @property
    def width(self) -> int:
        """How many bins there are in all."""
        return self.size + 1

    @property
    def is_cyclic(self) -> bool:
        """After the last bin comes the first, as after the hours of one day those of the next."""
        return self.is_ordered and self.part is not None and self.part.is_cyclic

    @property
    def nulls(self) -> Choice | None:
        """The clause IS NULL of an ordered attribute."""
        return Choice((self.size,)) if self.is_ordered and self.has_nulls else None

    def allowed(self, clause: Clause) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which bins a clause takes."""
        taken = np.zeros(self.width, dtype=np.bool_)
        if isinstance(clause, Span) and clause.wraps:
            taken[clause.low : self.size] = taken[: clause.high] = True
        elif isinstance(clause, Span):
            taken[clause.low : clause.high] = True
        else:
            taken[list(clause.codes)] = True
        return taken

    def condition(self, clause: Clause) -> Condition:
        """The clause as users read it."""
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
        """The range of the bins in both; None where they are none, or more than one range."""
        shared = (self.allowed(one) & self.allowed(other))[: self.size]
        firsts, lasts = np.flatnonzero(shared & ~np.roll(shared, 1)), np.flatnonzero(shared & ~np.roll(shared, -1))
        if len(firsts) == 1:
            return Span(int(firsts[0]), int(lasts[0]) + 1)
        return Span(0, self.size) if shared.all() else None

    def take(self, rows: Ints) -> Attribute:
        """The same bins for some of the rows."""
        return replace(self, codes=self.codes[rows])


def _reading_order(value: object) -> tuple[bool, float, str]:
    """Numbers by size, text by letters, NULL last."""
    return value is None, float(value) if isinstance(value, int | float) else 0.0, str(value)


def ordered(name: str, values: Floats, scale: Scale = "number", fine: int = FINE) -> Attribute:
    """An attribute of numbers, dates or times, in about `fine` bins at most; NaN is NULL."""
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
    if len(distinct) <= fine:
        return distinct[1:]
    quantiles = np.quantile(known, np.linspace(0, 1, fine + 1)[1:-1])
    return np.unique(np.concatenate([quantiles, even]))


def _without_empty(known: Ints, inner: Floats, codes: Ints) -> tuple[Ints, Floats]:
    """Bins that hold rows alone, renumbered."""
    used = np.bincount(known, minlength=len(inner) + 1) > 0
    if used.all():
        return codes, inner
    renumbered = np.cumsum(used) - 1
    firsts = np.flatnonzero(used)[1:]
    return renumbered[codes], inner[firsts - 1]


def unordered(name: str, values: Sequence[object], most: int = MOST_VALUES) -> Attribute:
    """An attribute of values; None is a value like any other."""
    numbers: dict[object, int] = {}
    raw = np.fromiter((numbers.setdefault(value, len(numbers)) for value in values), dtype=np.int64, count=len(values))
    return numbered(name, raw, list(numbers), most)


def numbered(name: str, raw: Ints, values: Sequence[object], most: int = MOST_VALUES) -> Attribute:
    """An attribute of values that are numbered already; the commonest come first."""
    counts = np.bincount(raw, minlength=len(values))
    order = np.argsort(-counts, kind="stable")[: int((counts > 0).sum())]
    size = min(len(order), most)
    new = np.full(len(values), size, dtype=np.int64)
    new[order[:size]] = np.arange(size)
    none = np.empty(0)
    labels = tuple(values[number] for number in order[:size])
    return Attribute(name=name, codes=new[raw], size=size, is_ordered=False, lows=none, highs=none, labels=labels)
