"""How many rows joins of small datasets can give: never less than they do, and close to it where keys are rare."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyspark.sql import DataFrame

import whence
from whence.derive import join_bounds
from whence.derive.join_bounds import bound_joins
from whence.engine import run
from whence.engine.collect_table import Collect
from whence.engine.outcome import Outcome
from whence.engine.run_here import run_here
from whence.engine.worker.write_parts import OutputLayout
from whence.plan.step import Step
from whence.workspace.workspace import Workspace

JOINS = (
    "select * from a join b on a.k = b.k",
    "select * from a join b on a.k <=> b.k",
    "select * from a join b on a.k = b.k and a.x < b.x where a.x > 3",
    "select * from a join (select k as other, x from b where x > 2) c on other = a.k",
    "select * from a left join b on a.k = b.k",
    "select * from a right join b on a.k = b.k",
    "select * from a full join b on a.k = b.k",
    "select * from a join b on a.k = b.k join b as c on c.k = b.k",
    "select * from a join b on a.k + 1 = b.k",
    "select * from a join b on a.k < b.k",
    "select * from a cross join b",
    "select * from a join b on a.k = b.k or a.x = b.x",
    "select * from a join (select k from b group by k) c on a.k = c.k",
    "select * from a join (select k, explode(array(1, 2)) as y from b) c on a.k = c.k",
)


@pytest.fixture
def tables(ws: Workspace) -> Workspace:
    """Two tables of few keys, with NULLs."""
    chance = random.Random(0)
    for name in ("a", "b"):
        rows = [(chance.choice([None, 1, 2, 3, 4]), chance.randrange(9)) for _ in range(20)]
        ws.create(name, rows, schema="k int, x int")
    return ws


def bounded_plan(ws: Workspace, text: str) -> tuple[Step, Step]:
    engine = ws._context.engine
    plan = engine.read(engine.sql(text)).read.plan
    assert plan is not None
    return plan, bound_joins(ws._context.store, plan)


@pytest.mark.parametrize("text", JOINS)
def test_a_join_gives_no_more_rows_than_its_bound(tables: Workspace, text: str) -> None:
    plan, bounded = bounded_plan(tables, text)
    rows = len(tables.sql(text, name="made").to_arrow())
    assert rows <= bounded.most_rows <= plan.most_rows


def test_a_key_that_shows_each_value_once_bounds_a_join_by_the_other_side(ws: Workspace) -> None:
    ws.create("sales", [(row, row % 40) for row in range(100)], schema="id int, k int")
    ws.create("kinds", [(row, f"kind {row}") for row in range(40)], schema="k int, title string")
    for text, most in (
        ("select title from sales join kinds on sales.k = kinds.k where id > 3", 100),
        ("select title from kinds join sales using (k)", 100),
        ("select title from sales left join kinds using (k)", 200),
    ):
        plan, bounded = bounded_plan(ws, text)
        assert (bounded.most_rows, plan.most_rows) == (most, 4000)


def test_a_small_join_is_collected_with_the_rows_lineage_and_marks_of_one_that_spark_writes(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws.create(
        "sales", [(row, row % 600) for row in range(1_200)], schema="id int, k int", cell_caveats=[(5, "id", "?")]
    )
    ws.create("kinds", [(row, f"kind {row}") for row in range(600)], schema="k int, title string")
    text = "select id, title from sales join kinds on sales.k = kinds.k where {number} < 5"
    collected: list[int] = []

    def spy(frame: DataFrame, layout: OutputLayout, staging: Path, collect: Collect) -> Outcome | None:
        outcome = run_here(frame, layout, staging, collect)
        assert outcome is not None
        collected.append(outcome.rows)
        return outcome

    monkeypatch.setattr(run, "run_here", spy)
    small = ws.sql(text.format(number=0), name="small")
    assert collected == [1_200]
    monkeypatch.setattr(join_bounds, "MOST_READ", 0)
    large = ws.sql(text.format(number=1), name="large")
    assert collected == [1_200]
    facts = [lineage_of(made) for made in (small, large)]
    assert facts[0] == facts[1]
    assert facts[0][7] == ("kind 7", {7}, {7}, (False, False))


def lineage_of(made: whence.Dataset) -> dict[int, object]:
    """What each row shows, the rows it comes from, and its marks, by the id it shows."""
    rows, marks = made.to_arrow().to_pylist(), made.caveats.marks().to_pylist()
    found: dict[int, object] = {}
    for number, (row, mark) in enumerate(zip(rows, marks, strict=True)):
        sources = (
            [
                {int(each) for each in made.lineage.backward([number], to=name).to_arrow().column(column).to_pylist()}
                for name, column in (("sales", "id"), ("kinds", "k"))
            ]
            if row["id"] < 20
            else []
        )
        found[row["id"]] = (row["title"], *sources, (mark["id"], mark["title"]))
    return found
