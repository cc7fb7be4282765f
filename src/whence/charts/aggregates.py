"""The aggregate functions of charts, in SQL and in the words of axes."""

from __future__ import annotations

from whence.charts.errors import wrong

FUNCTIONS = {
    "count": "count({})",
    "sum": "sum({})",
    "mean": "avg({})",
    "min": "min({})",
    "max": "max({})",
    "median": "percentile({}, 0.5)",
    "quantile": "percentile({}, {share})",
    "distinct": "count(distinct {})",
    "stddev": "stddev_samp({})",
    "variance": "var_samp({})",
}
"""Aggregate functions with their SQL. `{}` stands for the column."""

_OF_ANYTHING = ("count", "distinct", "min", "max")
"""Functions that do not need numbers."""


def aggregate(function: str, column: str | None, share: float = 0.5) -> str:
    """Return the SQL of a function over a column, or over all rows if there is no column.

    >>> aggregate("mean", "y"), aggregate("count", None)
    ('avg(y)', 'count(*)')
    """
    return FUNCTIONS[function].replace("{share}", repr(share)).replace("{}", column or "*")


def words(function: str, name: str | None) -> str:
    """Return the name of an aggregate on an axis.

    >>> words("mean", "price"), words("count", None)
    ('mean of price', 'count')
    """
    return function if name is None else f"{function} of {name}"


def check_kind(function: str, kind: str, path: str, name: str) -> None:
    """Raise an error if the function cannot be applied to this kind, such as the mean of a text."""
    if kind != "number" and function not in _OF_ANYTHING:
        raise wrong(path, f"{name} holds {kind}, not numbers, so it has no {function}", "Count it, or choose a number.")
