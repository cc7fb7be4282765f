"""The aggregates by the name that Spark's plan gives them."""

from __future__ import annotations

from collections.abc import Callable

from whence.explain.aggregates.aggregate import Aggregate
from whence.explain.aggregates.avg import Avg
from whence.explain.aggregates.corr import Corr
from whence.explain.aggregates.count import Count
from whence.explain.aggregates.extreme import Max, Min
from whence.explain.aggregates.mode import Mode
from whence.explain.aggregates.quantile import Quantile
from whence.explain.aggregates.stddev import StdDev
from whence.explain.aggregates.sum import Sum
from whence.explain.aggregates.variance import Variance

AGGREGATES: dict[str, Callable[[], Aggregate]] = {
    "count": Count,
    "sum": Sum,
    "average": Avg,
    "variancesamp": lambda: Variance(1),
    "variancepop": lambda: Variance(0),
    "stddevsamp": lambda: StdDev(1),
    "stddevpop": lambda: StdDev(0),
    "corr": Corr,
    "min": Min,
    "max": Max,
    "median": lambda: Quantile(0.5),
    "mode": Mode,
}
