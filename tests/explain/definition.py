"""Influence and aggregates by their definition, in plain Python: slow, short, and none of our own code."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence

Values = Sequence[float | None]
Row = Sequence[float | None]


def known_values(rows: Sequence[Row], place: int = 0) -> list[float]:
    return [value for row in rows if (value := row[place]) is not None]


def corr(rows: Sequence[Row]) -> float:
    pairs = [(x, y) for x, y in rows if x is not None and y is not None]
    if len(pairs) < 2:
        return math.nan
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    mean_x, mean_y = statistics.fmean(xs), statistics.fmean(ys)
    xx = math.fsum((x - mean_x) ** 2 for x in xs)
    yy = math.fsum((y - mean_y) ** 2 for y in ys)
    xy = math.fsum((x - mean_x) * (y - mean_y) for x, y in pairs)
    return xy / math.sqrt(xx * yy) if xx > 0 and yy > 0 else math.nan


def quantile(rows: Sequence[Row], share: float) -> float:
    values = sorted(known_values(rows))
    if not values:
        return math.nan
    place = share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def mode(rows: Sequence[Row]) -> float:
    counts = Counter(known_values(rows))
    return min(counts, key=lambda value: (-counts[value], value)) if counts else math.nan


def guarded(function: Callable[[list[float]], float], least: int) -> Callable[[Sequence[Row]], float]:
    return lambda rows: function(known_values(rows)) if len(known_values(rows)) >= least else math.nan


def ratio(rows: Sequence[Row]) -> float:
    bottom = math.fsum(known_values(rows, 1))
    return math.fsum(known_values(rows)) / bottom if bottom else math.nan


AGGREGATES: dict[str, Callable[[Sequence[Row]], float]] = {
    "count": lambda rows: float(len(known_values(rows))),
    "sum": lambda rows: math.fsum(known_values(rows)),
    "avg": guarded(statistics.fmean, 1),
    "variance": guarded(statistics.variance, 2),
    "population variance": guarded(statistics.pvariance, 1),
    "stddev": guarded(statistics.stdev, 2),
    "population stddev": guarded(statistics.pstdev, 1),
    "min": guarded(min, 1),
    "max": guarded(max, 1),
    "median": guarded(statistics.median, 1),
    "quantile": lambda rows: quantile(rows, 0.9),
    "mode": mode,
    "count distinct": lambda rows: float(len(set(known_values(rows)))),
    "corr": corr,
    "ratio of sums": ratio,
    "black box": guarded(lambda values: math.fsum(value**3 for value in values), 1),
}

KEEPS = {"count", "sum", "count distinct"}


def improvement(kind: str, expected: float, before: float, after: float) -> float:
    if kind == "high":
        return before - after
    if kind == "low":
        return after - before
    if kind == "wrong":
        return abs(before - after)
    return abs(before - expected) - abs(after - expected)  # how much nearer it comes, in its own units


def is_between(value: float, low: float, high: float) -> bool:
    """On a circle: from a greater value to a smaller one the way leads around the end."""
    return low <= value <= high if low <= high else value >= low or value <= high


def influence(
    name: str,
    outliers: Sequence[tuple[Sequence[Row], Sequence[bool], str, float]],
    holdouts: Sequence[tuple[Sequence[Row], Sequence[bool]]],
    c: float,
    lam: float,
) -> float:
    """Groups are (rows, which of them the predicate takes); an outlier also has its kind of error and a value."""
    aggregate = AGGREGATES[name]
    if all(all(taken) for taken in [*(group[1] for group in outliers), *(group[1] for group in holdouts)]):
        return -math.inf
    gains = []
    for rows, taken, kind, expected in outliers:
        left = [row for row, gone in zip(rows, taken, strict=True) if not gone]
        removed = sum(taken)
        if removed == 0:
            gains.append(0.0)
            continue
        after = aggregate(left)
        if math.isnan(after) or (not left and name not in KEEPS):
            return -math.inf
        gains.append(improvement(kind, expected, aggregate(rows), after) / removed**c)
    changes = [0.0]
    for rows, taken in holdouts:
        left = [row for row, gone in zip(rows, taken, strict=True) if not gone]
        if not any(taken):
            continue
        after = aggregate(left)
        if math.isnan(after) or (not left and name not in KEEPS):
            return -math.inf
        changes.append(abs(aggregate(rows) - after))
    return lam * statistics.fmean(gains) - (1 - lam) * max(changes)
