"""Marks and row ids make the plans of long chains of queries little larger than those of Spark without whence."""

from __future__ import annotations

from typing import Any

import pytest

import whence
from whence.engine.engine import Engine


def chain(levels: int, *, with_filters: bool) -> str:
    """Queries over queries, each of which reads the value of the one below three times."""
    text = "select id, x from t"
    for level in range(levels):
        text = f"select id, case when x > {level} then x + {level} else x - 1 end as x from ({text})"
        text += f" where x < {1000 + level}" * with_filters
    return text


def size(frame: Any) -> int:  # noqa: ANN401 - a frame of Spark
    """How many operators and expressions Spark's optimized plan has."""
    return str(frame._jdf.queryExecution().optimizedPlan().toJSON()).count('"class"')


@pytest.mark.parametrize("cell_caveats", [[], [(0, "x", "smudged")]], ids=["certain", "in doubt"])
@pytest.mark.parametrize(("levels", "with_filters"), [(12, False), (5, True)])
def test_a_chain_of_cases_makes_a_plan_at_most_a_third_larger(
    ws: whence.Workspace,
    monkeypatch: pytest.MonkeyPatch,
    levels: int,
    with_filters: bool,
    cell_caveats: list[tuple[int, str, str]],
) -> None:
    ws.create("t", [(n, n * 1.0) for n in range(8)], schema="id int, x double", cell_caveats=cell_caveats)
    ws["t"].df.createOrReplaceTempView("t_of_chain")
    query, written, run = chain(levels, with_filters=with_filters), [], Engine.run

    def run_and_measure(engine: Engine, frame: Any, *more: Any, **named: Any) -> Any:  # noqa: ANN401
        written.append(size(frame))
        return run(engine, frame, *more, **named)

    monkeypatch.setattr(Engine, "run", run_and_measure)
    made = ws.sql(query, name="made")
    assert made.lineage.exact
    plain = ws.spark.sql(query.replace("from t)", "from t_of_chain)"))
    assert sorted(map(repr, made.to_arrow().to_pylist())) == sorted(map(repr, plain.toArrow().to_pylist()))
    (marked,) = written
    assert marked <= 1.3 * size(plain)
