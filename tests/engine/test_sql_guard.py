"""The guard of SQL cells against every known way out, wherever it stands in a query."""

from __future__ import annotations

import random
from typing import Any

import pytest

import whence
from tests.engine.sql_attacks import BENIGN, PAYLOADS, PLACEMENTS, STATEMENTS
from whence.engine.errors import translate_errors
from whence.engine.sql_allowed import ALLOWED, ALLOWED_TABLE_FUNCTIONS, OURS, REFUSED
from whence.engine.sql_guard import DEEPEST, LONGEST, SqlGuard
from whence.model.errors import BadQuery


@pytest.fixture(scope="module")
def guard(spark_home: whence.Workspace) -> SqlGuard:
    return SqlGuard(spark_home.spark)


def _passes(guard: SqlGuard, text: str) -> bool:
    try:
        with translate_errors():
            guard.check(text, ["t", "u"])
    except BadQuery:
        return False
    return True


def test_every_attack_is_refused(guard: SqlGuard) -> None:
    assert [text for text in STATEMENTS if _passes(guard, text)] == []


def test_attacks_are_refused_wherever_they_stand(guard: SqlGuard) -> None:
    texts = [
        place.replace("{value}", value).replace("{table}", table)
        for place in PLACEMENTS
        for value, table in PAYLOADS.values()
    ]
    assert [text for text in texts if _passes(guard, text)] == []


def test_honest_values_pass_in_the_same_places(guard: SqlGuard) -> None:
    """So that the refusals above are refusals of the payload, not of the place."""
    texts = [place.replace("{value}", "1").replace("{table}", "u") for place in PLACEMENTS]
    refused = [text for text in texts if not _passes(guard, text)]
    assert len(refused) <= 3, refused  # places in which a plain 1 is no sense


def test_honest_queries_pass(guard: SqlGuard) -> None:
    assert [text for text in BENIGN if not _passes(guard, text)] == []


def test_a_name_that_is_not_there_is_answered_with_the_one_that_was_meant(guard: SqlGuard) -> None:
    known = ["Flights", "airports", "__whence_sample_0123"]
    with pytest.raises(
        BadQuery, match=r"^There is no dataset flihgts \(line 2, position 5\)\. Did you mean Flights\?$"
    ):
        guard.check("select *\nfrom flihgts", known)
    with pytest.raises(
        BadQuery, match=r"^There is no dataset weather \(line 1, position 14\)\. There are: Flights, airports\.$"
    ):
        guard.check("select * from weather", known)


def test_the_guard_tells_what_a_query_reads(guard: SqlGuard) -> None:
    assert guard.check("with c as (select * from T) select * from c join u using (x)", ["t", "u", "v"]) == {"T", "u"}
    assert guard.check("select 1", ["t"]) == frozenset()
    assert guard.check("select clean(x) from t", ["t"], ["clean"]) == {"t"}


def test_length_and_depth_are_limited(guard: SqlGuard) -> None:
    with pytest.raises(BadQuery, match="characters"):
        guard.check("select " + " " * LONGEST + "1", [])
    with pytest.raises(BadQuery, match="nested"):
        guard.check("select " + "abs(" * (DEEPEST + 10) + "1" + ")" * (DEEPEST + 10), [])
    with pytest.raises(BadQuery, match="nested too deeply"):
        guard.check("select " + "(" * 5000 + "1" + ")" * 5000, [])


def test_every_function_of_this_spark_is_sorted(spark_home: whence.Workspace) -> None:
    java: Any = spark_home.spark._jvm
    analysis = java.org.apache.spark.sql.catalyst.analysis
    for registry, allowed in (
        (analysis.FunctionRegistry.builtin(), ALLOWED | OURS),
        (analysis.TableFunctionRegistry.builtin(), ALLOWED_TABLE_FUNCTIONS),
    ):
        listed = registry.listFunction()
        names = {listed.apply(number).funcName() for number in range(listed.size())}
        assert names - allowed - REFUSED.keys() == set(), "sort these into engine/sql_allowed.py"
    assert not ALLOWED & REFUSED.keys()


def test_an_analysed_query_reads_only_its_datasets(ws: whence.Workspace) -> None:
    ws.create("t", [(1,)], "x int")
    guard = SqlGuard(ws.spark)
    datasets = ws._context.store.layout.datasets
    honest = ws["t"].df.filter("x > (select max(id) from range(3))")
    guard.check_leaves(honest, datasets)
    outside = ws.spark.read.text("/etc/hostname").selectExpr("1 as x")
    for frame, folder in (
        (honest, datasets / "elsewhere"),
        (honest.union(outside), datasets),
        (ws["t"].df.join(outside, "x", "left_semi"), datasets),
    ):
        with pytest.raises(BadQuery, match="no dataset of this workspace"):
            guard.check_leaves(frame, folder)


def test_a_condition_is_checked_as_queries_are(guard: SqlGuard) -> None:
    guard.check_expression("x > 1 and upper(name) like 'A%'")
    for text in (
        "reflect('java.lang.System', 'exit', 1)",
        "x in (select 1)",
        "input_file_name() = ''",
        "'${env:HOME}'",
    ):
        with pytest.raises(BadQuery):
            guard.check_expression(text)


def _nested(rng: random.Random, depth: int) -> str:
    """A query put together at random around one payload."""
    value, table = rng.choice(list(PAYLOADS.values()))
    text = rng.choice(PLACEMENTS).replace("{value}", value).replace("{table}", table)
    for _ in range(depth):
        place = rng.choice(PLACEMENTS)
        if place.startswith("from") or "{table}" in place:
            text = place.replace("{table}", f"({text})").replace("{value}", f"({text})")
        else:
            text = place.replace("{value}", f"({text})")
    return text


def _fuzz(guard: SqlGuard, count: int) -> None:
    rng = random.Random(5)
    texts = [_nested(rng, rng.randrange(1, 4)) for _ in range(count)]
    assert [text for text in texts if len(text) < LONGEST and _passes(guard, text)] == []


def test_nested_attacks_are_refused(guard: SqlGuard) -> None:
    _fuzz(guard, 150)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_many_nested_attacks_are_refused(guard: SqlGuard) -> None:
    _fuzz(guard, 100_000)
