"""Ranges that caveats state, and the bounds that follow from them in results."""

from datetime import date
from typing import TYPE_CHECKING

import pytest

import whence
from whence.caveats.stored_ranges import StoredRanges
from whence.model.errors import BadInput, UserError
from whence.store.doctor import doctor

if TYPE_CHECKING:
    from pathlib import Path

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
                  coalesce(x, 7) as filled, x / 2 as half, pow(x, 2) as square,
                  sin(x) as wave from payments""",
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
    square, wave = (made.caveats.bounds(1, name) for name in ("square", "wave"))
    assert (square.low, square.high, square.why) == (1296, 7396, "")
    assert (wave.low, wave.high, wave.why) == (None, None, "No rule bounds the function sin.")
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
    # Ranges settle the condition, so the bounds come from a run of their own.
    doubled = ws.sql("select k, x * 2 as y from payments where x > 0", name="doubled")
    more = ws.sql("select y + 1 as z from doubled where y > 0", name="more")
    assert (told(doubled, "y")[1], told(more, "z")[1]) == (("72 (between 72 and 172)",), ("73 (between 73 and 173)",))
    ws.close()
    kept = [path for path in (ws.path / "tmp" / "ranges").rglob("*.parquet") if path.is_file()]
    assert len(kept) > 2
    for path in kept:
        content = bytearray(path.read_bytes())
        content[len(content) // 3] ^= 1
        path.write_bytes(content)
    with whence.open(ws.path) as again:
        assert len([sentence for sentence in doctor(again._context.store) if "ranges" in sentence]) > 2
        assert told(again["more"], "z")[1] == ("73 (between 73 and 173)",)
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


def test_alternatives_span_a_range_and_may_leave_a_value_out(ws: "Workspace") -> None:
    plain = ws.create("plain", [(1, "a"), (5, "b")], schema="x bigint, s string")
    made = ws.sql("select caveat_if(x, x > 2, 'why', array(9, 4)) x, caveat(s, 'why', array(s, NULL)) s from plain")
    assert told(made, "x") == [("1",), ("5 (between 4 and 9)",)]
    letter = made.caveats.bounds(1, "s")
    assert (letter.low, letter.high, letter.may_be_missing) == ("b", "b", True)
    assert not made.caveats.bounds(1, "x").may_be_missing
    within = ws.sql(
        "select sum(caveat(x, 'why', array(0, 20, NULL))) t, count(caveat(x, 'why', array(x, NULL))) n from plain"
    )
    assert told(within, "t", "n") == [("6 (between 0 and 40, or missing)", "2 (between 0 and 2)")]
    frame = ws.dataset(plain.df.select(whence.caveat("x", "why", among=[7, None])), name="frame")
    assert told(frame, "x") == [("1 (between 1 and 7, or missing)",), ("5 (between 5 and 7, or missing)",)]
    with pytest.raises(UserError, match="a range or alternatives, not both"):
        whence.caveat("x", "why", 1, 2, among=[3])
    with pytest.raises(UserError, match="Alternatives are given as one array"):
        ws.sql("select caveat(x, 'why', 3) from plain", name="wrong")


def test_shorthands_of_conditions_have_bounds(ws: "Workspace") -> None:
    payments(ws)
    made = ws.sql(
        "select nullif(x, 36) other, nullif(x, 5) never, x between 30 and 90 inside, x between 40 and 90 open "
        "from payments",
        name="made",
    )
    assert told(made, "never", "inside", "open")[1] == (
        "36 (between 36 and 86)",
        "True",
        "False (between False and True, or missing)",
    )
    other = made.caveats.bounds(1, "other")
    assert (other.low, other.high, other.may_be_missing) == (36, 86, True)
    kept = ws.sql("select count(*) n, sum(x) s from payments where x between 30 and 90", name="kept")
    assert told(kept, "n", "s") == [("1", "36 (between 36 and 86)")]


def test_a_run_stores_in_which_columns_no_doubtful_cell_may_be_missing(ws: "Workspace") -> None:
    ws.create("plain", [(1, None), (5, 2), (6, 3)], schema="x bigint, y bigint")
    made = ws.sql(
        "select caveat_if(x, x > 2, 'why', 4, 9) x, caveat_if(y, y is null, 'why', 4, 9) y, "
        "caveat_if(y, y = 3, 'why', 4, 9) z from plain",
        name="made",
    )
    stored = StoredRanges.of(made._context.store, made.record)
    assert stored is not None
    assert stored.positions == (0, 1, 2)
    assert stored.never_missing == (0, 2)
    means = ws.sql("select avg(x) a, avg(y) b, avg(z) c, sum(y) t from made", name="means")
    assert told(means, "a", "b", "c", "t") == [
        (
            "4.0 (between 3.0 and 6.333333333333333)",
            "2.5 (between 2.5 and 4.666666666666667)",
            "2.5 (between 2.5 and 5.5)",
            "5 (between 5 and 14)",
        )
    ]


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


def test_a_range_about_a_dataset_outlives_the_session(ws: "Workspace") -> None:
    ws.create("days", [(1, date(2024, 1, 5)), (2, None)], schema="x int, d date")
    ws["days"].caveat("x = 1", "d", "the five is smudged", low=date(2024, 1, 3), high=date(2024, 1, 8))
    ws.sql("select date_add(d, 1) as later from days", name="later")
    ws.close()
    with whence.open(ws.path) as again:
        assert told(again["days"], "d")[0] == ("2024-01-05 (between 2024-01-03 and 2024-01-08)",)
        assert told(again["later"], "later")[0] == ("2024-01-06 (between 2024-01-04 and 2024-01-09)",)


def test_a_reload_keeps_ranges(ws: "Workspace", tmp_path: "Path") -> None:
    file = tmp_path / "ages.csv"
    file.write_text("name,age\nAda,36\nBob,40\n")
    ws.load(file, key="name").caveat("name = 'Ada'", "age", "36 or 86", low=36, high=86)
    file.write_text("name,age\nEva,1\nAda,36\nBob,40\n")
    again = ws.reload("ages")
    assert told(again, "age") == [("1",), ("36 (between 36 and 86)",), ("40",)]


def test_transformations_state_what_a_cell_could_be_instead(ws: "Workspace") -> None:
    ws.create("raw", [("3/4/2024", "1,234"), ("25/12/2024", "1.5"), ("13/2/2024", "2.5")], schema="d string, a string")
    dates = ws.lens("parse_dates", ws["raw"], column="d")
    assert told(dates, "d") == [("2024-04-03 (between 2024-03-04 and 2024-04-03)",), ("2024-12-25",), ("2024-02-13",)]
    numbers = ws.lens("parse_numbers", ws["raw"], column="a")
    assert [bounds.low for bounds in (numbers.caveats.bounds(0, "a"),)] == [1.234]
    names = ws.create("names", [("Acme Ltd",), ("Acme Ltd",), ("acme ltd.",)], schema="name string")
    merged = ws.lens("standardise", names, column="name")
    assert told(merged, "name")[2] == ("Acme Ltd (between Acme Ltd and acme ltd.)",)


def test_the_observed_range_is_an_assumption_that_must_be_asked_for(ws: "Workspace") -> None:
    ages = ws.create("ages", [(36,), (40,), (None,)], schema="age int")
    assert told(ws.lens("impute", ages, column="age", name="open"), "age")[2] == ("38 (could be anything)",)
    filled = ws.lens("impute", ages, column="age", range="observed", name="filled")
    assert told(filled, "age")[2] == ("38 (between 36 and 40)",)
    (caveat,) = filled.caveats.list()
    assert caveat.message.endswith("It is assumed to lie between 36 and 40, as all that age holds.")


def test_a_value_that_fails_a_check_should_lie_in_its_range(ws: "Workspace") -> None:
    ages = ws.create("ages", [(36,), (400,)], schema="age int")
    checked = ws.expect(ages, [whence.Check("between", "age", 0, 120)])
    assert told(checked.dataset, "age") == [("36",), ("400 (between 0 and 400)",)]


def test_windows_are_bounded_by_what_their_frames_may_hold(ws: "Workspace") -> None:
    ws.create("t", [(1, 10), (2, 4), (3, 1)], schema="i int, x int", cell_caveats=[(1, "x", "why", (1, 6))])
    over = "over (order by i rows between 1 preceding and current row)"
    made = ws.sql(
        f"select sum(x) {over} s, max(x) {over} m, lag(x) over (order by i) before, "
        "row_number() over (order by i) n, rank() over (order by x) r from t order by i",
        name="made",
    )
    assert told(made, "s", "m", "before", "n", "r") == [
        ("10", "10", "missing", "1", "3 (between 1 and 3)"),
        ("14 (between 11 and 16)", "10", "10", "2", "2 (between 1 and 3)"),
        ("5 (between 2 and 7)", "4 (between 1 and 6)", "4 (between 1 and 6, or missing)", "3", "1 (between 1 and 3)"),
    ]


def test_groups_over_keys_in_doubt_count_who_may_come_and_go(ws: "Workspace") -> None:
    rows = [(1, 10), (1, 4), (2, 1), (7, 3)]
    ws.create("t", rows, schema="k int, x int", cell_caveats=[(1, "k", "1 or 2", (1, 2))])
    groups = ws.sql("select k, count(*) n, sum(x) s, min(x) m from t group by k order by k", name="groups")
    assert told(groups, "n", "s", "m") == [
        ("2 (between 1 and 2)", "14 (between 10 and 14)", "4 (between 4 and 10)"),
        ("1 (between 1 and 2)", "1 (between 1 and 5)", "1"),
        ("1", "3", "3"),
    ]


def test_dates_lie_where_their_ends_do(ws: "Workspace") -> None:
    days = ws.create("days", [("2024-01-31",)], schema="d string")
    ws.sql("select caveat(cast(d as date), 'why', date'2024-01-20', date'2024-02-03') d from days", name="doubted")
    made = ws.sql(
        "select year(d) y, month(d) m, day(d) day, trunc(d, 'MM') t, date_add(d, 3) a, "
        "datediff(d, date'2024-01-01') n, least(d, date'2024-02-01') least, left(cast(d as string), 4) text "
        "from doubted",
        name="made",
    )
    assert told(made, "y", "m", "day", "t", "a", "n", "least", "text") == [
        (
            "2024",
            "1 (between 1 and 2)",
            "31 (between 1 and 31)",
            "2024-01-01 (between 2024-01-01 and 2024-02-01)",
            "2024-02-03 (between 2024-01-23 and 2024-02-06)",
            "30 (between 19 and 33)",
            "2024-01-31 (between 2024-01-20 and 2024-02-01)",
            "2024 (could be anything)",
        )
    ]
    assert days.count == 1


def test_ranges_of_frames_hold_after_reopening(ws: "Workspace") -> None:
    plain = ws.create("plain", [(1,), (5,)], schema="x bigint")
    ws.dataset(plain.df.select(whence.caveat("x", "why", 0, 6)), name="frame")
    ws.close()
    with whence.open(ws.path) as again:
        assert told(again["frame"], "x") == [("1 (between 0 and 6)",), ("5 (between 0 and 6)",)]
        total = again.sql("select sum(x) as total from frame", name="total")
        assert again._context.readers.bounds.are_at_hand(total.record)
        assert told(total, "total") == [("6 (between 0 and 12)",)]


def test_ranges_of_checks_hold_after_reopening(ws: "Workspace") -> None:
    ws.create("ages", [(34,), (340,)], schema="age bigint")
    ws.expect("ages", [whence.Check("between", "age", 0, 120)], name="checked")
    ws.close()
    with whence.open(ws.path) as again:
        assert told(again["checked"], "age") == [("34",), ("340 (between 0 and 340)",)]
        total = again.sql("select sum(age) as total from checked", name="total")
        assert told(total, "total") == [("374 (between 34 and 374)",)]


def test_ends_that_overflow_leave_the_result_as_it_is(ws: "Workspace") -> None:
    most = 2**63 - 1
    ws.create("large", [(1,)], schema="x bigint", cell_caveats=[(0, "x", "why", (1, most))])
    more = ws.sql("select x + 1 as y from large", name="more")
    assert told(more, "y") == [("2 (at least 2)",)]
    assert more.caveats.marks().column("y").to_pylist() == [True]
