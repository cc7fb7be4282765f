"""The same queries with their rows spread by key, below and above: Spark may order them anew, nothing else changes."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.oracles.asking import Answer
from tests.oracles.checking import Bench, Failure
from tests.oracles.queries import Query
from tests.oracles.render import to_sql

if TYPE_CHECKING:
    import pytest

_SCAN = re.compile(r"\b([tu]) as (\w)\b")


def spread(sql: str, column: str) -> str:
    """DISTRIBUTE BY over each table that is read, and over the result."""
    below = _SCAN.sub(r"(select * from \1 distribute by k) as \2", sql)
    return f"select * from ({below}) distribute by {column}"


@dataclass
class SpreadBench(Bench):
    """Asks every query with its rows spread by key."""

    patch: "pytest.MonkeyPatch | None" = None

    def ask(self, query: Query, marks: bool) -> Answer | Failure:
        assert self.patch is not None
        with self.patch.context() as patch:
            patch.setattr("tests.oracles.asking.to_sql", lambda each, style: spread(to_sql(each, style), each.names[0]))
            return super().ask(query, marks)
