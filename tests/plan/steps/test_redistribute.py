"""Rows that are spread by key take the same fast ways as rows that are spread by number."""

from __future__ import annotations

from typing import Any

import pytest

import whence
from whence.lineage import by_keys
from whence.lineage.strategy import Mode
from whence.model.dataset import DatasetRecord

ROWS = [(n, n % 3, n * 2 % 7) for n in range(12)]
BY_NUMBER, BY_KEY = "/*+ repartition(3) */", "/*+ repartition(3, k) */"
GROUPED = "select {hint} * from (select k, sum(x) s from (select {hint} k, x from t where x > 0) group by k)"


@pytest.fixture
def given(ws: whence.Workspace) -> whence.Dataset:
    return ws.create("t", ROWS, schema="id int, k int, x int")


def behind(made: whence.Dataset) -> dict[int, list[int]]:
    rows = made.to_arrow().to_pylist()
    return {row["k"]: made.lineage.backward([n], to="t").ids.tolist() for n, row in enumerate(rows)}


def expected() -> dict[int, list[int]]:
    return {k: [n for n, own, x in ROWS if own == k and x > 0] for k in range(3)}


def documents(ws: whence.Workspace, record: DatasetRecord) -> list[object]:
    """Measures, formulas, and how far a doubt reaches: all that is known of a query before it runs."""
    store = ws._context.store
    names = ("lineage", "formulas", "caveats")
    documents: list[Any] = [store.document(record, name) for name in names]
    lineage, formulas, caveats = documents
    return [{**lineage, "query": ""}, formulas, {**caveats, "inputs": {}}]


@pytest.mark.parametrize("mode", ["defer", "lazy"])
@pytest.mark.usefixtures("given")
def test_lineage_is_left_for_later(ws: whence.Workspace, mode: Mode) -> None:
    made = ws.sql(GROUPED.format(hint=BY_KEY), name="made", lineage=mode)
    made.lineage.wait()
    assert made.lineage.strategy.startswith(f"{mode}:")
    assert behind(made) == expected()


@pytest.mark.usefixtures("given")
def test_groups_are_found_in_the_files(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_keys, "ROWS", range(10**9))
    made = ws.sql(GROUPED.format(hint=BY_KEY), name="made", lineage="inject")
    assert "found by the columns that both show" in made.lineage.strategy
    assert behind(made) == expected()


@pytest.mark.usefixtures("given")
def test_the_same_is_known_of_both_ways_to_spread_rows(ws: whence.Workspace) -> None:
    found = [ws.sql(GROUPED.format(hint=hint), name="made").record for hint in (BY_NUMBER, BY_KEY)]
    assert documents(ws, found[0]) == documents(ws, found[1])


@pytest.mark.usefixtures("given")
def test_leaving_rows_out_is_arithmetic(ws: whence.Workspace) -> None:
    made = [ws.sql(GROUPED.format(hint=hint), name="made").lineage.without([1], of="t") for hint in (BY_NUMBER, BY_KEY)]
    assert made[0].how == made[1].how
    assert sorted(made[0].after.to_pylist(), key=str) == sorted(made[1].after.to_pylist(), key=str)


def test_messages_of_caveats_travel_with_the_rows(ws: whence.Workspace, given: whence.Dataset) -> None:
    stated = given.df.selectExpr("id", "k", "caveat_if(x, x > 5, 'large') as x").repartition("k")
    made = ws.dataset(stated, name="made")
    large = [n for n, row in enumerate(made.to_arrow().to_pylist()) if row["x"] > 5]
    assert large
    assert [each.message for each in made.caveats.list(large[0], "x")] == ["large"]


def test_row_keys_are_those_of_the_rows(ws: whence.Workspace, given: whence.Dataset) -> None:
    made = ws.dataset(given.df.repartition("k"), name="made")
    by_id = dict(zip(given.to_arrow()["id"].to_pylist(), given.row_keys(), strict=True))
    assert made.row_keys() == [by_id[n] for n in made.to_arrow()["id"].to_pylist()]
