"""Counts, sums and squares of many groups by weighted histograms, and what follows when some rows are left out.

Pure NumPy: explanations, crossfilter, charts and what-if questions all come down to these.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from whence.lineage.block import Ids

Values = npt.NDArray[np.int64] | npt.NDArray[np.float64]
Floats = npt.NDArray[np.float64]

_EXACT = 2**53
"""Up to here a float holds every integer, and a histogram may add in floats."""


@dataclass(frozen=True)
class Totals:
    """For each group how many values there are, their sum, and the sum of their squared distances from the mean."""

    count: Ids
    sum: Values
    spread: Floats

    def without(self, part: Totals) -> Totals:
        """The totals once a part of the rows is left out: subtraction, whatever the size of what stays.

        The spread of what stays follows from both spreads and the distance of the means.
        """
        count = self.count - part.count
        total = self.sum - part.sum
        both = self.count.astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = part.sum / part.count - total / count
            between = np.where((count > 0) & (part.count > 0), apart**2 * count * part.count / both, 0.0)
        spread = np.maximum(self.spread - part.spread - between, 0.0)
        return Totals(count, total, np.where(count > 0, spread, 0.0))


def totals(groups: Ids, values: Values, size: int) -> Totals:
    """Of each group 0..size-1; groups[i] is the group of values[i].

    >>> totals(np.array([0, 1, 0]), np.array([1, 5, 3]), 2)
    Totals(count=array([2, 1]), sum=array([4, 5]), spread=array([2., 0.]))
    """
    count = np.bincount(groups, minlength=size)
    added = sums(groups, values, size)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = added / count
    distance: Floats = values - mean[groups]
    spread: Floats = np.bincount(groups, weights=distance**2, minlength=size).astype(np.float64)
    return Totals(count, added, spread)


def sums(groups: Ids, values: Values, size: int) -> Values:
    """The sum of each group; integers are added as integers."""
    if values.dtype.kind == "f":
        return np.bincount(groups, weights=values, minlength=size)
    largest = int(np.abs(values).max()) if len(values) else 0
    if largest * max(len(values), 1) < _EXACT:
        return np.bincount(groups, weights=values, minlength=size).astype(np.int64)
    added = np.zeros(size, dtype=np.int64)
    np.add.at(added, groups, values)
    return added


def by_cause(groups: Ids, causes: Ids, values: Values, size: int, cause_count: int) -> Totals:
    """Of each group the part that each cause has in it: cell (group, cause) is number group * cause_count + cause.

    One histogram answers what every group would be without each of thousands of causes: `repeated.less(by_cause(...))`.
    """
    return totals(groups * cause_count + causes, values, size * cause_count)


def repeat_totals(whole: Totals, times: int) -> Totals:
    """The totals of each group, once for each cause."""
    added: Values = np.repeat(whole.sum, times)  # type: ignore[assignment]
    return Totals(np.repeat(whole.count, times), added, np.repeat(whole.spread, times))


def finish(function: str, whole: Totals) -> tuple[Values, npt.NDArray[np.bool_]]:
    """The value of an aggregate for each group, and whether it has one: SQL's NULL rules."""
    count = whole.count
    if function == "count":
        return count, np.ones(len(count), dtype=bool)
    if function == "sum":
        return whole.sum, count > 0
    least = 2 if function.endswith("samp") else 1
    with np.errstate(divide="ignore", invalid="ignore"):
        if function == "average":
            return whole.sum / count, count > 0
        variance = whole.spread / (count - (least - 1))
    return (variance if function.startswith("variance") else np.sqrt(variance)), count >= least
