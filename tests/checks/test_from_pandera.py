"""Schemas of pandera as checks: the rows that pandera itself finds on pandas are the rows that fail."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pandera.pandas as pa
import pandera.pyspark as ps
import pytest
from pyspark.sql import types as spark_types

import whence

SCHEMA = "id int, k string, x double, y bigint, day date, at timestamp_ntz, b boolean, d decimal(6,2), f float"
NAN = float("nan")


def random_rows(seed: int) -> list[tuple[object, ...]]:
    draw = random.Random(seed)
    texts = ["ab", "b\n", "Bo'nn", "12345", "1234\n", "", "a.b", "é", "x\\y", "\u0665", "😀"]
    return [
        (
            draw.randrange(12),
            draw.choice([None, *texts]),
            draw.choice([None, NAN, -1.5, 0.0, -0.0, 1.0, 2.5, 3.0, float("inf")]),
            draw.choice([None, -1, 0, 1, 2, 3, 4]),
            draw.choice([None, date(2026, 1, 1), date(2026, 1, 2), date(2026, 1, 3)]),
            draw.choice([None, datetime(2026, 1, 1), datetime(2026, 1, 1, 12), datetime(2026, 1, 2)]),
            draw.choice([True, False]),
            Decimal(draw.choice(["1.50", "2.00", "-3.25"])),
            draw.choice([None, 0.5, 0.1, 2.0]),
        )
        for _ in range(40)
    ]


def numbers(column: str) -> list[tuple[str, Any]]:
    make: list[Callable[..., Any]] = [pa.Check.ge, pa.Check.gt, pa.Check.le, pa.Check.lt, pa.Check.eq, pa.Check.ne]
    found = [each(bound) for each in make for bound in (1, 2.5)]
    ranges = [{}, {"include_min": False}, {"include_max": False}, {"include_min": False, "include_max": False}]
    found += [pa.Check.in_range(0, 2, **each) for each in ranges]
    found += [pa.Check.isin([0, 1]), pa.Check.notin([0, 3]), pa.Check.isin([0, *range(50, 70)])]
    found += [pa.Check.ge(1, ignore_na=False), pa.Check.ne(1, ignore_na=False)]
    return [(column, each) for each in found]


TEXTS = [
    *(
        pa.Check.str_matches(each)
        for each in ("[0-9]{5}$", "a", "^.b", r"\d+", r"a\.b", "(?i)BO", r"[^\n]*\Z", "(a|B)o?")
    ),
    *(pa.Check.str_contains(each) for each in ("b$", "^a", ".", r"\w", "'", "o+n{2}", r"\\")),
    pa.Check.str_startswith("a"),
    pa.Check.str_startswith("Bo'"),
    pa.Check.str_endswith("\n"),
    pa.Check.str_endswith("\\y"),
    pa.Check.str_length(1, 2),
    pa.Check.str_length(min_value=3),
    pa.Check.str_length(max_value=1),
    pa.Check.str_length(2),
    pa.Check.eq("ab"),
    pa.Check.ne("ab"),
    pa.Check.isin(["ab", "é", "x\\y"]),
    pa.Check.notin(["ab", "Bo'nn"]),
    pa.Check.ge("b"),
    pa.Check.lt("b"),
]
BUILT_IN: list[tuple[str, Any]] = [
    *numbers("x"),
    *numbers("y"),
    *numbers("id"),
    *(("k", each) for each in TEXTS),
    ("day", pa.Check.ge(date(2026, 1, 2))),
    ("day", pa.Check.isin([date(2026, 1, 2)])),
    ("day", pa.Check.lt(date(2026, 1, 3))),
    ("at", pa.Check.gt(datetime(2026, 1, 1))),
    ("at", pa.Check.le(pd.Timestamp("2026-01-01 12:00"))),
    ("at", pa.Check.ne("2026-01-02")),
    ("b", pa.Check.eq(True)),
    ("b", pa.Check.isin([False])),
    ("d", pa.Check.ge(2)),
    ("f", pa.Check.ge(0.1)),
    ("f", pa.Check.le(0.1)),
    ("k", pa.Check.ge(5)),
]
OWN: list[tuple[str, Any]] = [
    ("y", pa.Check(lambda values: values > 1)),
    ("y", pa.Check(lambda value: value > 1, element_wise=True, name="one by one")),
    ("y", pa.Check(lambda values: values.sum() > 10**6, error="a large sum")),
    ("y", pa.Check(lambda values: values > 1, raise_warning=True, n_failure_cases=1)),
    ("y", pa.Check(lambda groups: groups[True].mean() > 10**6, groupby="b")),
    ("x", pa.Check(lambda values: values.isna(), ignore_na=False)),
    ("x", pa.Check(lambda values: values.nothing)),
    ("k", pa.Check.unique_values_eq(["ab"])),
]


def frame_of(ds: whence.Dataset) -> pd.DataFrame:
    frame: pd.DataFrame = ds.to_arrow().to_pandas()
    return frame


def failing_by_pandera(schema: Any, frame: pd.DataFrame) -> list[int] | None:  # noqa: ANN401
    """The rows that fail; None if the whole frame does."""
    try:
        schema.validate(frame, lazy=True)
    except pa.errors.SchemaErrors as error:
        index = error.failure_cases["index"]
        return None if index.isna().any() else sorted({int(each) for each in index})
    return []


def alone(column: str, check: Any) -> Any:  # noqa: ANN401
    # A check by groups names a column that the schema has to have.
    grouped = {"b": pa.Column(None, nullable=True)} if check.groupby else {}
    return pa.DataFrameSchema({**grouped, column: pa.Column(None, check, nullable=True)})


def every_failure(check: Any) -> Any:  # noqa: ANN401
    return pa.Check(lambda values: values > 1) if check.raise_warning else check


def found_by(report: whence.CheckReport[whence.Dataset]) -> list[list[int] | None]:
    """The failing rows of each check; None where the whole dataset fails."""
    return [None if not each.passed and not each.count else each.rows.tolist() for each in report.results]


@pytest.mark.filterwarnings("ignore::UserWarning")  # pandas warns of groups in patterns
@pytest.mark.parametrize("seed", [1, 2])
def test_rows_that_fail_a_check_of_pandera_are_those_that_pandera_finds(ws: whence.Workspace, seed: int) -> None:
    ds = ws.create("t", random_rows(seed), schema=SCHEMA)
    frame = frame_of(ds)
    checks = [check for column, each in [*BUILT_IN, *OWN] for check in ws.pandera_checks(ds, alone(column, each))]
    expected = [failing_by_pandera(alone(column, every_failure(each)), frame) for column, each in [*BUILT_IN, *OWN]]
    # An error, so that the failing rows are found and no version is made.
    stop = whence.Check("count", 0, 0, severity="error")
    found = found_by(ws.expect(ds, [*checks, stop], stop=False))[:-1]
    wrong = [
        (check, check.parameters, ours, theirs)
        for check, ours, theirs in zip(checks, found, expected, strict=True)
        if ours != theirs
    ]
    assert not wrong
    in_sql = [check for check in checks if check.kind != "pandera"]
    assert len(in_sql) >= len(BUILT_IN) - 20
    assert [check.kind for check in checks[len(BUILT_IN) :]] == ["pandera"] * len(OWN)


WHOLE: dict[str, Any] = {
    "not null": {"columns": {name: pa.Column(None) for name in ("k", "x", "y", "day", "f")}},
    "unique": {"columns": {name: pa.Column(None, nullable=True, unique=True) for name in ("id", "k", "x", "y", "day")}},
    "first may stay": {
        "columns": {"y": pa.Column(None, nullable=True, unique=True, report_duplicates="exclude_first")}
    },
    "key": {"columns": {}, "unique": ["y", "b"]},
    "key with floats": {"columns": {}, "unique": ["x", "b"]},
    "rows": {"columns": {}, "checks": pa.Check(lambda rows: rows["y"] > rows["x"])},
    "each row": {"columns": {}, "checks": pa.Check(lambda row: row["id"] > 3, element_wise=True)},
    "coerced": {"columns": {"k": pa.Column(float, nullable=True, coerce=True)}},
    "coerced whole": {"columns": {"x": pa.Column(int, nullable=True, coerce=True)}},
    "pattern": {"columns": {"x|y": pa.Column(None, pa.Check.ge(1), regex=True, nullable=True)}},
    "optional": {"columns": {"none": pa.Column(int, required=False), "b": pa.Column(bool)}},
    "types": {"columns": {"k": pa.Column(str, nullable=True), "x": pa.Column(float, nullable=True)}},
    "missing": {"columns": {"none": pa.Column(int)}},
    "strict": {"columns": {"b": pa.Column(bool)}, "strict": True},
    "order": {"columns": {"b": pa.Column(bool), "id": pa.Column("int32")}, "ordered": True},
    "good order": {"columns": {"id": pa.Column("int32"), "b": pa.Column(bool)}, "ordered": True},
}


def test_nulls_keys_types_and_names_fail_where_they_fail_in_pandera(ws: whence.Workspace) -> None:
    ds = ws.create("t", random_rows(3), schema=SCHEMA)
    frame = frame_of(ds)
    made = {name: ws.pandera_checks(ds, pa.DataFrameSchema(**each)) for name, each in WHOLE.items()}
    stop = whence.Check("count", 0, 0, severity="error")
    every = [check for each in made.values() for check in each]
    results = iter(found_by(ws.expect(ds, [*every, stop], stop=False)))
    wrong = {}
    for name, checks in made.items():
        verdicts = [next(results) for _ in checks]
        ours = None if None in verdicts else sorted({row for rows in verdicts for row in rows or []})
        theirs = failing_by_pandera(pa.DataFrameSchema(**WHOLE[name]), frame)
        if ours != theirs:
            wrong[name] = (checks, ours, theirs)
    assert not wrong
    other = ws.expect(ds, pa.DataFrameSchema({"k": pa.Column(float, nullable=True)}))
    assert [(each.count, each.why) for each in other.results] == [(0, "k holds string")]


class Orders(pa.DataFrameModel):  # type: ignore[misc, unused-ignore]
    """A model as users write it."""

    id: int = pa.Field(unique=True)
    amount: float = pa.Field(ge=0)

    @pa.check("amount", name="half a cent", error="amounts have no half cents")  # type: ignore[untyped-decorator]
    @classmethod
    def cents(cls, values: pd.Series) -> pd.Series:
        """Whether amounts are whole cents."""
        return (values * 100).round(6) % 1 == 0


def test_a_model_stands_for_its_checks_and_a_reload_states_what_only_pandera_knows(
    ws: whence.Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("id,amount\n1,5.0\n2,0.125\n3,-4.0\n3,0.225\n")
    orders = ws.load(path, name="orders")
    checks = ws.pandera_checks(orders, Orders)
    assert [whence.Check.from_values(each.to_json()) for each in checks if each.kind != "pandera"] == checks[:-1]
    report = ws.expect(orders, [Orders, whence.Check("count", least=1)])
    assert [(each.check.name, each.rows.tolist()) for each in report.failures] == [
        ("id is unique", [2, 3]),
        ("amount: greater_than_or_equal_to(0)", [2]),
        ("amounts have no half cents", [1, 3]),
    ]
    assert report.dataset.caveats.marks().column("amount").to_pylist() == [False, True, True, True]
    assert ws.expect("orders", Orders).dataset.record == report.dataset.record
    path.write_text("id,amount\n1,0.125\n2,0.125\n3,4.0\n")
    after = ws.reload("orders")
    assert [(each.message, each.count) for each in after.caveats.list()] == [
        ("The check amounts have no half cents failed before the reload.", 1)
    ]
    assert after.caveats.marks().column("amount").to_pylist() == [False, True, False]


def test_the_schema_for_pyspark_gives_the_same_checks(ws: whence.Workspace) -> None:
    ds = ws.create("t", [(1, "a", 2), (None, "b", 5)], schema="id int, k string, y bigint")
    kinds = spark_types.IntegerType, spark_types.StringType, spark_types.LongType
    rules = {"id": [], "k": ["isin", "str_startswith"], "y": ["ge", "gt"]}
    given = {"isin": ["a", "b"], "str_startswith": "a", "ge": 1, "gt": 2}

    def columns(library: Any, types: tuple[Any, ...]) -> dict[str, Any]:  # noqa: ANN401
        return {
            name: library.Column(kind, [getattr(library.Check, each)(given[each]) for each in rules[name]])
            for name, kind in zip(rules, types, strict=True)
        }

    spark = ws.pandera_checks(ds, ps.DataFrameSchema(columns(ps, tuple(each() for each in kinds))))
    pandas = ws.pandera_checks(ds, pa.DataFrameSchema(columns(pa, ("int32", str, "int64"))))
    assert [each for each in spark if each.kind != "type"] == [each for each in pandas if each.kind != "type"]
    assert [each.parameters["types"] for each in spark if each.kind == "type"] == [("int",), ("string",), ("bigint",)]
    own = ps.DataFrameSchema({"y": ps.Column(kinds[2](), ps.Check(lambda column: True))})
    with pytest.raises(whence.WhenceError, match="needs pandera to look at Spark's frame"):
        ws.pandera_checks(ds, own)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (5, "no schema of pandera"),
        (pa.Check.ge(1), "no schema for rows"),
        (pa.SeriesSchema(int), "no schema for rows"),
        (pa.DataFrameSchema({"x": pa.Column(int, default=1)}), r"changes values before it checks them \(default\)"),
        (pa.DataFrameSchema({"x": pa.Column(int)}, dtype=int), "one dtype for all columns"),
        (pa.DataFrameSchema({("x", "y"): pa.Column(int)}), "MultiIndex"),
    ],
)
def test_a_schema_that_cannot_be_checks_is_refused(ws: whence.Workspace, schema: Any, words: str) -> None:  # noqa: ANN401
    ds = ws.create("t", [(1,)], schema="x int")
    with pytest.raises(whence.WhenceError, match=words):
        ws.pandera_checks(ds, schema)
