"""The interface through which the compiler asks about a layer's data. The workspace implements it, and so do tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol

from whence.charts.spec import Channel, Data
from whence.charts.sql import quoted

Row = dict[str, object]

PLACE = re.compile("\x1f([^\x1f]*)\x1f")
"""A placeholder for the name of a table. The character U+001F does not occur in SQL that people write."""


def place(name: str | None) -> str:
    """Return the placeholder of a dataset's table."""
    return f"\x1f{name or ''}\x1f"


def filled(sql: str, table: Callable[[str], str]) -> str:
    """Return the query with placeholders replaced by table names.

    >>> filled(f"select 1 from {place('t')}", lambda name: f"the_{name}")
    'select 1 from `the_t`'
    """
    return PLACE.sub(lambda found: quoted(table(found[1])), sql)


class Source(Protocol):
    """The data of a chart, as the compiler sees it."""

    def rows(self, data: Data) -> int:
        """Return the number of rows of a layer's dataset."""

    def types(self, data: Data, channels: Mapping[str, Channel]) -> dict[str, str]:
        """Return the Spark type of each channel, or raise an error for a column that does not exist."""

    def ask(self, sql: str) -> list[Row]:
        """Return the rows of a query."""

    def extent(self, data: Data, channel: Channel) -> tuple[object, object] | None:
        """Return the smallest and largest value of a whole column, or None if that would need a query."""

    def sample(self, data: Data, n: int, seed: int) -> str:
        """Return the name of a view with n random rows."""

    def stage(self, sql: str, why: str) -> str:
        """Store the result of a query as an intermediate dataset, and return its placeholder."""
