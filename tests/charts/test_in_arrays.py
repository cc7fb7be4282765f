"""Marks of large datasets, computed from files without Spark, are those that Spark computes, with the same rows."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import whence
from whence.derive import run_in_arrays as stage
from whence.engine import run_in_arrays as arrays
from whence.engine.array_expressions import ArrayExpressions
from whence.engine.array_groups import GroupedNumbers
from whence.engine.array_values import FUNCTIONS, ArrayValues, NotInArrays
from whence.lineage import deferred_lineage
from whence.model.schema import Schema
from whence.plan.expr import Column as PlanColumn
from whence.plan.expr import call, literal, ref
from whence.plan.grouped_query import GroupedQuery
from whence.store.reports import read_reports
from whence.store.store import Store

ROWS = 120_000
SPECS: dict[str, dict[str, object]] = {
    "bins": {"aes": {"x": "value"}, "stat": {"type": "bin", "bins": 30}},
    "round bins by series": {"aes": {"x": "second", "color": "flag"}, "stat": {"type": "bin", "maxbins": 20}},
    "bins of whole numbers": {"aes": {"x": "n"}, "stat": {"type": "bin", "bins": 7}},
    "bins of days": {"aes": {"x": "day"}, "stat": {"type": "bin", "bins": 12}},
    "bins of times": {"aes": {"x": "at"}, "stat": {"type": "bin", "bins": 12}},
    "counts": {"aes": {"x": "shop"}, "geom": "bar"},
    "sums": {"aes": {"x": "shop", "y": "value"}, "stat": "sum", "geom": "bar"},
    "sums of whole numbers": {"aes": {"x": "shop", "y": "n"}, "stat": "sum", "geom": "bar"},
    "sums of expressions": {"aes": {"x": "shop", "y": {"sql": "value / 100"}}, "stat": "sum", "geom": "bar"},
    "means by series": {"aes": {"x": "shop", "y": "value", "color": "flag"}, "stat": "mean", "geom": "bar"},
    "means in panels": {"facet": {"x": "flag"}, "aes": {"x": "shop", "y": "value"}, "stat": "mean", "geom": "bar"},
    "a line of means": {"aes": {"x": "n", "y": "second"}, "stat": "mean", "geom": "line"},
    "maxima": {"aes": {"x": "n", "y": "second"}, "stat": "max", "geom": "bar"},
    "minima": {"aes": {"x": "shop", "y": "n"}, "stat": "min", "geom": "bar"},
    "deviations": {"aes": {"x": "shop", "y": "n"}, "stat": "stddev", "geom": "bar"},
    "medians": {"aes": {"x": "shop", "y": "value"}, "stat": "median", "geom": "bar"},
    "quantiles": {"aes": {"x": "shop", "y": "n"}, "stat": {"type": "quantile", "q": 0.9}, "geom": "bar"},
    "boxes": {"aes": {"x": "shop", "y": "second"}, "geom": {"type": "box", "outliers": False}},
    "squares": {"aes": {"x": "value", "y": "second"}, "geom": "point"},
    "hexagons": {"aes": {"x": "value", "y": "second", "color": "n"}, "stat": "hexbin"},
    "cells": {"aes": {"x": "shop", "y": "n"}, "geom": "cell"},
    "some rows": {
        "data": {"where": [{"column": "shop", "in": ["é", "shop 1"]}, {"column": "value", "between": [2, 20]}]},
        "aes": {"x": "shop", "y": "value"},
        "stat": "sum",
        "geom": "bar",
    },
}


def table() -> pa.Table:
    """Values of every kind, some missing; some values of `second` are alone in their shop."""
    chance = np.random.default_rng(8)

    def some(values: np.ndarray) -> pa.Array:
        return pa.array(values, mask=chance.random(ROWS) < 0.02)

    shops = np.array([*(f"shop {number}" for number in range(9)), "é", "Z", "a"])
    start = np.datetime64("2020-01-01T00:00:00", "us")
    return pa.table(
        {
            "shop": some(shops[chance.integers(0, len(shops), ROWS)]),
            "value": some(chance.gamma(2.0, 10.0, ROWS)),
            "second": some(chance.normal(0, 5, ROWS)),
            "n": some(chance.integers(-5, 30, ROWS)),
            "flag": some(chance.integers(0, 2, ROWS).astype(bool)),
            "day": pa.array((start + chance.integers(0, 900, ROWS) * np.timedelta64(1, "D")).astype("datetime64[D]")),
            "at": pa.array(start + chance.integers(0, 10**13, ROWS), pa.timestamp("us", "UTC")),
        }
    )


@pytest.fixture(scope="module")
def sold(tmp_path_factory: pytest.TempPathFactory) -> Iterator[whence.Dataset]:
    """The table as a dataset."""
    with whence.open(tmp_path_factory.mktemp("arrays") / "w.whence") as ws:
        yield ws.create("t", table())


def same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other


SOME = ("bins", "means by series", "medians", "boxes", "hexagons", "some rows")
"""Charts that are compared in each run; the others in long ones."""


@pytest.mark.spark
@pytest.mark.parametrize(
    "name", [each if each in SOME else pytest.param(each, marks=pytest.mark.long) for each in SPECS]
)
def test_marks_and_their_rows_are_those_of_spark(
    sold: whence.Dataset, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = sold.chart(SPECS[name], name=f"own_{name}".replace(" ", "_"))
    made: list[pa.Table | None] = []

    def run_in_arrays(store: Store, query: GroupedQuery, schema: Schema) -> pa.Table | None:
        made.append(arrays.run_in_arrays(store, query, schema))
        return made[-1]

    monkeypatch.setattr(stage, "run_in_arrays", run_in_arrays)
    found = own.marks.to_arrow()
    assert [table is not None for table in made] == [True]
    monkeypatch.setattr(stage, "run_in_arrays", lambda *_: None)
    monkeypatch.setattr(deferred_lineage, "find_groups_in_arrays", lambda *_: None)
    by_spark = sold.chart(SPECS[name], name=f"spark_{name}".replace(" ", "_"))
    wanted = by_spark.marks.to_arrow()
    assert found.schema == wanted.schema
    assert len(found) == len(wanted) > 1
    for one, other in zip(found.to_pylist(), wanted.to_pylist(), strict=True):
        assert all(same(one[key], other[key]) for key in other), (one, other)
    by_spark.marks.lineage.wait()
    places = [0, len(found) // 2, len(found) - 1]
    rows = [by_spark.marks.lineage.backward([place], to="t").ids.tolist() for place in places]
    monkeypatch.undo()
    own.marks.lineage.wait()
    assert [own.marks.lineage.backward([place], to="t").ids.tolist() for place in places] == rows


@pytest.mark.spark
def test_sums_and_their_rows_are_those_of_duckdb_also_after_reopening(tmp_path: Path) -> None:
    given = table()
    spec = {"aes": {"x": "shop", "y": "value"}, "stat": "sum", "geom": "bar"}
    with whence.open(tmp_path / "w.whence") as ws:
        marks = ws.create("t", given).chart(spec, name="sums").marks
        assert marks.lineage.strategy.startswith("defer")
    with duckdb.connect() as connection, whence.open(tmp_path / "w.whence") as again:
        connection.register("t", given)
        asked = "select shop, sum(value), count(*) from t where shop is not null group by shop"
        wanted = {shop: (total, count) for shop, total, count in connection.sql(asked).fetchall()}
        marks = again["sums"]
        shown = marks.to_arrow().to_pylist()
        for place, row in enumerate(shown):
            if row["x"] is not None:
                total, count = wanted.pop(row["x"])
                assert math.isclose(row["y"], total, rel_tol=1e-9)
                assert marks.lineage.backward([place], to="t").count == count
        assert not wanted


@pytest.mark.spark
def test_a_value_in_doubt_leaves_its_mark_in_doubt(tmp_path: Path) -> None:
    given = pa.table({"k": [number % 4 for number in range(ROWS)], "v": [1.0] * ROWS})
    with whence.open(tmp_path / "w.whence") as ws:
        data = ws.create("t", given, cell_caveats=[(6, "v", "smudged")])
        marks = data.chart({"aes": {"x": "k", "y": "v"}, "stat": "sum", "geom": "bar"}, name="c").marks
        assert marks.caveats.marks().column("y").to_pylist() == [False, False, True, False]
        assert marks.to_arrow().column("y").to_pylist() == [ROWS / 4] * 4


@pytest.mark.spark
def test_what_arrays_do_not_know_is_left_to_spark(tmp_path: Path) -> None:
    given = pa.table({"k": [number % 4 for number in range(ROWS)], "v": [math.nan, *[1.0] * (ROWS - 1)]})
    with whence.open(tmp_path / "w.whence") as ws:
        data = ws.create("t", given)
        nans = data.chart({"aes": {"x": "k", "y": "v"}, "stat": "max", "geom": "bar"}, name="nans").marks
        kinds = data.chart({"aes": {"x": "k", "y": "v"}, "stat": "distinct", "geom": "bar"}, name="kinds").marks
        assert nans.to_arrow().column("y").to_pylist() == [1.0] * 4
        assert kinds.to_arrow().column("y").to_pylist() == [1] * 4


@pytest.mark.spark
@pytest.mark.parametrize("condition", ["s = t", "s in (t, 'c')"])
def test_columns_of_text_are_compared_row_by_row(tmp_path: Path, condition: str) -> None:
    given = pa.table({"s": ["a", "b", "c"] * (ROWS // 3), "t": ["a", "x", "c"] * (ROWS // 3)})
    with whence.open(tmp_path / "w.whence") as ws:
        spec = {"data": {"where": condition}, "aes": {"x": "s"}, "geom": "bar"}
        marks = ws.create("t", given).chart(spec, name="agree").marks
        assert [(row["x"], row["y"]) for row in marks.to_arrow().to_pylist()] == [("a", ROWS // 3), ("c", ROWS // 3)]


@pytest.mark.spark
def test_a_fault_of_arrays_leaves_the_marks_to_spark_and_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(stage, "run_in_arrays", fail)
    given = pa.table({"k": [number % 4 for number in range(ROWS)]})
    with whence.open(tmp_path / "w.whence") as ws:
        ws._context.engine.raises_internal_errors = False
        marks = ws.create("t", given).chart({"aes": {"x": "k"}, "geom": "bar"}, name="c").marks
        assert marks.to_arrow().column("y").to_pylist() == [ROWS // 4] * 4
        assert marks.lineage.exact
        (report,) = read_reports(ws._context.store.layout)
        assert (report.content["stage"], report.content["error"]) == ("run", "ZeroDivisionError")


def numbers(*values: float | None) -> ArrayValues:
    there = [value is not None for value in values]
    return ArrayValues(np.array([value or 0.0 for value in values]), "double", np.array(there))


def listed(values: ArrayValues) -> list[object]:
    return [
        value if there else None for value, there in zip(values.numbers.tolist(), values.is_valid.tolist(), strict=True)
    ]


def test_truth_values_are_those_of_sql() -> None:
    three = (True, False, None)
    pairs = [(one, other) for one in three for other in three]
    left, right = (
        ArrayValues(np.array([each is True for each in side]), "boolean", np.array([each is not None for each in side]))
        for side in zip(*pairs, strict=True)
    )
    with duckdb.connect() as connection:
        for name in ("and", "or"):
            wanted = [
                connection.execute(f"select cast(? as boolean) {name} cast(? as boolean)", pair).fetchone()
                for pair in pairs
            ]
            assert [(each,) for each in listed(FUNCTIONS[name](left, right))] == wanted
        refused = [connection.execute("select not cast(? as boolean)", [one]).fetchone() for one, _ in pairs]
        assert [(each,) for each in listed(FUNCTIONS["not"](left))] == refused


def test_functions_round_and_pass_over_nulls_as_sql_does() -> None:
    values = numbers(0.5, -0.5, 1.5, -2.5, 0.49999999999999994, 2.4, None)
    zero = ArrayValues(np.asarray(0), "int")
    assert listed(FUNCTIONS["round"](values, zero)) == [1.0, -1.0, 2.0, -3.0, 0.0, 2.0, None]
    assert listed(FUNCTIONS["floor"](values)) == [0, -1, 1, -3, 0, 2, None]
    assert listed(FUNCTIONS["least"](values, numbers(1, 1, 1, 1, None, None, 3))) == [
        0.5, -0.5, 1.0, -2.5, 0.49999999999999994, 2.4, 3.0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("floor", (numbers(1e300),)),
        ("divide", (numbers(1.0), numbers(0.0))),
        ("pow", (numbers(2.0), ArrayValues(np.asarray(0.5), "double"))),
        ("multiply", (ArrayValues(np.array([2**40]), "bigint"), ArrayValues(np.array([2**40]), "bigint"))),
        ("add", (numbers(1.0), ArrayValues(np.array([1]), "bigint"))),
    ],
)
def test_what_might_differ_from_spark_is_not_computed(name: str, args: tuple[ArrayValues, ...]) -> None:
    with pytest.raises(NotInArrays):
        FUNCTIONS[name](*args)


def test_an_expression_without_a_rule_is_not_computed() -> None:
    column = ref(PlanColumn(1, "x", "double"))
    values = ArrayExpressions({column: numbers(1.0)})
    assert listed(values.evaluate(call("add", column, literal(2.0, "double")))) == [3.0]
    with pytest.raises(NotInArrays):
        values.evaluate(call("sin", column))


def test_aggregates_are_those_of_plain_python() -> None:
    chance = np.random.default_rng(3)
    for _ in range(50):
        size, count = int(chance.integers(1, 60)), int(chance.integers(1, 6))
        groups = chance.integers(0, count, size).astype(np.int32)
        data, there = np.round(chance.normal(0, 9, size), 1), chance.random(size) < 0.9
        grouped = GroupedNumbers(groups, count, ArrayValues(data, "double", there))
        bounds = np.round(chance.normal(0, 5, count), 1)
        members = [data[(groups == each) & there].tolist() for each in range(count)]

        def check(found: ArrayValues, wanted: list[object]) -> None:
            assert all(map(same, listed(found), wanted)), (listed(found), wanted)

        check(grouped.total(), [math.fsum(each) if each else None for each in members])
        check(grouped.mean(), [statistics.fmean(each) if each else None for each in members])
        check(grouped.least(), [min(each, default=None) for each in members])
        check(grouped.greatest(), [max(each, default=None) for each in members])
        check(grouped.variance(), [statistics.variance(each) if len(each) > 1 else None for each in members])
        check(grouped.percentile(0.5), [statistics.median(each) if each else None for each in members])
        check(grouped.percentile(0.3), [float(np.quantile(each, 0.3)) if each else None for each in members])
        ends = ArrayValues(bounds, "double")
        pairs = list(zip(members, bounds.tolist(), strict=True))
        check(grouped.first_from(ends), [min((v for v in each if v >= b), default=None) for each, b in pairs])
        check(grouped.last_up_to(ends), [max((v for v in each if v <= b), default=None) for each, b in pairs])
