"""Ranges that caveats state, and the bounds that follow from them in results."""

from typing import TYPE_CHECKING

import pytest

import whence
from whence.model.errors import BadInput, UserError
from whence.store.doctor import doctor

if TYPE_CHECKING:
    from whence import Dataset, Workspace

ROWS = [("a", 100), ("a", 36), ("b", 5), ("c", None)]


def payments(ws: "Workspace") -> "Dataset":
    doubts = [(1, "x", "36 or 86", (36, 86)), (3, "x", "not filled in", (1, 2))]
    return ws.create("payments", ROWS, schema="k string, x int", cell_caveats=doubts)


def told(ds: "Dataset", *columns: str) -> list[tuple[str, ...]]:
    return [tuple(str(ds.caveats.bounds(row, column)) for column in columns) for row in range(ds.count)]


def test_bounds_follow_expressions_and_groups(ws: "Workspace") -> None:
    payments(ws)
    made = ws.sql(
        """select x + 1 as more, -x as less, abs(x - 50) as far, case when x > 40 then 1 else 0 end as large,
                  coalesce(x, 7) as filled, x / 2 as half, pow(x, 2) as square from payments""",
        name="made",
    )
    assert told(made, "more", "less", "far", "large", "filled", "half")[1:4:2] == [
        (
            "37 (between 37 and 87)",
            "-36 (between -86 and -36)",
            "14 (between 0 and 36)",
            "0 (between 0 and 1)",
            "36 (between 36 and 86)",
            "18.0 (between 18.0 and 43.0)",
        ),
        (
            "missing (between 2 and 3)",
            "missing (between -2 and -1)",
            "missing (between 48 and 49)",
            "0",
            "7 (between 1 and 7)",
            "missing (between 0.5 and 1.0)",
        ),
    ]
    square = made.caveats.bounds(1, "square")
    assert (square.low, square.high, square.why) == (None, None, "No rule bounds the function pow.")
    groups = ws.sql(
        "select k, sum(x) s, count(*) n, count(x) c, min(x) low, max(x) top, avg(x) mean, sum(x) / count(*) ratio "
        "from payments where x > 1 or x is null group by k order by k",
        name="groups",
    )
    assert told(groups, "s", "n", "c", "low", "top", "mean", "ratio")[0] == (
        "136 (between 136 and 186)",
        "2",
        "2",
        "36 (between 36 and 86)",
        "100",
        "68.0 (between 68.0 and 93.0)",
        "68.0 (between 68.0 and 93.0)",
    )


def test_bounds_go_through_stored_datasets_and_are_kept(ws: "Workspace") -> None:
    payments(ws)
    ws.sql("select k, x * 2 as y from payments", name="doubled")
    total = ws.sql("select sum(y) as total from doubled", name="total")
    low, best, high = total.caveats.bounds(0, "total")
    assert (low, best, high) == (282, 282, 386)


