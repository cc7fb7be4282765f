"""Spark can be stopped while it plans a query, by Stop and by a limit, and plans the next query right after."""

from __future__ import annotations

import pytest

import whence
from tests.engine.slow_planning import slow_planning
from whence.engine.planning import LIMIT_VARIABLE, planning_limit, planning_stops, stop_planning
from whence.model.errors import BadInput, UserError

QUERY = "select x + 1 as y from t where x > 1"


def java_process(ws: whence.Workspace) -> int:
    return int(ws.spark._jvm.java.lang.ProcessHandle.current().pid())  # type: ignore[union-attr]


def test_a_cell_is_stopped_while_spark_plans_it(ws: whence.Workspace) -> None:
    ws.create("t", [(1,), (2,)], schema="x int")
    before, nb = java_process(ws), ws.notebook("n")
    with slow_planning(ws.spark) as wait_until_it_plans:
        cell = nb.append("sql", source=QUERY, name="made")
        wait_until_it_plans()
        nb.cancel()
        nb.wait(120)
    assert (cell.status, cell.error) == ("cancelled", None)
    nb.run(cell).wait(120)
    assert ws["made"].to_arrow().to_pylist() == [{"y": 3}]
    assert java_process(ws) == before


def test_a_query_that_takes_too_long_to_plan_is_refused_with_a_sentence(ws: whence.Workspace) -> None:
    ws.create("t", [(1,), (2,)], schema="x int")
    stops = planning_stops(ws.spark)
    stops.setLimit(1)
    try:
        with slow_planning(ws.spark), pytest.raises(UserError) as caught:
            ws.sql(QUERY)
    finally:
        stops.setLimit(planning_limit())
    assert str(caught.value) == (
        "Spark planned the query for more than 1 seconds and was stopped. "
        "Make a part of it a dataset of its own, or allow more with WHENCE_PLANNING_SECONDS."
    )
    assert ws.sql(QUERY).to_arrow().to_pylist() == [{"y": 3}]


@pytest.mark.timeout(120)  # without the error Python would wait for rows for ever
def test_a_stop_ends_the_planning_of_later_stages_while_rows_are_collected(ws: whence.Workspace) -> None:
    frame, context = ws.spark.range(100).groupBy("id").count(), ws.spark.sparkContext
    context.setLocalProperty("spark.jobGroup.id", "stopped-while-collecting")
    try:
        frame._jdf.queryExecution().executedPlan()  # the rest is planned by the thread that sends the rows
        stop_planning(ws.spark, "stopped-while-collecting")
        with pytest.raises(Exception, match="WHENCE_PLANNING"):
            frame.toArrow()
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]
    assert ws.spark.range(100).groupBy("id").count().toArrow().num_rows == 100


def test_the_limit_on_planning_is_a_number_of_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, "5")
    assert planning_limit() == 5
    monkeypatch.setenv(LIMIT_VARIABLE, "soon")
    with pytest.raises(BadInput, match="'soon', which is no number of seconds"):
        planning_limit()
