"""Every aggregate by the name that Spark's plan gives it: one line each."""

from __future__ import annotations

from collections.abc import Callable

from whence.outliers.aggregates.aggregate import Aggregate
from whence.outliers.aggregates.avg import Avg
from whence.outliers.aggregates.corr import Corr
from whence.outliers.aggregates.count import Count
from whence.outliers.aggregates.extreme import Max, Min
from whence.outliers.aggregates.mode import Mode
from whence.outliers.aggregates.quantile import Quantile
from whence.outliers.aggregates.stddev import StdDev
from whence.outliers.aggregates.sum import Sum
from whence.outliers.aggregates.variance import Variance

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
