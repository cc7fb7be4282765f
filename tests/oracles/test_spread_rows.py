"""Rows that are spread by key have the lineage and the marks by definition, like rows that are not."""

from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.oracles.cases import Profile, random_batch
from tests.oracles.checking import check_marks, lineage_failures
from tests.oracles.queries import Query
from tests.oracles.random_queries import Queries
from tests.oracles.spread import SpreadBench

if TYPE_CHECKING:
    from whence import Workspace

FAMILIES = ("filter", "aggregate", "distinct", "join", "windowed")


def queries(family: str) -> list[Query]:
    return [getattr(Queries(Random(f"spread {family} {number}")), family)(2) for number in range(2)]


@pytest.mark.parametrize("family", FAMILIES)
def test_lineage_is_as_defined(ws: "Workspace", monkeypatch: pytest.MonkeyPatch, family: str) -> None:
    bench = SpreadBench(ws, random_batch(Random(family), Profile(), 20), patch=monkeypatch)
    assert [str(each) for query in queries(family) for each in lineage_failures(bench, query)] == []


@pytest.mark.parametrize("family", FAMILIES[:4])
def test_no_change_goes_unmarked(ws: "Workspace", monkeypatch: pytest.MonkeyPatch, family: str) -> None:
    doubtful = Profile(rows=(1, 4), suspects=(0, 3))
    bench = SpreadBench(ws, random_batch(Random(family), doubtful, 20), patch=monkeypatch)
    assert [str(each) for query in queries(family)[:1] for each in check_marks(bench, query, 200).failures] == []
