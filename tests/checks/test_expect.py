"""Checks against plain definitions in DuckDB, and the doubts that failing rows carry on."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import whence
from whence.checks.check import Check
from whence.checks.kinds.registry import CHECK_KINDS
from whence.checks.read_checks import read_checks, write_checks
from whence.model.errors import UserError

SCHEMA = "id int, k string, x double, y int, day date, town string"
ROW_FAILS = {
    "y > 0": "y <= 0",
    "x < y": "not (x < y)",
    "k is not null and y is not null": "k is null or y is null",
    "town = 'Ulm' or y > 2 -- a remark": "not (town = 'Ulm' or y > 2)",
}
CHECKS: list[tuple[whence.Check, str]] = [
    *((whence.Check("row", condition), fails) for condition, fails in ROW_FAILS.items()),
    (whence.Check("key", "id"), "id is null or count(*) over (partition by id) > 1"),
    (
        whence.Check("key", ["k", "y"]),
        "k is null or y is null or count(*) over (partition by k, y) > 1",
    ),
    (whence.Check("key", "x"), "x is null or count(*) over (partition by x) > 1"),
    (
        whence.Check("dependency", "k -> town"),
        "(select count(distinct coalesce('v' || s.town, 'n')) from t s where s.k is not distinct from t.k) > 1",
    ),
    (
        whence.Check("dependency", "x -> y"),
        "(select count(distinct coalesce('v' || s.y, 'n')) from t s where s.x is not distinct from t.x) > 1",
    ),
    (
        whence.Check("reference", "k", "others", "letter"),
        "k is not null and not exists (select 1 from others where letter = k)",
    ),
    (
        whence.Check("reference", ["k", "y"], "others", ["letter", "n"]),
        "k is not null and y is not null and not exists (select 1 from others where letter = k and n = y)",
    ),
    (whence.Check("reference", "x", "others", "n"), "x is not null and not exists (select 1 from others where n = x)"),
    (whence.Check("between", "y", 1, 3), "y < 1 or y > 3"),
    (whence.Check("between", "y", low=1.5), "y < 1.5"),
    (whence.Check("between", "x", low=0), "x < 0 or isnan(x)"),
    (whence.Check("between", "x", high=2.5), "x > 2.5 or isnan(x)"),
    (whence.Check("between", "day", "2026-01-03", date(2026, 1, 6)), "day < '2026-01-03' or day > '2026-01-06'"),
    (whence.Check("one_of", "town", ["Ulm", "Bo'nn"]), "town not in ('Ulm', 'Bo''nn')"),
    (whence.Check("one_of", "y", [1, 2]), "y not in (1, 2)"),
    (whence.Check("not_null", "x"), "x is null"),
    (whence.Check("not_null", "k"), "k is null"),
    (whence.Check("matches", "town", r"[A-Z]\w+"), r"not regexp_full_match(town, '[A-Z]\w+')"),
    (whence.Check("matches", "k", "a|b"), "not regexp_full_match(k, 'a|b')"),
]


def random_rows(seed: int) -> list[tuple[object, ...]]:
    draw = random.Random(seed)
    return [
        (
            draw.choice([None, *range(25)]),
            draw.choice([None, "a", "b", "c", "d\n"]),
            draw.choice([None, float("nan"), -1.5, 0.0, -0.0, 1.0, 2.0, 3.0]),
            draw.choice([None, 0, 1, 2, 3, 4]),
            draw.choice([None, *(date(2026, 1, 1) + timedelta(days=n) for n in range(8))]),
            draw.choice([None, "Ulm", "Bo'nn", "kiel", "Ulm\n"]),
        )
        for _ in range(draw.choice([1, 12, 30]))
    ]


def failing_rows(table: pa.Table, others: pa.Table, fails: str) -> list[int]:
    with duckdb.connect() as connection:
        connection.register("given", table.append_column("rid", pa.array(range(table.num_rows))))
        connection.register("others", others)
        connection.execute("create table t as select * from given")
        found = connection.sql(f"select rid from (select rid, {fails} as fails from t) where fails order by rid")
        return [row[0] for row in found.fetchall()]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_failing_row_is_found_and_marked_and_no_other(ws: whence.Workspace, seed: int) -> None:
    ds = ws.create("t", random_rows(seed), schema=SCHEMA)
    others = ws.create("others", [("a", 1), ("b", 2), (None, 3), ("a", None)], schema="letter string, n bigint")
    report = ws.expect(ds, [check for check, _ in CHECKS])
    expected = [failing_rows(ds.to_arrow(), others.to_arrow(), fails) for _, fails in CHECKS]
    assert {each.check.name: each.rows.tolist() for each in report.results} == {
        check.name: rows for (check, _), rows in zip(CHECKS, expected, strict=True)
    }
    assert [each.count for each in report.results] == [len(rows) for rows in expected]
    assert report.dataset.rows().equals(ds.rows()) or str(report.dataset.rows()) == str(ds.rows())
    assert report.dataset.row_keys() == ds.row_keys()
    marks, cells = report.dataset.caveats.marks(), {name: np.zeros(ds.count, bool) for name in [*ds.columns, "_row"]}
    for (check, _), rows in zip(CHECKS, expected, strict=True):
        for column in _marked_columns(check):
            cells[column][rows] = True
    assert {name: marks[name].to_pylist() for name in cells} == {name: mask.tolist() for name, mask in cells.items()}


def _marked_columns(check: whence.Check) -> list[str]:
    if check.kind in ("row", "key"):
        return ["_row"]
    if check.kind == "dependency":
        return [str(check.parameters["rule"]).rpartition(" ")[2]]
    named = check.parameters.get("columns") or (str(check.parameters["column"]).lower(),)
    assert isinstance(named, tuple)
    return [str(each) for each in named]


def test_checks_of_the_whole_dataset_put_its_row_set_in_doubt(ws: whence.Workspace) -> None:
    days = ws.create("days", [(date(2026, 1, n), n, "a") for n in (1, 2, 3)], schema="day date, n int, k string")
    more = ws.create(
        "more", [(date(2026, 1, n), 100 + n, "b") for n in range(1, 9)], schema="day date, n int, k string"
    )
    verdicts = {
        whence.Check("count", 3, 3): True,
        whence.Check("count", least=4): False,
        whence.Check("count", most=2): False,
        whence.Check("fresh", "day", 2, now="2026-01-05 23:00"): True,
        whence.Check("fresh", "day", 2, now="2026-01-06"): False,
        whence.Check("shift", "n", days): True,
        whence.Check("shift", "n", more): False,
        whence.Check("shift", "k", "more"): False,
    }
    report = ws.expect(days, list(verdicts))
    assert [each.passed for each in report.results] == list(verdicts.values())
    assert report.dataset.caveats.row_set
    assert not any(any(row.values()) for row in report.dataset.caveats.marks().to_pylist())
    messages = {place.message for group in report.dataset.caveats.list() for place in group.references}
    assert "The check at least 4 rows fails: there are 3 rows." in messages
    assert (
        "The check the latest day is at most 2 days old fails: "
        "the latest day is 2026-01-03, more than 2 days before 2026-01-06 00:00."
    ) in messages
    assert len(messages) == 5


def test_results_of_a_checked_dataset_are_in_doubt_as_possible_worlds_say(ws: whence.Workspace) -> None:
    rows = [("a", 5, 1), ("a", 900, 1), ("b", 2, 1), ("b", 3, -1), ("c", 4, 1), ("c", None, 1)]
    ws.create("sales", rows, schema="k string, amount int, sign int")
    ws.expect("sales", [whence.Check("between", "amount", 0, 100), whence.Check("row", "sign > 0")])
    query = "select k, sum(amount) s, count(*) n from sales group by k order by k"
    found = ws.sql(query, name="sums")
    worlds = [
        [("a", 5, 1), ("a", amount, 1), *rows[2:3], *([rows[3]] if is_there else []), *rows[4:]]
        for amount in (900, 0, -7, None)
        for is_there in (True, False)
    ]

    def sums(world: Sequence[tuple[object, ...]]) -> dict[str, tuple[object, ...]]:
        values = ", ".join(f"('{k}', {'null' if a is None else a}::int, {s})" for k, a, s in world)
        answer = duckdb.sql(query.replace("from sales", f"from (values {values}) sales(k, amount, sign)"))
        assert answer is not None
        return {row[0]: row[1:] for row in answer.fetchall()}

    answers = [sums(world) for world in worlds]
    expected = [{name: len({answer[k][at] for answer in answers}) > 1 for at, name in enumerate("sn")} for k in "abc"]
    assert [{name: row[name] for name in "sn"} for row in found.caveats.marks().to_pylist()] == expected
    assert found.caveats.list(row=0, column="s")[0].message == (
        "The check amount is between 0 and 100 fails: amount is 900."
    )


def test_an_error_stops_before_anything_is_stored(ws: whence.Workspace) -> None:
    ds = ws.create("t", [(1, None), (1, 2)], schema="id int, x int")
    checks = [whence.Check("key", "id", severity="error"), whence.Check("not_null", "x")]
    with pytest.raises(whence.CheckFailed, match=r"t@1 fails 1 check: id is a key \(2 rows\)\."):
        ws.expect(ds, checks)
    report = ws.expect(ds, checks, stop=False)
    assert [each.check.kind for each in report.errors] == ["key"]
    assert [each.check.kind for each in report.failures] == ["key", "not_null"]
    assert (report.dataset.record, [each.record.label for each in ws.datasets()]) == (ds.record, ["t@1"])


def test_what_is_said_already_is_not_said_again(ws: whence.Workspace) -> None:
    ds = ws.create("t", [(1,), (-1,)], schema="x int")
    ws.sql("select sum(x) s from t", name="total")
    first = ws.expect(ds, [whence.Check("row", "x > 0")])
    again = ws.expect("t", [whence.Check("row", "x > 0"), whence.Check("not_null", "x")])
    assert (first.dataset.record.label, again.dataset.record.label) == ("t@2", "t@2")
    assert first.reached == again.reached == ("total",)
    assert ws.expect("t", [whence.Check("between", "x", 0)]).dataset.record.label == "t@3"
    ws.create("known", [(1,), (-1,)], schema="x int")
    known = whence.Check("reference", "x", "known")
    assert ws.expect("t", [known, whence.Check("row", "x < 0")], name="u").dataset.record.label == "u@1"
    ws.create("known", [(1,)], schema="x int")
    assert ws.expect("u", [known]).dataset.record.label == "u@2"
    assert ws["u"].caveats.marks()["x"].to_pylist() == [False, True]
    assert ws.expect("u", [known]).dataset.record.label == "u@2"
    assert [(each.message, each.count) for each in ws["t"].caveats.list(row=1)] == [
        ("The check x is at least 0 fails: x is -1.", 1),
        ("The check x > 0 fails: x is -1.", 1),
    ]


def test_the_report_names_the_datasets_that_failing_rows_reach(ws: whence.Workspace) -> None:
    ds = ws.create("t", [(1, "a"), (2, "a"), (-3, "b")], schema="x int, k string")
    ws.sql("select x from t where k = 'a'", name="only_a")
    ws.sql("select k, sum(x) as s from t group by k", name="totals")
    ws.sql("select s from totals where k = 'b'", name="later")
    positive = ws.expect(ds, [whence.Check("row", "x > 0")])
    assert positive.reached == ("later", "totals")
    assert str(positive).splitlines()[-1] == "Failing rows reach 2 datasets: later, totals."
    assert ws.expect(ds, [whence.Check("count", least=9)]).reached == ("later", "only_a", "totals")
    assert ws.expect(ds, [whence.Check("between", "x", -9)]).reached == ()


def test_the_report_names_lines_of_the_file_and_a_reload_checks_anew(ws: whence.Workspace, tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("id,amount\n1,5\n2,-3\n3,-4\n")
    orders = ws.load(path, name="orders", key="id")
    report = ws.expect(orders, [whence.Check("row", "amount > 0", name="amounts are positive")])
    assert str(report).splitlines() == [
        "orders@1, 3 rows: 1 of 1 check failed.",
        "  warning  amounts are positive: 2 of 3 rows",
        "           line 3: amount is -3",
        "           line 4: amount is -4",
    ]
    assert [place.line for group in ws["orders"].caveats.list() for place in group.references] == [3, 4]
    path.write_text("id,amount\n1,5\n2,3\n3,-4\n4,-9\n")
    ws.reload("orders")
    assert ws["orders"].caveats.marks()["_row"].to_pylist() == [False, False, True, True]


def test_an_error_in_reloaded_rows_marks_them_and_hides_no_warning(ws: whence.Workspace, tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("id,amount\n1,5\n2,-3\n")
    orders = ws.load(path, name="orders", key="id")
    ws.expect(orders, [whence.Check("row", "amount > 0"), whence.Check("between", "id", 0, 5, severity="error")])
    path.write_text("id,amount\n1,-5\n2,3\n9,4\n")
    ws.reload("orders")
    marks = ws["orders"].caveats.marks()
    assert marks["_row"].to_pylist() == [True, False, False]
    assert marks["id"].to_pylist() == [False, False, True]


def test_acknowledging_one_check_leaves_the_others(ws: whence.Workspace) -> None:
    ds = ws.create("t", [(n % 1500, n) for n in range(3000)], schema="id int, x int")
    # More failing rows than are written into the query one by one.
    checked = ws.expect(ds, [whence.Check("key", "id"), whence.Check("between", "x", 2, 2000)]).dataset
    marks = {name: np.array(checked.caveats.marks()[name]) for name in ("id", "x", "_row")}
    assert {name: int(mask.sum()) for name, mask in marks.items()} == {"id": 0, "x": 1001, "_row": 3000}
    (keys,) = (each for each in checked.caveats.list() if "is a key" in each.message)
    assert (keys.count, keys.family, keys.references[7].message) == (
        3000,
        "check",
        "The check id is a key fails: id is 7.",
    )
    checked.caveats.acknowledge(keys)
    marks = {name: np.array(checked.caveats.marks()[name]) for name in ("id", "x", "_row")}
    assert {name: int(mask.sum()) for name, mask in marks.items()} == {"id": 0, "x": 1001, "_row": 0}


def test_an_array_is_checked_as_rows_of_another_name(ws: whence.Workspace) -> None:
    grid = ws.array("grid", np.array([1.0, -2.0, 3.0]))
    positive = [whence.Check("row", "value > 0")]
    with pytest.raises(whence.WhenceError, match="grid@1 is an array, and checks give rows"):
        ws.expect(grid, positive)
    assert ws.expect(grid, positive, name="cells").dataset.caveats.marks()["_row"].to_pylist() == [False, True, False]


def test_checks_outlive_the_version_they_were_put_on(ws: whence.Workspace) -> None:
    ds = ws.create("t", [(1,), (-1,)], schema="x int")
    ws.expect(ds, [whence.Check("row", "x > 0")], name="u")
    ws.forget("t", keep_dependants=True)
    again = ws.expect("u", [whence.Check("row", "x > 0"), whence.Check("between", "x", 0)])
    assert again.dataset.caveats.marks().to_pylist() == [{"x": False, "_row": False}, {"x": True, "_row": True}]
    assert [each.references[0].line for each in again.dataset.caveats.list()][:1] == [None]


def test_suggested_checks_hold_for_every_row(ws: whence.Workspace) -> None:
    towns = {"10": "Ulm", "20": "Bonn", "30": "Ulm"}
    rows = [(n, zip_code := str(10 * (n % 3 + 1)), towns[zip_code], None if n == 4 else n / 2) for n in range(12)]
    ds = ws.create("t", rows, schema="id int, zip string, town string, x double")
    suggested = ws.suggest_checks(ds)
    assert ws.expect(ds, suggested).passed
    assert [check.name for check in suggested] == [
        "id is a key",
        "id is between 0 and 11",
        "zip is not null",
        "zip is one of 10, 20, 30",
        "town is not null",
        "town is one of Bonn, Ulm",
        "x is between 0.0 and 5.5",
        "zip -> town",
    ]
    assert [Check.from_values(table) for table in tomllib.loads(write_checks(suggested))["check"]] == suggested


def test_reports_are_data_for_programs(ws: whence.Workspace) -> None:
    ds = ws.create("t", [(1,), (-1,)], schema="x int")
    report = ws.expect(ds, [whence.Check("row", "x > 0"), whence.Check("count", 1)])
    assert report.to_arrow().to_pylist() == [
        {"check": "x > 0", "kind": "row", "severity": "warning", "passed": False, "failing_rows": 1},
        {"check": "at least 1 row", "kind": "count", "severity": "warning", "passed": True, "failing_rows": 0},
    ]
    told = json.loads(json.dumps(report.to_json()))
    assert told["checks"][0]["examples"] == [{"row": 1, "line": None, "values": {"x": -1}}]


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (("row", "x"), "x is int, not a condition"),
        (("row", "sum(x) > 0"), "looks at more than its own row"),
        (("row", "rand() > 0.5"), "another answer in every run"),
        (("row", "not has_caveat(x)"), "cannot ask for doubts"),
        (("row", "bound_low(x) > 0"), "cannot ask for doubts"),
        (("row", "z > 0"), "z"),
        (("key", "z"), "has no column z"),
        (("dependency", "x"), "no functional dependency"),
        (("between", "x"), "needs low, high or both"),
        (("matches", "x", "a"), "holds int, not text"),
        (("matches", "k", "("), "Unclosed group"),
        (("one_of", "x", ["many"]), "many"),
        (("fresh", "x", 1), "holds int, not times"),
        (("count",), "needs least, most or both"),
        (("reference", "x", "t", "k"), "cannot be compared"),
        (("reference", "x", "nowhere"), "nowhere"),
        (("shift", "x", "t@7"), "t has no version 7"),
    ],
)
def test_a_check_that_cannot_be_made_is_refused_in_one_sentence(
    mistakes: whence.Workspace, check: tuple[Any, ...], words: str
) -> None:
    with pytest.raises(UserError) as caught:
        mistakes.expect("t", [whence.Check(*check)])
    assert words in str(caught.value)
    assert "\n" not in caught.value.message
    assert len(mistakes.datasets()) == 1


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("checks") / "w.whence") as ws:
        ws.create("t", [(1, "a")], schema="x int, k string")
        yield ws


def test_a_check_needs_a_kind_and_its_parameters() -> None:
    for wrong in ({"kind": "rwo"}, {"name": "x"}, {"kind": "key"}, {"kind": "row", "condition": "x", "z": 1}):
        with pytest.raises(UserError):
            Check.from_values(wrong)
    with pytest.raises(UserError, match="severity"):
        Check.from_values({"kind": "count", "least": 1, "severity": "fatal"})


def test_checks_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "checks.toml"
    path.write_text('[[check]]\nkind = "between"\ncolumn = "day"\nlow = 2026-01-01\nseverity = "error"\n')
    assert read_checks(path) == [Check("between", "day", low=date(2026, 1, 1), severity="error")]
    for wrong in ("[[check", "x = 1", '[[check]]\nkind = "rwo"'):
        path.write_text(wrong)
        with pytest.raises(UserError):
            read_checks(path)
    with pytest.raises(UserError, match="cannot be read"):
        read_checks(tmp_path / "none.toml")


def test_the_page_about_checks_describes_every_kind() -> None:
    page = (Path(__file__).parents[2] / "docs" / "checks.md").read_text()
    shown = re.findall(r"^\| `(\w+)` \| (.*?) \|", page, re.MULTILINE)
    named = {name: tuple(re.findall(r"`(\w+)`", words)) for name, words in shown}
    assert named == {kind.name: tuple(each.name for each in kind.parameters) for kind in CHECK_KINDS.values()}
