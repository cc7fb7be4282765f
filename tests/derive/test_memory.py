"""A query whose ids need too much memory runs once more, and its ids are then kept once instead of copied."""

from __future__ import annotations

from typing import Any

import pytest

import whence
from whence.derive import run_rewritten
from whence.derive.run import run_plan
from whence.model.errors import OutOfMemory

COPIED = {
    "a semi join": "select k, sum(x) s from t where k in (select k from t group by k having sum(x) > 1) group by k",
    "a join": "select t.k, count(*) n from t join (select k, max(x) m from t group by k) g on t.x <= g.m group by t.k",
    "an outer join": "select t.x, g.m from t left join (select k, max(x) m from t group by k) g on t.k = g.k + 1",
    "a subquery": "select x, (select max(y) from u) as most from t",
    "a window above": (
        "select k, sum(m) over (order by k) s from (select distinct t.k, g.m from t join "
        "(select k, max(x) m from t group by k) g on t.k = g.k)"
    ),
}


@pytest.fixture
def tables(ws: whence.Workspace) -> whence.Workspace:
    ws.create("t", [(1, 5), (1, 2), (2, 4), (3, 1), (2, 9), (3, 0)], schema="k int, x int")
    ws.create("u", [(1,), (7,)], schema="y int")
    return ws


@pytest.mark.parametrize("text", COPIED.values(), ids=COPIED.keys())
def test_ids_kept_once_say_the_same(tables: whence.Workspace, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    copied = answers(tables.sql(f"{text} ", name="copied"))
    fails_once(monkeypatch)
    kept = tables.sql(text, name="kept")
    assert kept.lineage.exact
    assert answers(kept) == copied


def test_a_query_that_copies_no_ids_fails_as_it_is(tables: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    fails_once(monkeypatch)
    with pytest.raises(OutOfMemory, match="WHENCE_SPARK_MEMORY"):
        tables.sql("select k, sum(x) s from t group by k", name="sums")


def fails_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = list[int]()

    def fail_first(*arguments: Any) -> Any:  # noqa: ANN401 - as run_plan has them
        calls.append(1)
        if len(calls) == 1:
            raise OutOfMemory(
                "The query needs more memory than Spark has.", "Give Spark more with WHENCE_SPARK_MEMORY."
            )
        return run_plan(*arguments)

    monkeypatch.setattr(run_rewritten, "run_plan", fail_first)


def answers(made: whence.Dataset) -> list[Any]:
    """Rows with all that lineage says of them and of their cells."""
    rows = list(zip(*(column.to_pylist() for column in made.to_arrow().columns), strict=True))
    inputs = sorted({name for row in range(len(rows)) for name in made.lineage.which(row)})
    return sorted(repr((values, behind(made, row, inputs))) for row, values in enumerate(rows))


def behind(made: whence.Dataset, row: int, inputs: list[str]) -> Any:  # noqa: ANN401 - only compared
    ids = {name: made.lineage.backward(row, to=name.split("@")[0]).ids.tolist() for name in inputs}
    cells = [sorted(map(str, made.lineage.cell(row, name))) for name in made.columns]
    return ids, cells
