"""`whence.explain` from a query's result back to its rows, through joins and several steps."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pytest

import whence

SCHEMA = "day int, state string, price double, n int"


@pytest.fixture
def sold(ws: whence.Workspace) -> whence.Dataset:
    """Five days; on days 3 and 4 the prices of MA are ten times too high."""
    random = np.random.default_rng(0)
    rows = []
    for day in range(5):
        for _ in range(60):
            state = str(random.choice(["CA", "MA", "WA", "TX"]))
            price = float(random.uniform(5, 15)) * (10 if day >= 3 and state == "MA" else 1)
            rows.append((day, state, price, int(random.integers(1, 4))))
    return ws.create("sold", rows, schema=SCHEMA)


AGGREGATES: dict[str, Callable[[list[tuple[str, float, int]]], float]] = {
    "sum(price)": lambda rows: sum(price for _, price, _ in rows),
    "avg(price)": lambda rows: statistics.fmean(price for _, price, _ in rows),
    "stddev(price)": lambda rows: statistics.stdev(price for _, price, _ in rows),
    "variance(price)": lambda rows: statistics.variance(price for _, price, _ in rows),
    "max(price)": lambda rows: max(price for _, price, _ in rows),
    "percentile(price, 0.9)": lambda rows: float(np.quantile([price for _, price, _ in rows], 0.9)),
    "sum(price * n) / sum(n)": lambda rows: sum(p * n for _, p, n in rows) / sum(n for _, _, n in rows),
    "round(avg(price), 1)": lambda rows: round(statistics.fmean(price for _, price, _ in rows), 1),
    "sum(price) filter (where n > 1)": lambda rows: sum(price for _, price, n in rows if n > 1),
    "sum(case when n > 1 then price else 0 end)": lambda rows: sum(price for _, price, n in rows if n > 1),
}


def test_every_aggregate_of_a_query_is_read_and_its_effect_is_right(ws: whence.Workspace, sold: whence.Dataset) -> None:
    names = {f"a{number}": text for number, text in enumerate(AGGREGATES)}
    listed = ", ".join(f"{text} as {name}" for name, text in names.items())
    daily = ws.sql(f"select day, {listed} from sold group by day order by day", name="daily")
    table = sold.to_pandas()
    for name, text in names.items():
        found = whence.explain(daily, column=name, outliers=[3, 4], holdouts=[0, 1, 2], attributes=["state"])
        answer = found[0]
        assert answer.predicate.sql == "state = 'MA'", text
        assert answer.rows.ids.tolist() == table.index[(table.state == "MA") & (table.day >= 3)].tolist()
        for effect in answer.effect:
            left = table[(table.day == effect.row) & (table.state != "MA")]
            rows = list(zip(left.state, left.price, left.n, strict=True))
            assert effect.after == pytest.approx(AGGREGATES[text](rows)), text
            assert effect.role == ("outlier" if effect.row >= 3 else "holdout")


def test_answers_come_through_joins_and_several_steps(ws: whence.Workspace, sold: whence.Dataset) -> None:
    ws.create(
        "states", [("CA", "west"), ("WA", "west"), ("MA", "east"), ("TX", "south")], schema="state string, part string"
    )
    joined = ws.sql(
        "select day, sum(price) s from sold join states using (state) group by day order by day", name="joined"
    )
    found = joined.explain("s", outliers=[3, 4], holdouts=[0, 1, 2])
    told = [found[0].predicate.sql, *(each.sql for each in found[0].alternatives)]
    assert "state = 'MA'" in told
    assert "part = 'east'" in told
    ws.sql("select day, price * 2 as twice from sold where price > 1", name="thin")  # the state is gone
    ws.sql("select day, avg(twice) t from thin group by day order by day", name="steps")
    top = ws.sql("select day, t from steps where day > 0", name="top")
    found = whence.explain(top, "t", outliers=[2, 3], holdouts=[0, 1], direction="high")
    assert found[0].predicate.sql == "state = 'MA'"
    assert found[0].rows.record.name == "thin"
    with pytest.raises(whence.WhenceError, match="state is not a column of thin"):
        found[0].as_filter("clean")


def test_an_answer_becomes_a_filter_a_label_or_a_caveat(ws: whence.Workspace, sold: whence.Dataset) -> None:
    daily = ws.sql("select day, avg(price) p from sold group by day order by day", name="daily")
    answer = whence.explain(daily, "p", outliers=[3, 4], holdouts=[0, 1, 2], attributes=["state"])[0]
    clean = answer.as_filter("clean")
    assert "MA" not in clean.to_pandas().state.tolist()
    assert clean.lineage.backward([0], to="sold").count == 1
    labelled = answer.as_label("labelled").to_pandas()
    assert (labelled.explained == (labelled.state == "MA")).all()
    doubted = answer.as_caveat("doubted")
    marks = doubted.caveats.marks().column("price").to_pylist()
    assert marks == (sold.to_pandas().state == "MA").tolist()
    assert "state is MA" in doubted.caveats.list()[0].message


def test_another_c_reads_nothing_again(
    ws: whence.Workspace, sold: whence.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    daily = ws.sql("select day, avg(price) p from sold group by day order by day", name="daily")
    found = whence.explain(daily, "p", outliers=[3, 4], holdouts=[0, 1, 2])
    monkeypatch.setattr("whence.store.store.Store.take", lambda *_: pytest.fail("read again"))
    again = found.at(c=0.2, lam=0.7)
    assert again[0].predicate.sql == "state = 'MA'"
    assert again[0].influence == pytest.approx(again[0].influence_at(0.2))


def test_the_answer_as_a_sentence_and_as_json(ws: whence.Workspace, sold: whence.Dataset) -> None:
    daily = ws.sql("select day, avg(price) p from sold group by day order by day", name="daily")
    found = whence.explain(
        daily, "p", outliers=[3, 4], holdouts="others", direction={3: 10.0, 4: 10.0}, attributes=["state"]
    )
    assert found[0].sentence.startswith("Without the ")
    assert "where state is MA, p goes from " in found[0].sentence
    content = json.loads(found.to_json())
    assert content["explanations"][0]["predicate"] == "state = 'MA'"
    assert content["left_out"]["day"] == "it is the group key"


def test_hours_and_weekdays_of_a_time_that_is_grouped_by_explain(ws: whence.Workspace) -> None:
    random = np.random.default_rng(2)
    start = datetime(2024, 3, 4, tzinfo=UTC)
    rows = []
    for day in range(12):
        for _ in range(120):
            at = start + timedelta(days=day, minutes=int(random.integers(0, 24 * 60)))
            is_odd = at.weekday() >= 5 and 9 <= at.hour <= 11
            rows.append((at, at.replace(tzinfo=None), at.date(), float(random.normal(10, 1)) + 60 * is_odd))
    ws.create("calls", rows, schema="at timestamp, wall timestamp_ntz, day date, wait double")
    daily = ws.sql(
        "select date_trunc('day', at) d, avg(wait) w from calls group by date_trunc('day', at) order by d", name="d"
    )
    found = whence.explain(daily, "w", outliers=[5, 6], holdouts="others", attributes=["hour(at)"], c=0.2)
    answer = found[0]
    assert answer.predicate.sql == "hour(at) BETWEEN 9 AND 11"
    assert "where the hour of at is from 9 to 11, w goes from" in answer.sentence
    assert answer.to_json()["clauses"] == [{"column": "at", "part": "hour", "low": 9.0, "high": 11.0}]
    assert found.attributes == ["hour(at)"]
    taken = [9 <= at.hour <= 11 for at, *_ in rows]
    assert answer.as_label("labelled").to_pandas().explained.tolist() == taken
    assert answer.as_filter("late").count == len(rows) - sum(taken)
    assert answer.as_caveat("doubted").caveats.marks().column("wait").to_pylist() == taken
    everything = whence.explain(daily, "w", outliers=[5, 6], holdouts="others")
    assert {"hour(at)", "hour(wall)"} <= set(everything.attributes)
    assert everything.left_out["at"] == "it is the group key"
    assert everything.left_out["weekday(at)"] == "it is the same within every group"
    weekly = ws.sql("select wait > 0 as ok, avg(wait) w from calls group by 1", name="weekly")
    wished = ["weekday(day)", "hour(wall)", "minute(at)"]
    one = whence.explain(weekly, "w", outliers=[0], attributes=wished, c=0.3)[0]
    assert one.predicate.sql == "weekday(day) IN (5, 6) AND hour(wall) BETWEEN 9 AND 11"
    expected = [at.weekday() >= 5 and 9 <= at.hour <= 11 for at, *_ in rows]
    assert one.as_label("ours").to_pandas().explained.tolist() == expected
    with pytest.raises(whence.WhenceError, match=r"hour\(day\) is no column"):
        whence.explain(weekly, "w", outliers=[0], attributes=["hour(day)"])


def test_hours_around_midnight_are_one_range_in_every_form(ws: whence.Workspace) -> None:
    random = np.random.default_rng(3)
    start = datetime(2024, 3, 4, tzinfo=UTC)
    moments = [
        start + timedelta(days=day, minutes=int(random.integers(0, 1440))) for day in range(6) for _ in range(150)
    ]
    is_night = [at.hour >= 22 or at.hour <= 4 for at in moments]
    rows = [
        (at, at.date(), float(random.normal(10, 1)) + 60 * (night and at.day >= 8))
        for at, night in zip(moments, is_night, strict=True)
    ]
    calls = ws.create("nights", rows, schema="at timestamp, day date, wait double")
    daily = ws.sql("select day, avg(wait) w from nights group by day order by day", name="by_day")
    answer = whence.explain(daily, "w", outliers=[4, 5], holdouts="others", attributes=["hour(at)"])[0]
    assert answer.predicate.sql == "(hour(at) >= 22 OR hour(at) <= 4)"
    assert "where the hour of at is from 22 to 4, w goes from" in answer.sentence
    assert answer.to_json()["clauses"] == [{"column": "at", "part": "hour", "low": 22.0, "high": 4.0}]
    assert answer.as_label("nightly").to_pandas().explained.tolist() == is_night
    assert answer.as_filter("daytime").count == calls.count - sum(is_night)
    asked = daily.question("w")
    assert asked.count(asked.predicate(answer.clauses)) == sum(is_night)


def test_a_function_of_ones_own_is_explained(ws: whence.Workspace, sold: whence.Dataset) -> None:
    daily = ws.sql("select day, kurtosis(price) k from sold group by day order by day", name="daily")
    with pytest.raises(whence.WhenceError, match="kurtosis has no rule"):
        whence.explain(daily, "k", outliers=[3], holdouts=[0])
    found = whence.explain(
        daily,
        "k",
        outliers=[3],
        holdouts=[0, 1, 2],
        measure="price",
        aggregate=lambda v: float(np.ptp(v)),
        attributes=["state"],
    )
    assert "'MA'" in found[0].predicate.sql
    assert found[0].effect[0].after < 15


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"outliers": []}, "Say which values look odd"),
        ({"outliers": [9]}, "has no row 9"),
        ({"outliers": [3], "holdouts": [3]}, "both as an outlier and as fine"),
        ({"outliers": [3], "direction": "odd"}, "A value cannot be 'odd'"),
        ({"outliers": [3, 4], "direction": {3: "high"}}, "says nothing about row 4"),
        ({"outliers": [3], "lam": 2}, "lam must lie between 0 and 1"),
        ({"outliers": [3], "c": -1}, "c must not be negative"),
        ({"outliers": [3], "method": "guess"}, "There is no method 'guess'"),
        ({"outliers": [3], "attributes": ["colour"]}, "colour is no column"),
        ({"outliers": [3], "column": "day"}, "is not an aggregate"),
        ({"outliers": [3], "column": "nope"}, "has no column nope"),
    ],
)
def test_bad_questions_get_one_sentence(
    ws: whence.Workspace, sold: whence.Dataset, arguments: dict[str, Any], message: str
) -> None:
    daily = ws.sql("select day, avg(price) p from sold group by day order by day", name="daily")
    with pytest.raises(whence.WhenceError, match=message):
        whence.explain(daily, **{"column": "p", **arguments})


def test_rows_that_were_loaded_and_aggregates_of_aggregates_are_refused(
    ws: whence.Workspace, sold: whence.Dataset
) -> None:
    with pytest.raises(whence.WhenceError, match="was loaded or created"):
        whence.explain(sold, "price", outliers=[3])
    nested = ws.sql("select avg(s) m from (select day, sum(price) s from sold group by day)", name="nested")
    with pytest.raises(whence.WhenceError, match="aggregates aggregates"):
        whence.explain(nested, "m", outliers=[0])


def test_a_preview_is_the_column_over_the_rows_that_are_left(ws: whence.Workspace) -> None:
    random = np.random.default_rng(5)
    rows = [
        (
            int(random.integers(0, 4)),
            None if random.random() < 0.1 else float(random.uniform(0, 9)),
            date(2024, 1, 1) + timedelta(days=int(random.integers(0, 30))),
            str(random.choice(["a", "b", "c"])) if random.random() < 0.9 else None,
            float(random.normal(50, 9)),
        )
        for _ in range(400)
    ]
    ws.create("readings", rows, schema="g int, heat double, day date, kind string, v double")
    means = ws.sql("select g, avg(v) m from readings group by g order by g", name="means")
    asked = means.question("m")
    first, last = (date(2024, 1, 5) - date(1970, 1, 1)).days, (date(2024, 1, 9) - date(1970, 1, 1)).days
    tried: dict[str, tuple[dict[str, object], Callable[[tuple[Any, ...]], bool]]] = {
        "heat": ({"low": 2.5, "high": 6.0}, lambda row: row[1] is not None and 2.5 <= row[1] <= 6),
        "day": ({"low": first, "high": last}, lambda row: date(2024, 1, 5) <= row[2] <= date(2024, 1, 9)),
        "kind": ({"values": ["a", None]}, lambda row: row[3] in ("a", None)),
    }
    for column, (clause, is_met) in tried.items():
        predicate = asked.predicate([{"column": column, **clause}])
        met = [row for row in rows if is_met(row)]
        assert asked.count(predicate) == len(met) > 0
        for keep in (False, True):
            kept = [row for row in rows if is_met(row) == keep]
            wanted = [statistics.fmean(row[4] for row in kept if row[0] == g) for g in range(4)]
            assert asked.preview(predicate, keep=keep) == pytest.approx(wanted), column
            cell: dict[str, Any] = asked.cells(predicate, keep=keep)["filter"]
            made = ws.run_cell(cell["kind"], **cell["values"])
            assert made.count == len(kept), column
    assert sum(bar.count for bar in asked.distribution("heat")) == sum(row[1] is not None for row in rows)
    assert sum(bar.count for bar in asked.distribution("kind")) == len(rows)
