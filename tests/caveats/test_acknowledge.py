"""Acknowledged caveats stay listed and mark nothing, wherever they reach, whatever is made again."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import whence

if TYPE_CHECKING:
    from whence import Dataset, Workspace


def marks(ds: "Dataset", column: str) -> list[bool]:
    flags: list[bool] = ds.caveats.marks().column(column).to_pylist()
    return flags


def chain(ws: "Workspace") -> tuple["Dataset", "Dataset", "Dataset"]:
    """A table with two doubts, a projection of it, and a group-by over that."""
    table = ws.create(
        "t",
        [("a", 1), ("a", 2), ("b", 3)],
        schema="k string, x int",
        cell_caveats=[(1, "x", "smudged"), (2, "x", "torn")],
    )
    double = ws.sql("select k, 2 * x as y from t", name="double")
    return table, double, ws.sql("select k, sum(y) s from double group by k order by k", name="sums")


def test_acknowledged_caveats_mark_nothing_in_any_dataset_they_reach(ws: "Workspace") -> None:
    table, double, sums = chain(ws)
    assert (marks(double, "y"), marks(sums, "s")) == ([False, True, True], [True, True])
    (group,) = sums.caveats.list(row=0)
    assert (group.message, group.count) == ("smudged", 1)
    sums.caveats.acknowledge(group, note="I have seen the form")
    assert (marks(table, "x"), marks(double, "y")) == ([False, False, True], [False, False, True])
    assert marks(sums, "s") == [False, True]
    again = {(each.message, each.acknowledged, each.note) for each in sums.caveats.list()}
    assert again == {("smudged", True, "I have seen the form"), ("torn", False, "")}
    sums.caveats.revoke(next(each for each in sums.caveats.list() if each.acknowledged))
    assert marks(sums, "s") == [True, True]


def test_queries_made_afterwards_see_the_marks_that_are_left(ws: "Workspace") -> None:
    table, *_ = chain(ws)
    table.caveats.acknowledge(table.caveats.list(row=1)[0])
    new = ws.sql("select k, x, has_caveat(x) h from t order by x")
    assert (marks(new, "x"), new.rows().column("h").to_pylist()) == ([False, False, True], [False, False, True])
    table.caveats.acknowledge("user")
    assert ws.sql("select k, x from t").record.doubt.is_certain


def test_an_acknowledgement_survives_a_reload_and_a_new_opening(ws: "Workspace", tmp_path: Path) -> None:
    file = tmp_path / "prices.csv"
    more = "".join(f"p{n},{n}\n" for n in range(6))
    file.write_text(f"part,price\nbolt,1\nnut,many\ncog,3\nrod,4\n{more}")
    ws.load(file, name="prices")
    ws["prices"].caveats.acknowledge("load", note="known")
    file.write_text(f"part,price\n{more}rod,4\nbolt,1\ncog,few\nnut,many\n")
    ws.reload("prices")
    assert marks(ws["prices"], "price") == marks_by_place(ws["prices"], {"cog"})
    ws.close()
    with whence.open(ws.path) as again:
        assert marks(again["prices"], "price") == marks_by_place(again["prices"], {"cog"})


def marks_by_place(ds: "Dataset", doubtful: set[str]) -> list[bool]:
    return [part in doubtful for part in ds.rows().column("part").to_pylist()]


def test_rows_that_might_be_missing_no_longer_are_once_the_reason_is_acknowledged(ws: "Workspace") -> None:
    ws.create("t", [(1,), (2,)], schema="x int", cell_caveats=[(0, "x", "smudged")])
    kept = ws.sql("select x from t where x > 1", name="kept")
    total = ws.sql("select count(*) n from kept", name="total")
    assert (kept.caveats.row_set, marks(total, "n")) == (True, [True])
    total.caveats.acknowledge("user")
    assert (kept.caveats.row_set, marks(total, "n")) == (False, [False])


def test_caveats_that_a_query_raised_can_be_acknowledged_and_survive_its_rerun(ws: "Workspace") -> None:
    ws.create("t", [("a", 1), ("b", 2)], schema="k string, x int")
    query = "select k, sum(caveat_if(x, x > 1, 'large')) s, caveat(k, 'spelling') g from t group by k order by k"
    first = ws.sql(query, name="out")
    large = next(group for group in first.caveats.list() if group.message == "large")
    first.caveats.acknowledge(large)
    second = ws.sql(query, name="out")
    assert (marks(second, "s"), marks(second, "g")) == ([False, False], [True, True])


def test_a_family_that_is_not_there_is_one_sentence(ws: "Workspace") -> None:
    ds = ws.create("t", [(1,)], schema="x int", cell_caveats=[(0, "x", "smudged")])
    with pytest.raises(whence.WhenceError, match=r"No caveat behind t@1 is of the family load. There are: user."):
        ds.caveats.acknowledge("load")


def test_what_is_forgotten_leaves_no_acknowledgement(ws: "Workspace") -> None:
    ds = ws.create("t", [(1,)], schema="x int", cell_caveats=[(0, "x", "smudged")])
    ds.caveats.acknowledge("user")
    ws.forget("t")
    assert marks(ws.create("t", [(1,)], schema="x int", cell_caveats=[(0, "x", "smudged")]), "x") == [True]


def test_a_step_without_rules_has_one_summary_for_each_input(ws: "Workspace") -> None:
    ws.create("t", [(n,) for n in range(50)], schema="x int", cell_caveats=[(n, "x", f"doubt {n}") for n in range(50)])
    opaque = ws.dataset(ws["t"].df.mapInPandas(lambda frames: frames, "x int", barrier=True), name="opaque")
    assert all(marks(opaque, "x"))
    coarse = [group for group in opaque.caveats.list(row=3) if group.family == "coarse"]
    assert [(group.count, "t@1" in group.message) for group in coarse] == [(1, True)]
    opaque.caveats.acknowledge(coarse[0], note="the function keeps rows as they are")
    assert not any(marks(opaque, "x"))
    opaque.caveats.revoke(coarse[0])
    ws["t"].caveats.acknowledge("user")
    assert not any(marks(opaque, "x"))
