"""`bound_low` and `bound_high` in SQL and as Python functions: what they give, where, and when they say nothing."""

from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F  # noqa: N812 - the name every PySpark user knows

import whence

if TYPE_CHECKING:
    from whence import Dataset, Workspace

ROWS = [("a", 1, 2.0), ("a", 30, 1.0), ("b", 7, None), ("b", 5, 4.0)]


@pytest.fixture(autouse=True)
def _table(ws: "Workspace") -> None:
    ws.create(
        "t",
        ROWS,
        schema="k string, x int, y double",
        cell_caveats=[(1, "x", "smudged", (10, 90)), (2, "x", "torn"), (3, "y", "faint", (None, 5.0))],
    )


def pairs(ds: "Dataset") -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in ds.to_arrow().to_pylist()]


def test_certain_cells_give_the_value_and_unknown_ends_nothing(ws: "Workspace") -> None:
    ds = ws.sql("select bound_low(x), bound_high(x), bound_low(y), bound_high(y) from t")
    assert ds.columns == ["bound_low(x)", "bound_high(x)", "bound_low(y)", "bound_high(y)"]
    assert pairs(ds) == [(1, 1, 2.0, 2.0), (10, 90, 1.0, 1.0), (None, None, None, None), (5, 5, None, 5.0)]


def test_answers_are_certain_and_have_the_lineage_of_the_value(ws: "Workspace") -> None:
    ds = ws.sql("select bound_high(x) h from t")
    assert not any(ds.caveats.marks().column("h").to_pylist())
    assert [(each.dataset, each.row, each.column) for each in ds.lineage.cell(1, "h")] == [("t", 1, "x")]
    assert ds.caveats.list() == []


def test_expressions_groups_and_windows_are_followed(ws: "Workspace") -> None:
    ds = ws.sql(
        "select k, bound_low(sum(x)), bound_high(sum(x)), sum(bound_high(x)), bound_high(max(x) * 2), bound_low(k) "
        "from t group by k order by k"
    )
    assert pairs(ds) == [("a", 11, 91, 91, 180, "a"), ("b", None, None, 5, None, "b")]
    running = ws.sql("select bound_high(sum(x) over (order by y)) h from t where k = 'a' order by y")
    assert pairs(running) == [(90,), (91,)]
    kept = ws.sql("select x from t where bound_low(x) > 5")
    assert pairs(kept) == [(30,)]
    assert not kept.caveats.row_set


def test_the_ends_are_those_that_the_dataset_tells(ws: "Workspace") -> None:
    told = ws.sql("select k, sum(x) s, avg(x / 4) m, count(*) n from t where x > 0 group by k", name="told")
    ds = ws.sql("select k, bound_low(s), bound_high(s), bound_low(m), bound_high(m) from told order by k")
    for row, (key, *ends) in enumerate(pairs(ds)):
        known = [told.caveats.bounds(row, column) for column in ("s", "m")]
        assert (key, *ends) == (ROWS[2 * row][0], *(end for each in known for end in (each.low, each.high)))


def test_ranges_that_settle_which_rows_there_are_are_read_but_settle_nothing(ws: "Workspace") -> None:
    shown = ws.sql("select x, bound_low(x) low, bound_high(x) high from t where x > 6 order by x")
    assert pairs(shown) == [(7, None, None), (30, 10, 90)]
    assert shown.caveats.marks().column("_row").to_pylist() == [True, True]
    total = ws.sql("select bound_low(sum(x)) low, bound_high(sum(x)) high from t where k = 'a' and x > 6")
    plain = ws.sql("select sum(x) s from t where k = 'a' and x > 6", name="plain")
    assert pairs(total) == [(10, 90)]
    assert tuple(plain.caveats.bounds(0, "s")) == (10, 30, 90)


def test_python_functions_say_the_same(ws: "Workspace") -> None:
    frame = ws["t"].df
    by_call = ws.dataset(frame.select(whence.bound_low("x"), whence.bound_high(F.col("x") + 1).alias("h")), name="call")
    by_text = ws.dataset(frame.select(F.expr("bound_low(x)"), F.expr("bound_high(x + 1)").alias("h")), name="text")
    assert by_call.columns == by_text.columns == ["bound_low(x)", "h"]
    assert pairs(by_call) == pairs(by_text) == [(1, 2), (10, 91), (None, None), (5, 6)]


VALUES = [
    "cast(x as decimal(10,2))",
    "date_add(date '2020-01-01', x)",
    "x > 5",
    "cast(x as float)",
    "-x",
    "cast(x as long) div 2",
]


@pytest.mark.parametrize("value", VALUES)
def test_answers_have_the_type_of_the_value(ws: "Workspace", value: str) -> None:
    ds = ws.sql(f"select {value} v, bound_low({value}) low, bound_high({value}) high from t")
    assert len({field.type for field in ds.schema}) == 1
    values, low, high = (ds.to_arrow().column(name).to_pylist() for name in ("v", "low", "high"))
    assert low[1] <= values[1] <= high[1]
    assert low[0] == values[0] == high[0]


def test_an_accepted_doubt_has_no_range_any_more(ws: "Workspace") -> None:
    text = "select x, bound_high(x) h from t"
    before = ws.sql(text, name="before")
    ws["t"].caveats.acknowledge(next(each for each in ws["t"].caveats.list() if each.message == "smudged"))
    assert pairs(before)[1] == (30, 90)
    assert pairs(ws.sql(text, name="after"))[1] == (30, 30)


def test_a_query_that_asks_does_not_run_again_for_bounds(ws: "Workspace") -> None:
    ds = ws.sql("select x, bound_high(x) + y as both from t", name="asked")
    assert tuple(ds.caveats.bounds(1, "x")) == (10, 30, 90)
    assert tuple(ds.caveats.bounds(3, "both")) == (None, 9.0, 10.0)
    ws["t"].caveats.acknowledge(next(each for each in ws["t"].caveats.list() if each.message == "smudged"))
    found = ds.caveats.bounds(3, "both")
    assert tuple(found) == (None, 9.0, None)
    assert "asks for bounds itself" in found.why


def test_plain_spark_knows_no_ends(ws: "Workspace") -> None:
    rows = ws["t"].df.select(whence.bound_low("x").alias("low")).collect()
    assert [row.low for row in rows] == [None] * 4


def test_elements_of_arrays_in_doubt_have_no_ends(ws: "Workspace") -> None:
    ds = ws.sql("select transform(array(x, 1), e -> bound_low(e)) e, transform(array(7), e -> bound_low(e)) f from t")
    assert pairs(ds) == [([1, 1], [7]), ([None, None], [7]), ([None, None], [7]), ([5, 1], [7])]


def test_a_query_without_rules_is_refused(ws: "Workspace") -> None:
    whole = ws["t"].df.mapInPandas(lambda batches: batches, "k string, x int, y double", barrier=True)
    with pytest.raises(whence.WhenceError, match="cannot tell between which values"):
        ws.dataset(whole.select(whence.bound_low("x").alias("low")), name="coarse")
