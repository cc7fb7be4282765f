"""An internal error of a rule never reaches the user: the rows are there, all of them in doubt, and a report is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, Never

import pytest
from pyspark.sql import DataFrame
from typer.testing import CliRunner

import whence
from tests.derive.operator_queries import QUERIES, frame_of, make_tables
from tests.derive.policy_callers import callers
from whence.cli.main import app
from whence.engine import plan_running
from whence.engine.collect_table import Collect
from whence.engine.handles import NodeHandle
from whence.engine.parse_plan import parse_plan
from whence.engine.run import run
from whence.engine.size_watch import CheckSize
from whence.engine.subqueries import Subqueries
from whence.engine.worker.write_parts import OutputLayout
from whence.lineage.strategy import FAILED, FAILURE
from whence.model.dataset import Doubt
from whence.model.errors import BadQuery, DamagedFile, EngineLost, InternalError, NotSupported, UserError
from whence.model.ids import DatasetId
from whence.plan.column_ids import ColumnIdAllocator
from whence.plan.context import RewriteContext
from whence.plan.expr import Column
from whence.plan.limits import Limits
from whence.plan.rewrite import with_lineage
from whence.plan.step import Operator, Step
from whence.plan.steps.aggregate import Aggregate
from whence.plan.steps.filter import Filter
from whence.plan.steps.project import Project
from whence.plan.steps.registry import OPERATORS
from whence.plan.steps.scan import Scan
from whence.store.doctor import doctor
from whence.store.reports import read_reports

pytestmark = pytest.mark.timeout(900)

RULES = ("read", "with_lineage", "with_flags", "column_map", "to_catalyst", "influences")
SECRET = "Rumpelstiltskin"


class PlantedError(Exception):
    """What a rule of a test fails with."""


@pytest.fixture
def lenient(ws: whence.Workspace) -> whence.Workspace:
    """A workspace as users have it, in which internal errors are no failures of tests."""
    ws._context.engine.raises_internal_errors = False
    return ws


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    """Such a workspace for all operators, with the tables that they read."""
    assert spark_home.spark is not None
    with whence.open(tmp_path_factory.mktemp("rules") / "tables.whence") as workspace:
        workspace._context.engine.raises_internal_errors = False
        make_tables(workspace)
        yield workspace


def plant(patch: pytest.MonkeyPatch, operator: type[Operator], rule: str, error: type[BaseException]) -> list[str]:
    """Let a rule fail from now on; each call of it is noted in the list."""
    calls: list[str] = []

    def fail(*_: object, **__: object) -> object:
        calls.append(rule)
        raise error(SECRET)

    patch.setattr(operator, rule, classmethod(fail) if rule == "read" else fail)
    return calls


def count_rows(rows: list[object]) -> Counter[str]:
    return Counter(map(repr, rows))


def check_fallback(made: whence.Dataset, rows: Counter[str]) -> None:
    """Every row is there, and nothing is said to be certain."""
    table = made.to_arrow()
    assert count_rows([tuple(row.values()) for row in table.to_pylist()]) == rows
    assert made.lineage.strategy == FAILED
    assert not made.lineage.exact
    assert made.caveats.row_set
    assert all(all(row.values()) for row in made.caveats.marks().to_pylist())
    assert FAILURE in [group.message for group in made.caveats.list()]
    if made.count:
        assert FAILURE in [group.message for group in made.caveats.list(row=0, column=table.column_names[0])]


def rules_of(operator: type[Operator]) -> tuple[str, ...]:
    return RULES if issubclass(operator, Step) else RULES[:1]


EVERY_RULE = [(operator, rule) for operator in OPERATORS for rule in rules_of(operator)]
SOME_RULES = [
    (operator, rules_of(operator)[place % len(rules_of(operator))]) for place, operator in enumerate(OPERATORS)
]


def fail_in_rule(ws: whence.Workspace, patch: pytest.MonkeyPatch, operator: type[Operator], rule: str) -> None:
    """Plant an error in one rule, run a query that needs it, and look at what the user gets."""
    query, layout = QUERIES[operator.__name__], ws._context.store.layout
    for before in read_reports(layout):
        before.path.unlink()
    rows = count_rows([tuple(row) for row in frame_of(ws, query).collect()])
    calls = plant(patch, operator, rule, PlantedError)
    made = ws.dataset(frame_of(ws, query), name="made")
    if not calls:  # a lineage rule may put another operator in its place, whose rules are called then
        ws.capture.off()
        made = ws.dataset(frame_of(ws, query), name="made")
        ws.capture.resume()
    assert calls or rule == "to_catalyst"  # some operators are written as others
    if calls:
        check_fallback(made, rows)
        (report,) = read_reports(layout)
        assert report.content["error"] == "PlantedError"
        assert SECRET not in report.path.read_text()


@pytest.mark.parametrize(("operator", "rule"), SOME_RULES, ids=lambda each: getattr(each, "__name__", each))
def test_a_failing_rule_costs_the_lineage_and_nothing_else(
    tables: whence.Workspace, monkeypatch: pytest.MonkeyPatch, operator: type[Operator], rule: str
) -> None:
    fail_in_rule(tables, monkeypatch, operator, rule)


@pytest.mark.long
@pytest.mark.parametrize(("operator", "rule"), EVERY_RULE, ids=lambda each: getattr(each, "__name__", each))
def test_any_rule_of_any_operator_may_fail(
    tables: whence.Workspace, monkeypatch: pytest.MonkeyPatch, operator: type[Operator], rule: str
) -> None:
    fail_in_rule(tables, monkeypatch, operator, rule)


def test_there_is_a_query_for_each_operator() -> None:
    assert list(QUERIES) == [operator.__name__ for operator in OPERATORS]


def test_in_tests_a_failing_rule_is_a_failure(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tables(ws)
    for rule in ("read", "with_lineage", "influences"):
        with monkeypatch.context() as patch:
            plant(patch, Filter, rule, PlantedError)
            with pytest.raises(PlantedError):
                ws.sql("select * from t where v > 1")


@pytest.mark.long
def test_no_caller_meets_an_internal_error(lenient: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {name: each for name, each in callers(lenient).items() if not name.startswith("ws.apply")}
    plant(monkeypatch, Scan, "with_lineage", PlantedError)
    plant(monkeypatch, Project, "read", PlantedError)
    made = {name: each.make(f"failed{number}") for number, (name, each) in enumerate(known.items())}
    without_query = {"python cell, pandas", "sheet", "sheet cell"}
    assert {name for name, each in made.items() if each.lineage.strategy == FAILED} == made.keys() - without_query


def count_runs(patch: pytest.MonkeyPatch, before: Callable[[int], None] = lambda _: None) -> list[Path]:
    """The folders that runs wrote to, from now on; `before` is called with the number of each run."""
    folders: list[Path] = []

    def counted(
        frame: DataFrame,
        layout: OutputLayout,
        staging: Path,
        check_size: CheckSize,
        most_rows: int | None = None,
        *,
        collect: Collect,
    ) -> object:
        folders.append(staging)
        before(len(folders))
        return run(frame, layout, staging, check_size, most_rows, collect=collect)

    patch.setattr(plan_running, "run", counted)
    return folders


@pytest.mark.parametrize("rule", ["with_lineage", "influences"])
def test_a_query_runs_once_wherever_a_rule_fails(
    lenient: whence.Workspace, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    make_tables(lenient)
    runs = count_runs(monkeypatch)
    plant(monkeypatch, Filter, rule, PlantedError)
    made = lenient.sql("select k, v, rand() as lot from t where v > 1", name="made")
    assert len(runs) == 1
    assert made.to_arrow().column("v").to_pylist() == [2, 3]
    assert made.lineage.strategy == FAILED


def fail_first(number: int) -> None:
    if number == 1:
        raise PlantedError(SECRET)


def test_a_run_that_failed_is_done_again_if_it_would_give_the_same(
    lenient: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_tables(lenient)
    runs = count_runs(monkeypatch, fail_first)
    check_fallback(lenient.sql("select v from t where v > 1", name="made"), count_rows([(2,), (3,)]))
    assert len(runs) == 2


def test_a_run_that_failed_is_not_done_again_if_it_might_give_other_rows(
    lenient: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_tables(lenient)
    runs = count_runs(monkeypatch, fail_first)
    with pytest.raises(InternalError, match="might give other rows in another run"):
        lenient.sql("select v, rand() as lot from t", name="made")
    assert len(runs) == 1
    assert len(read_reports(lenient._context.store.layout)) == 1


def test_errors_of_the_query_are_the_users(lenient: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tables(lenient)
    runs = count_runs(monkeypatch)
    with pytest.raises(BadQuery, match="Division by zero"):
        lenient.sql("select v / (v - v) as ratio from t")
    with pytest.raises(BadQuery, match="There is no column x"):
        lenient.sql("select x from t")
    assert len(runs) == 1
    assert read_reports(lenient._context.store.layout) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, OSError, DamagedFile, EngineLost, UserError])
def test_what_is_no_mistake_of_a_rule_is_not_caught(
    tables: whence.Workspace, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    before = read_reports(tables._context.store.layout)
    for rule in ("read", "with_lineage", "influences"):
        with monkeypatch.context() as patch:
            plant(patch, Filter, rule, error)
            with pytest.raises(error, match=SECRET):
                tables.sql("select * from t where v > 1")
    assert read_reports(tables._context.store.layout) == before


def test_a_report_shows_the_error_again_and_holds_no_data(
    lenient: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_tables(lenient)
    text = f"select k, count(if(k = '{SECRET}', 4711, v)) as `{SECRET}` from t where v < 4711 group by k limit 4711"
    with monkeypatch.context() as patch:
        plant(patch, Aggregate, "with_lineage", PlantedError)
        lenient.sql(text, name="made")
    (report,) = read_reports(lenient._context.store.layout)
    assert report.content["stage"] == "rewrite"
    assert "4711" not in report.path.read_text()
    assert SECRET not in report.path.read_text()
    plan = read_again(report.content["plan"])
    assert [type(step).__name__ for step in plan.walk()] == ["Limit", "Aggregate", "Filter", "Project", "Scan"]
    plant(monkeypatch, Aggregate, "with_lineage", PlantedError)
    context = RewriteContext(
        ids=ColumnIdAllocator(),
        limits=Limits(1),
        traced_sources=None,
        shown_readings=frozenset(),
        puts_groups_aside=False,
    )
    with pytest.raises(PlantedError):
        with_lineage(plan, context)


def read_again(nodes: object) -> Step:
    """The plan of a report, over a dataset that is not there."""

    def leaf(handle: NodeHandle, columns: tuple[Column, ...]) -> Step:
        return Scan(0, DatasetId("gone"), columns, {}, Doubt(), 4, handle=handle)

    def refuse(*_: object) -> Never:
        raise AssertionError

    read = parse_plan(json.dumps(nodes), leaf, Subqueries(()), refuse, refuse)
    assert read.plan is not None, read.reason
    return read.plan


def test_doctor_lists_the_reports(lenient: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tables(lenient)
    folder = str(lenient.path)
    assert "no internal error was reported" in CliRunner().invoke(app, ["doctor", "--reports", folder]).output
    plant(monkeypatch, Filter, "with_flags", PlantedError)
    for _ in range(2):
        lenient.sql("select * from t where v > 1")
    (line,) = CliRunner().invoke(app, ["doctor", "--reports", folder]).output.splitlines()
    (report,) = read_reports(lenient._context.store.layout)
    assert line == report.line
    assert " rewrite  PlantedError at tests/derive/test_rule_failure.py:" in line


def test_a_pipeline_names_the_internal_error(lenient: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tables(lenient)
    plant(monkeypatch, Filter, "with_lineage", PlantedError)
    kept = whence.Pipeline(lenient["t"], name="kept").filter("v > 1")
    assert kept.result.count == 2
    with pytest.raises(UserError, match=f"The provenance of kept@1 was not stored: {FAILURE}"):
        kept.provenance.why(0, "v")


def test_what_is_made_from_rows_in_doubt_is_in_doubt(
    lenient: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_tables(lenient)
    with monkeypatch.context() as patch:
        plant(patch, Filter, "influences", PlantedError)
        first = lenient.sql("select * from t where v > 1", name="first")
    second = lenient.sql("select v + 1 as w from first", name="second")
    assert second.caveats.marks().column("w").to_pylist() == [True, True]
    assert [group.message for group in second.caveats.list()] == [FAILURE]
    first.caveats.acknowledge(first.caveats.list()[0], note="looked at")
    assert not any(second.caveats.marks().column("w").to_pylist())


JOINED = "select t.k, count(*) as n from t join u on t.k = u.k group by t.k"


@pytest.mark.parametrize("mode", ["lazy", "defer"])
def test_a_rule_that_fails_after_the_query_leaves_coarse_lineage(
    lenient: whence.Workspace, monkeypatch: pytest.MonkeyPatch, mode: Literal["lazy", "defer"]
) -> None:
    make_tables(lenient)
    monkeypatch.setattr(lenient._context.engine, "pairs", fail)
    made = lenient.sql(JOINED, name="made", lineage=mode)
    marks = made.caveats.marks()
    assert made.lineage.backward([0], to="t").ids.tolist() == list(range(lenient["t"].count))
    assert lenient["t"].lineage.forward([0], to="made").count == made.count
    assert (made.lineage.strategy, made.lineage.exact) == (FAILED, False)
    assert FAILURE in [group.message for group in made.caveats.list()]
    assert made.caveats.marks().equals(marks)
    made.lineage.wait()
    (report,) = read_reports(lenient._context.store.layout)
    assert (report.content["stage"], report.content["error"]) == ("defer", "PlantedError")
    assert report.content["plan"] is not None
    assert SECRET not in report.path.read_text()
    lenient.close()
    with whence.open(lenient.path) as again:
        assert again["made"].lineage.strategy == FAILED
        assert doctor(again._context.store) == []


def test_a_question_that_needs_exact_lineage_names_the_error(
    lenient: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_tables(lenient)
    monkeypatch.setattr(lenient._context.engine, "pairs", fail)
    made = lenient.sql(JOINED, name="made", lineage="lazy")
    with pytest.raises(NotSupported, match=f"The lineage of made@1 is coarse: {FAILURE}"):
        made.lineage.why(0)


def test_in_tests_a_rule_that_fails_after_the_query_is_a_failure(
    ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_tables(ws)
    monkeypatch.setattr(ws._context.engine, "pairs", fail)
    made = ws.sql(JOINED, name="made", lineage="lazy")
    with pytest.raises(PlantedError):
        made.lineage.backward([0], to="t")
    assert made.lineage.exact


def fail(*_: object, **__: object) -> object:
    raise PlantedError(SECRET)
