"""pandas on Spark carries indexes and dead columns along; they blame nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import whence

ROWS = [("A", 10.0, 51.0), ("B", None, 60.0), ("A", 11.0, 40.0), ("B", 12.0, None)]
SQL = "select origin, avg(humid) humid from weather where humid > 50 group by origin"

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "brackets": lambda w: w[w.humid > 50].groupby("origin")[["humid"]].mean().to_spark(index_col="origin"),
    "query": lambda w: w.query("humid > 50").groupby("origin", as_index=False).agg({"humid": "mean"}).to_spark(),
}


def doubts(made: whence.Dataset) -> tuple[object, ...]:
    marks = made.caveats.marks()
    rows = zip(made.to_arrow().to_pylist(), marks.to_pylist(), strict=True)
    return (
        sorted(rows, key=repr),
        made.caveats.row_set,
        [group.message for group in made.caveats.list()],
        [group.message for group in made.caveats.list(column="humid")],
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS)
def test_dead_columns_of_pandas_on_spark_carry_no_doubt(ws: whence.Workspace, program: str) -> None:
    caveats = [(1, "temp", "bad temp"), (3, "humid", "bad humid")]
    weather = ws.create("weather", ROWS, schema="origin string, temp double, humid double", cell_caveats=caveats)
    made = ws.dataset(PROGRAMS[program](weather.df.pandas_api()), name="made")
    assert doubts(made) == doubts(ws.sql(SQL, name="by_sql"))
    assert doubts(made)[1:] == (False, ["bad humid"], ["bad humid"])


@pytest.mark.filterwarnings("ignore")
def test_an_index_that_is_shown_stays_in_doubt(ws: whence.Workspace) -> None:
    weather = ws.create(
        "weather", ROWS, schema="origin string, temp double, humid double", cell_caveats=[(3, "humid", "bad humid")]
    )
    kept = weather.df.pandas_api().query("humid < 45")
    assert kept is not None
    dry = kept.reset_index(drop=True)
    assert dry is not None
    made = ws.dataset(dry.to_spark(index_col="number"), name="made")
    assert made.caveats.marks().column("number").to_pylist() == [True]
