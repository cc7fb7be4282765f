"""What the compiler may ask about the data of a layer; answered by Spark and the store, or by a test."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol

from whence.charts.spec import Channel, Data
from whence.charts.sql import quoted

Row = dict[str, object]

PLACE = re.compile("\x1f([^\x1f]*)\x1f")
"""Where the name of a table goes; the character stands in no SQL that people write."""


def place(name: str | None) -> str:
    """The place of a dataset's table in a query."""
    return f"\x1f{name or ''}\x1f"


def filled(sql: str, table: Callable[[str], str]) -> str:
    """The query with the tables in their places.

    >>> filled(f"select 1 from {place('t')}", lambda name: f"the_{name}")
    'select 1 from `the_t`'
    """
    return PLACE.sub(lambda found: quoted(table(found[1])), sql)


class Source(Protocol):
    """A dataset as the compiler sees it."""

    def rows(self, data: Data) -> int:
        """How many rows the dataset of a layer has."""

    def types(self, data: Data, channels: Mapping[str, Channel]) -> dict[str, str]:
        """The Spark type of each channel; a column that is not there is refused."""

    def ask(self, sql: str) -> list[Row]:
        """Run a query to learn something."""

    def extent(self, data: Data, channel: Channel) -> tuple[object, object] | None:
        """The smallest and largest value of a whole column, if that is known without a query."""

    def sample(self, data: Data, n: int, seed: int) -> str:
        """The name under which SQL sees n random rows."""

    def stage(self, sql: str, why: str) -> str:
        """Keep what a query gives as a dataset on the way, and return the place of its table."""
