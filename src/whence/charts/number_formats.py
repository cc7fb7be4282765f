"""How the number of a mark is written where it is pointed at: a year or an id has no commas, an amount has them."""

from __future__ import annotations

import re

from whence.charts.positions.position import Row

_EXPONENT = 1e6
"""From this number on, six significant digits would need an exponent."""
_NAME = re.compile(r"(^|[^a-z])(id|year|zip|code|key|phone|nr|no)s?$", re.IGNORECASE)
"""Columns whose numbers name something; grids of the page know the same words."""
_VALUE_OF_A_ROW = frozenset({"", "min", "max", "median"})
"""Functions whose result is a value of the column, and thus a year if the column holds years."""
_YEARS = range(1800, 2101)


def number_format(rows: list[Row], field: str, title: str) -> str:
    """Return a format of D3 for a field of marks: 7,991,378 and not 7.99138e+6, but the year 2007 and not 2,007."""
    values = [value for row in rows if isinstance(value := row.get(field), int | float)]
    function, _, name = title.rpartition(" of ")
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", name)
    if function in _VALUE_OF_A_ROW and _NAME.search(words):
        return "~f"
    if not function and values and all(value in _YEARS for value in values):
        return "~f"
    return ",.2~f" if max(map(abs, values), default=0) >= _EXPONENT else ",.6~g"