def test_damaged_ranges_are_found_and_worked_out_again(ws: "Workspace") -> None:
    payments(ws)
    doubled = ws.sql("select k, x * 2 as y from payments", name="doubled")
    total = ws.sql("select sum(y) as total from doubled", name="total")
    assert (told(doubled, "y")[1], told(total, "total")) == (
        ("72 (between 72 and 172)",),
        [("282 (between 282 and 386)",)],
    )
    ws.close()
    kept = [path for path in (ws.path / "tmp" / "ranges").rglob("*.parquet") if path.is_file()]
    assert len(kept) > 2
    for path in kept:
        content = bytearray(path.read_bytes())
        content[len(content) // 3] ^= 1
        path.write_bytes(content)
    with whence.open(ws.path) as again:
        assert len([sentence for sentence in doctor(again._context.store) if "ranges" in sentence]) > 2
        assert told(again["total"], "total") == [("282 (between 282 and 386)",)]
        assert told(again["doubled"], "y")[1] == ("72 (between 72 and 172)",)
        assert doctor(again._context.store) == []


def test_acknowledging_leaves_the_best_guess(ws: "Workspace") -> None:
    source = payments(ws)
    total = ws.sql("select sum(x) as total from payments where k = 'a'", name="total")
    assert told(total, "total") == [("136 (between 136 and 186)",)]
    (group,) = source.caveats.list(row=1)
    source.caveats.acknowledge(group)
    assert told(total, "total") == [("136",)]


def test_ranges_are_stated_in_sql_frames_and_about_datasets(ws: "Workspace") -> None:
    plain = ws.create("plain", [(1,), (5,)], schema="x bigint")
    sql = ws.sql("select caveat_if(x, x > 2, 'why', 4, 9) as x, caveat(x, 'why', null, 7) as y from plain", name="sql")
    assert told(sql, "x", "y") == [("1", "1 (at most 7)"), ("5 (between 4 and 9)", "5 (at most 7)")]
    more = ws.sql("select caveat(x, 'why', 4, 9) + 1 as more from plain", name="more")
    assert told(more, "more") == [("2 (between 2 and 10)",), ("6 (between 5 and 10)",)]
    frame = ws.dataset(plain.df.select(whence.caveat("x", "why", 0, 6)), name="frame")
    assert told(frame, "x") == [("1 (between 0 and 6)",), ("5 (between 0 and 6)",)]
    stated = plain.caveat("x = 5", "x", "why", low=4, high=8)
    assert told(stated, "x") == [("1",), ("5 (between 4 and 8)",)]
    with pytest.raises(UserError, match="names no column"):
        plain.caveat("x = 5", None, "why", low=4)
    with pytest.raises(UserError, match="takes 2 values, or 4 with a range, not 3"):
        ws.sql("select caveat(x, 'why', 3) from plain", name="wrong")


def test_a_range_must_fit_its_column(ws: "Workspace") -> None:
    with pytest.raises(BadInput, match="'many' is no end of a range of column x"):
        ws.create("t", [(1,)], schema="x int", cell_caveats=[(0, "x", "why", ("many", None))])
    with pytest.raises(BadInput, match="No x lies between 5 and 3"):
        ws.create("t", [(1,)], schema="x int", cell_caveats=[(0, "x", "why", (5, 3))])


def test_a_cell_with_one_caveat_without_a_range_is_unknown(ws: "Workspace") -> None:
    two = ws.create(
        "two",
        [(2,), (2,)],
        schema="x int",
        cell_caveats=[(0, "x", "smudged", (1, 3)), (0, "x", "torn"), (1, "x", "smudged", (1, 3))],
    )
    assert told(two, "x") == [("2 (could be anything)",), ("2 (between 1 and 3)",)]
    summed = ws.sql("select sum(x) as s from two", name="summed")
    assert told(summed, "s") == [("4 (could be anything)",)]


def test_ends_that_overflow_or_divide_by_zero_are_unknown(ws: "Workspace") -> None:
    most = 2**63 - 1
    doubts = [(0, "x", "why", (1, most)), (1, "x", "why", (-1, 4))]
    ws.create("t", [(2,), (2,)], schema="x bigint", cell_caveats=doubts)
    made = ws.sql("select x + 1 as more, 8 / x as share from t", name="made")
    assert made.caveats.bounds(0, "more").low == 2
    assert made.caveats.bounds(0, "more").high is None
    assert told(made, "share")[1] == ("4.0 (could be anything)",)
    total = ws.sql("select sum(x) as total from t", name="total")
    assert told(total, "total") == [("4 (at least 0)",)]


def test_rows_that_might_be_missing_leave_aggregates_unknown(ws: "Workspace") -> None:
    kept = payments(ws).caveat(None, None, "the second page was lost")
    total = ws.sql(f"select sum(x) as total from {kept.name}", name="total")
    assert total.caveats.bounds(0, "total").high is None
