"""Marks after acknowledging are those that a fresh run of the query would set."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import whence
from whence.engine.engine import Engine

if TYPE_CHECKING:
    from whence import Dataset, Workspace


def marks(ds: "Dataset") -> list[dict[str, bool]]:
    flags: list[dict[str, bool]] = ds.caveats.marks().to_pylist()
    return flags


def create(ws: "Workspace", doubted: list[tuple[int, str, str]]) -> "Dataset":
    rows = [(0, 1, 5), (0, 2, 9), (1, 3, 1), (1, 4, 8), (2, 5, 3)]
    return ws.create("t", rows, schema="k int, x int, y int", cell_caveats=doubted)


DOUBTED = [(0, "x", "a"), (0, "y", "b"), (1, "y", "b"), (3, "x", "a"), (4, "k", "c")]

QUERIES = {
    "settled by what is certain again": "select k, x > 100 and y > 100 as both, coalesce(x, y) as either from t",
    "rows that a doubtful filter left out": "select k, count(*) n from t where x < 4 group by k",
    "keys that might move": "select k, sum(x) s, min(y) low from t group by k",
    "a window": "select k, x, sum(y) over (partition by k order by x) s from t",
    "a subquery": "select k, (select max(y) from t b where b.k = t.k and b.x > 2) top from t",
    "a left join": "select a.x, b.y from t a left join t b on a.k = b.k and b.x > a.x",
    "one row": "select count(*) n, max(x) top from t where y > 2",
}


@pytest.mark.parametrize("acknowledged", [{"a"}, {"b", "c"}])
def test_acknowledging_gives_the_marks_of_a_fresh_run(ws: "Workspace", acknowledged: set[str]) -> None:
    table = create(ws, DOUBTED)
    made = {title: ws.sql(text, name=f"out {n}") for n, (title, text) in enumerate(QUERIES.items())}
    for group in table.caveats.list():
        refs = zip(group.places, group.references, strict=True)
        table.caveats.acknowledge(replace(group, places=[n for n, ref in refs if ref.message in acknowledged]))
    create(ws, [each for each in DOUBTED if each[2] not in acknowledged])
    for title, text in QUERIES.items():
        fresh = ws.sql(text, name="fresh")
        assert rows_with_marks(made[title]) == rows_with_marks(fresh), title
        assert made[title].caveats.row_set == fresh.caveats.row_set, title


def rows_with_marks(ds: "Dataset") -> list[str]:
    """Rows with their marks, in an order that does not hang on the run."""
    both = zip(ds.to_arrow().to_pylist(), marks(ds), strict=True)
    return sorted(repr(each) for each in both)


def test_what_was_worked_out_is_kept_for_the_next_session(ws: "Workspace", monkeypatch: pytest.MonkeyPatch) -> None:
    table = create(ws, DOUBTED)
    ws.sql(QUERIES["keys that might move"], name="out")
    table.caveats.acknowledge(table.caveats.list(row=4)[0])
    known = marks(ws["out"])
    ws.close()
    with whence.open(ws.path) as again:
        monkeypatch.setattr(Engine, "recall", lambda *_: pytest.fail("it was kept"))
        assert marks(again["out"]) == known


def test_without_the_query_a_mark_stays_as_long_as_something_can_reach_it(ws: "Workspace") -> None:
    table = create(ws, [(0, "x", "a"), (0, "y", "b")])
    both = "x > 100 and y > 100 as both"
    ws.dataset(table.df.selectExpr(both), name="frame")
    ws.sql(f"select {both} from t", name="query")
    ws.close()
    with whence.open(ws.path) as again:
        again["t"].caveats.acknowledge(again["t"].caveats.list(column="x")[0])
        assert [marks(again[name])[0]["both"] for name in ("frame", "query")] == [True, False]


def test_caveats_of_the_query_itself_can_be_settled(ws: "Workspace") -> None:
    create(ws, [(1, "y", "b")])
    ds = ws.sql("select k, sum(caveat_if(x, x > 3, 'large')) s, max(y) top from t group by k order by k", name="out")
    assert [each["s"] for each in marks(ds)] == [False, True, True]
    ds.caveats.acknowledge(next(group for group in ds.caveats.list() if group.message == "large"))
    assert [(each["s"], each["top"]) for each in marks(ds)] == [(False, True), (False, False), (False, False)]


def test_what_was_made_after_acknowledging_is_in_doubt_again_once_that_is_revoked(ws: "Workspace") -> None:
    table = create(ws, [(0, "x", "a"), (1, "y", "b")])
    table.caveats.acknowledge(table.caveats.list(column="x")[0])
    sums = ws.sql("select k, sum(x) s, max(y) top from t group by k order by k", name="sums")
    large = ws.sql("select s from sums where s > 2 order by s", name="large")
    assert [(each["s"], each["top"]) for each in marks(sums)] == [(False, True), (False, False), (False, False)]
    assert not any(each["_row"] for each in marks(large))
    table.caveats.revoke(table.caveats.list(column="x")[0])
    assert [(each["s"], each["top"]) for each in marks(sums)] == [(True, True), (False, False), (False, False)]
    assert [each["_row"] for each in marks(large)] == [True, False, False]
    assert [group.message for group in sums.caveats.list(row=0, column="s")] == ["a"]
