"""Each operator alone, where the random pipelines do not go: values, records, sources, refusals."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import whence
from tests.pipeline.test_others_in_prov import read
from whence.model.errors import UnknownColumn, UserError
from whence.pipeline.trail import Trail
from whence.transformations.vocabulary.registry import TRANSFORMATIONS


def cells(p: whence.Pipeline, row: int, column: str) -> set[tuple[str, int, str]]:
    return {(ref.dataset, ref.row, ref.column) for ref in p.provenance.why(row, column)}


def test_every_transformation_that_prepares_is_a_method_of_a_pipeline() -> None:
    preparing = [each.name for each in TRANSFORMATIONS.values() if each.group != "Clean"]
    assert all(callable(getattr(whence.Pipeline, name)) for name in preparing)


def test_any_transformation_is_a_step_by_its_name(ws: whence.Workspace) -> None:
    people = ws.create("people", [(" Ada", None), ("Bob ", 3)], schema="name string, age int")
    p = whence.Pipeline(people, name="ready").step("trim", columns=["name"]).step("impute", column="age", method="mean")
    assert p.result.to_arrow().to_pylist() == [{"name": "Ada", "age": 3}, {"name": "Bob", "age": 3}]
    assert [each.kind for each in p.operations] == ["trim", "impute"]
    assert p.result.caveats.marks().column("age").to_pylist() == [True, False]


def test_join_union_and_repeated_rows(ws: whence.Workspace) -> None:
    people = ws.create("people", [("a", 1), ("b", 2), ("z", 3)], schema="k string, x int")
    ws.create("names", [("a", "Ada"), ("b", "Bob"), ("b", "Bea")], schema="k string, name string")
    ws.create("more", [("c", 9)], schema="k string, x int")
    p = whence.Pipeline(people, name="joined").union("more").filter("x < 9 or k = 'c'").join("names", on="k")
    rows = p.result.to_arrow().to_pylist()
    q = p.provenance
    by_name = {row["name"]: rid for rid, row in enumerate(rows)}
    assert set(by_name) == {"Ada", "Bob", "Bea"}
    assert cells(p, by_name["Ada"], "x") == {("people", 0, "x")}
    assert cells(p, by_name["Bea"], "name") == {("names", 2, "name"), ("people", 1, "k")}
    # Record 1 has two matches: the first is the record itself, the other a new one; row 3 is what the union made.
    assert sorted(q.record_ids().tolist()) == [0, 1, 4]
    assert str(q.why_missing(2)) == ("Dropped by step 3 (join), because no row of names@1 is equal in k; 1 others too.")
    assert [each.kind for each in q.record_operations(3)] == ["union", "filter", "join"]


def test_samples_are_the_same_every_time_and_say_who_was_not_drawn(ws: whence.Workspace) -> None:
    labels = ws.create("labels", [("y" if n < 6 else "n", n) for n in range(9)], schema="label string, n int")
    under = whence.Pipeline(labels, name="under").undersample("label", seed=3)
    kept = under.result.to_arrow()["n"].to_pylist()
    assert [n < 6 for n in kept].count(True) == 3
    assert kept == sorted(kept)
    gone = under.provenance.invalidations().records
    assert sorted([*gone, *kept]) == list(range(9))
    over = whence.Pipeline(labels, name="over").oversample("label", seed=3)
    rows = over.result.to_arrow().to_pylist()
    assert [row["label"] for row in rows].count("n") == 6
    q = over.provenance
    assert sorted(q.record_ids().tolist()) == list(range(12))
    for rid, record in enumerate(q.record_ids().tolist()):
        assert cells(over, rid, "n") == {("labels", rows[rid]["n"], "n")}
        assert record == rows[rid]["n"] or record >= 9
    assert over.operations[0].cells_changed == 3 * 2


def test_pivot_reads_only_the_rows_of_its_column(ws: whence.Workspace) -> None:
    sales = ws.create(
        "sales", [("a", "x", 1), ("a", "y", 2), ("b", "x", 3), ("a", "x", 4)], schema="k string, c string, v int"
    )
    p = whence.Pipeline(sales, name="wide").pivot(["k"], "c", "v")
    assert p.result.to_arrow().to_pylist() == [{"k": "a", "x": 5, "y": 2}, {"k": "b", "x": 3, "y": None}]
    assert {(row, column) for _, row, column in cells(p, 0, "x")} == {
        (row, column) for row in (0, 3) for column in ("v", "c", "k")
    }
    assert p.provenance.feature_invalidation("v") is p.operations[0]
    assert p.provenance.invalidations().record_count == 4


def test_days_missing_values_and_names_that_are_hard(ws: whence.Workspace) -> None:
    stays = ws.create(
        "stays",
        [("2020-01-01 10:00:00", "2020-01-03 09:00:00", " a"), ("2020-01-02 10:00:00", "2020-01-02 09:00:00", None)],
        schema="`t.in` string, `t.out` string, `it's` string",
    )
    floor = "cast(floor((unix_timestamp(`t.out`) - unix_timestamp(`t.in`)) / 86400) as int)"
    p = whence.Pipeline(stays, name="days").derive({"days": floor}, drop=["t.in", "t.out"]).one_hot(["it's"])
    assert p.result.to_arrow().to_pylist() == [{"days": 1, "it's_ a": 1}, {"days": -1, "it's_ a": 0}]
    assert {ref.column for ref in p.provenance.why(1, "days")} == {"t.in", "t.out"}


def test_a_model_fills_from_the_columns_it_was_fitted_to(ws: whence.Workspace) -> None:
    line = ws.create("line", [(1.0, 3.0), (2.0, 5.0), (4.0, None), (3.0, 7.0)], schema="x double, y double")
    p = whence.Pipeline(line, name="filled").impute({"y": "model"}, using=["x"])
    assert p.result.to_arrow()["y"].to_pylist()[2] == pytest.approx(9.0)
    roles = {(ref.row, ref.column): ref.role for ref in p.provenance.why(2, "y")}
    assert roles[2, "x"] == "computed"
    assert roles[0, "y"] == "aggregated"
    assert (step := p.provenance.how(2, "y")[0]).before is None
    assert step.statistics[0].name == "model of y on x"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p: p.filter("agee > 1"), "agee"),
        (lambda p: p.filter("age + 1"), "no condition"),
        (lambda p: p.transform(["age"], "{} + nosuch(1)"), "nosuch"),
        (lambda p: p.select(["agee"]), "Did you mean age"),
        (lambda p: p.derive({"age": "1"}), "already has a column age"),
        (lambda p: p.derive({"r": "sum(age)"}), "more than its own row"),
        (lambda p: p.derive({"r": "sum(age) over () - max(age) over (order by age)"}), "more than its own row"),
        (lambda p: p.filter("rank() over (order by age) < 3"), "more than its own row"),
        (lambda p: p.impute({"name": "mean"}), "has no mean"),
        (lambda p: p.impute({"age": "magic"}), "does not know the method magic"),
        (lambda p: p.drop_columns(["age", "name"]), "no column left"),
        (lambda p: p.rename({"age": "name"}), "same name"),
        (lambda p: p.normalize(["name"]), "not numbers"),
        (lambda p: p.filter("rand() < 0.5"), "otherwise next time"),
    ],
)
def test_bad_calls_get_a_sentence(
    people: whence.Dataset, call: Callable[[whence.Pipeline], object], words: str
) -> None:
    p = whence.Pipeline(people, name="bad")
    with pytest.raises((UserError, UnknownColumn), match=words):
        call(p)
    assert p.operations == []


def test_window_functions_read_the_rows_around(ws: whence.Workspace, tmp_path: Path) -> None:
    rows = [("a", 1, 10), ("b", 1, 20), ("a", 2, 30), ("a", 3, None), ("b", 2, 50)]
    trades = ws.create("trades", rows, schema="k string, t int, x int")
    p = whence.Pipeline(trades, name="seen").transform(["x"], "{} + 1").filter("t < 3")
    p.derive({"share": "x / sum(x) over (partition by k)", "n": "count(*) over ()", "late": "t > 1"})
    p.transform(["x"], "coalesce(lag({}) over (partition by k order by t), 0)").drop_columns(["t"])
    columns = p.result.to_arrow().to_pydict()
    assert columns["x"] == [0, 0, 11, 21]
    assert (columns["n"], columns["late"]) == ([4] * 4, [False, False, True, True])
    roles = {(ref.row, ref.column): ref.role for ref in p.provenance.why(2, "share")}
    assert roles == {(0, "k"): "grouped", (2, "k"): "grouped", (0, "x"): "aggregated", (2, "x"): "computed"}
    # A window function reads the row before, a first row none; the cell comes from itself all the same.
    assert cells(p, 2, "x") == {("trades", row, name) for row in (0, 2) for name in ("k", "t", "x")}
    assert cells(p, 0, "x") == {("trades", 0, name) for name in ("k", "t", "x")}
    assert cells(p, 0, "n") == set()
    reached = {each.column: each.rows.tolist() for each in p.provenance.impact(0, "x")}
    assert reached == {"x": [0, 2], "share": [0, 2]}
    assert [step.operation.number for step in p.provenance.how(2, "x")] == [1, 4]
    again = whence.Pipeline.from_dataset(ws["seen"])
    assert {(ref.dataset, ref.row, ref.column) for ref in again.provenance.why(2, "x")} == cells(p, 2, "x")
    p.provenance.export(tmp_path / "seen.json")
    # Step 1 gives five cells; a share has four, k and x of its partition; `late` one; x three, after another row six.
    derived = 5 + 4 * 4 + 4 + 2 * 3 + 2 * 6
    assert len(read(tmp_path / "seen.json")["wasDerivedFrom"]) == derived
    assert (p.provenance.invalidations().record_count, p.operations[3].cells_changed) == (1, 4)


def test_what_is_gone_after_rows_were_added_is_known_without_reading_a_value(
    ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = ws.create("base", [("a", 1), ("b", 2), ("b", None)], schema="k string, x int")
    p = whence.Pipeline(base, name="longer").generate(rows=[{"k": "c"}]).generate(by="k", values={"x": "max(x)"})
    p = p.drop_missing(["x"]).drop_columns(["k"])
    gone = p.provenance.invalidations()

    def refuse(*_: object) -> None:
        pytest.fail("a value was read")

    monkeypatch.setattr(Trail, "column", refuse)
    # Records 0 to 2, the given row 3, the groups a, b and c as 4 to 6: missing x drops 2, 3 and 6 with both values.
    assert (gone.record_count, gone.item_count) == (3, 3 * 2 + 4)
    assert {record: operation.number for record, operation in gone.records.items()} == {2: 3, 3: 3, 6: 3}


def test_a_column_that_a_step_dropped_is_not_there_for_the_next(people: whence.Dataset) -> None:
    p = whence.Pipeline(people, name="without").drop_columns(["age"])
    with pytest.raises(UserError, match="no column age"):
        p.filter("age > 1")
    assert [operation.kind for operation in p.operations] == ["drop_columns"]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> object:
    with whence.open(tmp_path_factory.mktemp("people") / "w.whence") as workspace:
        assert spark_home.spark is not None
        yield workspace.create("people", [("Ada", 36)], schema="name string, age int")


@pytest.mark.spark
def test_a_pipeline_may_be_the_first_that_needs_spark(tmp_path: Path) -> None:
    script = """
import sys, whence
with whence.open(sys.argv[1]) as ws:
    people = ws.create("people", [("Ada", 36), ("Bob", None)], schema="name string, age int")
    assert not ws.is_engine_running
    print(whence.Pipeline(people, name="known").drop_missing(["age"]).result.to_arrow().to_pylist())
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "w.whence")], capture_output=True, text=True, check=False
    )
    assert done.stdout == "[{'name': 'Ada', 'age': 36}]\n", done.stderr[-2000:]
