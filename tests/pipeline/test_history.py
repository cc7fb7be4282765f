"""Pipelines read off what others made: a kept result in another session, queries, Python, and two runs compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import StandardScaler

import whence
from whence.cli.printing import trace_lines
from whence.model.errors import UserError

ROWS = [("a", 1, 2.0), ("b", None, 3.0), (" a", 3, None), ("a", 1, 2.0)]
SCHEMA = "k string, n int, x double"


def test_a_kept_result_answers_in_another_session(tmp_path: Path, spark_home: whence.Workspace) -> None:
    assert spark_home.spark is not None
    with whence.open(tmp_path / "w.whence") as ws:
        p = whence.Pipeline(ws.create("t", ROWS, schema=SCHEMA), name="ready")
        p.transform(["k"], "trim({})").impute({"n": "mean"}, by=["k"]).filter("x > 0").sort(["-n"]).one_hot(["k"])
        q = p.provenance
        columns = p.result.columns
        before = [(q.why(row, name), how(q, row, name)) for row in range(p.result.count) for name in columns]
        counts = [(each.code, each.count()) for each in p.operations]
    with whence.open(tmp_path / "w.whence") as ws:
        again = whence.Pipeline.from_dataset(ws["ready"])
        q = again.provenance
        rows = again.result.count
        assert before == [(q.why(row, name), how(q, row, name)) for row in range(rows) for name in columns]
        assert counts == [(each.code, each.count()) for each in again.operations]
        assert str(q.why_missing(2)) == "Dropped by step 3 (filter), because x > 0 does not hold (x = null)."
        lines = list(trace_lines(ws["ready"], 0, "k_a", 3))
        assert lines[-1].startswith("   step 5 one_hot k_a: 0 [test_history.py:")
        with pytest.raises(UserError, match="is finished"):
            again.filter("n > 1")


def how(q: whence.Provenance, row: int, column: str) -> list[tuple[int, object, object]]:
    return [(step.operation.index, step.before, step.after) for step in q.how(row, column)]


def test_queries_and_frames_are_steps_too(ws: whence.Workspace) -> None:
    ws.create("t", ROWS, schema=SCHEMA)
    ws.create("names", [("a", "Ada"), ("b", "Bob")], schema="k string, name string")
    ws.sql("select trim(k) as k, n, x as y from t where x is not null", name="clean")
    ws.dataset(ws["clean"].df.fillna({"n": 0}), name="filled")
    joined = ws.sql("select filled.k, n, y, name from filled join names using (k) order by y, name", name="joined")
    q = whence.Pipeline.from_dataset(joined).provenance
    assert [each.kind for each in q.transformations()] == ["query", "query", "query"]
    assert [(each.rows_before, each.rows_after) for each in q.transformations()] == [(4, 3), (3, 3), (3, 3)]
    row = joined.to_arrow()["name"].to_pylist().index("Bob")
    assert {(ref.dataset, ref.row, ref.column) for ref in q.why(row, "name")} >= {("names", 1, "name")}
    assert [(ref.row, ref.column, ref.value) for ref in q.why(row, "n")] == [(1, "n", None)]
    assert how(q, row, "n") == [(1, None, 0)]
    assert q.record_invalidation(2) is q.transformations()[0]
    assert q.feature_operations("x") == q.feature_operations("y")
    totals = ws.sql("select k, sum(n) as total from filled group by k order by k", name="totals")
    q = whence.Pipeline.from_dataset(totals, since="clean").provenance
    assert {(ref.row, ref.column) for ref in q.why(0, "total") if ref.column == "n"} == {(0, "n"), (2, "n")}


def test_windows_and_filters_read_their_own_rows_alone(ws: whence.Workspace) -> None:
    rows = [("a", 1, 2.0), ("b", 5, 3.0), ("a", 3, 9.0), ("a", 4, 1.0), ("b", 2, 8.0)]
    ws.create("t", rows, schema=SCHEMA)
    running = "sum(n) over (partition by k order by n rows between 1 preceding and current row)"
    seen = ws.sql(f"select k, n + 1 as m, {running} as s, max(x) over () as top from t where n < 5", name="seen")
    q = whence.Pipeline.from_dataset(seen).provenance
    for row in range(seen.count):
        own = next(n for n, (k, value, _) in enumerate(rows) if value + 1 == seen.to_arrow()["m"][row].as_py() and k)
        assert values_of(q, row, "k") == {(own, "k")}
        assert values_of(q, row, "m") == {(own, "n")}
        group = sorted((value, n) for n, (k, value, _) in enumerate(rows) if k == rows[own][0] and value < 5)
        place = group.index((rows[own][1], own))
        assert values_of(q, row, "s") == {(n, "n") for _, n in group[max(place - 1, 0) : place + 1]}
        assert values_of(q, row, "top") == {(n, "x") for n, (_, value, _) in enumerate(rows) if value < 5}
        assert q.record_ids()[row] == own
    assert q.record_invalidation(1) is q.transformations()[0]
    assert [(each.column, each.rows.tolist()) for each in q.impact(0, "x")] == [("top", [0, 1, 2, 3])]
    large = ws.sql(
        "select k, sum(n) filter (where x > 2) as s, count(n) as c from t group by k order by k", name="large"
    )
    q = whence.Pipeline.from_dataset(large).provenance
    assert values_of(q, 0, "s") == {(2, "n")}
    assert values_of(q, 0, "c") == {(0, "n"), (2, "n"), (3, "n")}


def values_of(q: whence.Provenance, row: int, column: str) -> set[tuple[int, str]]:
    """The cells that a value was copied, computed or aggregated from; not those that only decided about it."""
    return {(ref.row, ref.column) for ref in q.why(row, column) if ref.role in ("copied", "computed", "aggregated")}


def test_python_and_scikit_learn_are_matched_by_index_and_called_inferred(ws: whence.Workspace) -> None:
    data = ws.create("t", ROWS, schema=SCHEMA)
    p = whence.Pipeline(data, name="scaled").drop_missing(["x"])
    p.apply(lambda frame: frame.assign(k=frame.k.str.upper())[::-1].drop(columns="n"))
    p.apply(StandardScaler(), columns=["x"]).filter("k = 'A'")
    q = p.provenance
    assert [each.is_inferred for each in p.operations] == [False, True, True, False]
    assert all(each.line.startswith("test_history.py:") for each in p.operations)
    assert p.result.columns == ["k", "x"]
    assert q.record_ids().tolist() == [3, 0]
    x = np.array([2.0, 3.0, 2.0])
    assert p.result.to_arrow()["x"].to_pylist() == pytest.approx([(2.0 - x.mean()) / x.std()] * 2)
    own = q.why(0, "k", statistics=False)
    assert [(ref.row, ref.column) for ref in own] == [(3, "k")]
    assert {(ref.row, ref.column) for ref in q.why(0, "x")} == {(row, "x") for row in (0, 1, 3)}
    with pytest.raises(UserError, match="lost the index"):
        whence.Pipeline(data, name="lost").apply(lambda frame: pd.DataFrame({"x": [1]}))


def test_two_runs_are_compared_by_record_and_a_report_is_a_page(ws: whence.Workspace, tmp_path: Path) -> None:
    data = ws.create("t", ROWS, schema=SCHEMA)
    one = whence.Pipeline(data, name="one").impute({"n": "mean"}).drop_missing(["x"])
    two = whence.Pipeline(data, name="two").impute({"n": 9}).filter("n > 1")
    different = one.diff(two)
    assert [each.here.kind for each in different.operations if each.here] == ["impute", "drop_missing"]
    assert (different.records_here.tolist(), different.records_there.tolist()) == ([0, 3], [2])
    assert {name: ids.tolist() for name, ids in different.changed.items()} == {"n": [1]}
    assert one.diff(one).is_same
    text = one.report(tmp_path / "one.html", groups=["k"])
    assert text.splitlines()[1].endswith("3 rows (1 dropped)")
    page = (tmp_path / "one.html").read_text()
    assert "4 &rarr; 3" in page
    assert "k =  a" in page


def test_rows_made_on_the_way_are_compared_by_what_made_them(ws: whence.Workspace) -> None:
    data = ws.create("t", [("a", 1, 2.0), ("b", None, 3.0), ("b", 5, 7.0), ("c", 4, 1.0)], schema=SCHEMA)

    def grouped(name: str, fill: int, condition: str = "true") -> whence.Pipeline:
        return whence.Pipeline(data, name=name).impute({"n": fill}).filter(condition).group_by(["k"], {"s": "sum(n)"})

    one = grouped("one", 2)
    filled = one.diff(grouped("filled", 9))
    # The records of the input are 0 to 3; the groups a, b and c follow.
    assert (filled.records_here.tolist(), filled.records_there.tolist()) == ([], [])
    assert {name: ids.tolist() for name, ids in filled.changed.items()} == {"s": [5]}
    fewer = one.diff(grouped("fewer", 2, "k <> 'a' and x > 3 or k = 'c'"))
    assert (fewer.records_here.tolist(), fewer.records_there.tolist()) == ([4, 5], [4])
    assert fewer.changed == {}
    assert one.diff(grouped("again", 2)).is_same
    other = whence.Pipeline(data, name="other").impute({"n": 2}).group_by(["k"], {"s": "max(n)"})
    assert (one.diff(other).records_here.tolist(), one.diff(other).records_there.tolist()) == ([4, 5, 6], [4, 5, 6])


def test_added_rows_are_the_same_record_only_if_the_same_step_added_them(ws: whence.Workspace) -> None:
    data = ws.create("t", ROWS, schema=SCHEMA)

    def added(name: str, *rows: dict[str, object]) -> whence.Pipeline:
        p = whence.Pipeline(data, name=name)
        for row in rows:
            p.generate(rows=[row])
        return p

    one = added("one", {"k": "p"}, {"k": "q"})
    assert one.diff(added("same", {"k": "p"}, {"k": "q"})).is_same
    swapped = one.diff(added("swapped", {"k": "q"}, {"k": "r"}))
    assert (swapped.records_here.tolist(), swapped.records_there.tolist()) == ([4], [5])
    assert swapped.changed == {}
    gaps = [
        whence.Pipeline(data, name=f"gaps {n}").filter(condition).step("repair_sequence", column="n", step=1, high=4)
        for n, condition in enumerate(("true", "x is not null"))
    ]
    # The first puts in 2 and 4, the other one 2, 3 and 4.
    filled = gaps[0].diff(gaps[1])
    assert (filled.records_here.tolist(), filled.records_there.tolist()) == ([2], [5])
    many = whence.Pipeline(data, name="many").oversample("k", to=4)
    few = whence.Pipeline(data, name="few").oversample("k", to=3)
    assert len(many.diff(few).records_here) == many.result.count - len(ROWS)


def test_joined_rows_are_the_same_record_if_both_their_rows_are(ws: whence.Workspace) -> None:
    data = ws.create("t", ROWS, schema=SCHEMA)
    names = ws.create("names", [("a", "Ada"), ("a", "Ann"), ("b", "Bob")], schema="k string, name string")

    def joined(name: str, condition: str) -> whence.Pipeline:
        return whence.Pipeline(data, name=name).filter(condition).join(names, on=["k"])

    every, later = joined("every", "true"), joined("later", "n is null or x is null or n > 0")
    assert every.diff(later).is_same
    fewer = every.diff(joined("fewer", "n is null"))
    rows = every.result.to_arrow()["name"].to_pylist()
    gone = every.provenance.record_ids()[[row for row, name in enumerate(rows) if name != "Bob"]]
    assert len(gone) == 4
    assert (fewer.records_here.tolist(), fewer.records_there.tolist()) == (sorted(gone.tolist()), [])
