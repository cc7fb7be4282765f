"""Every caller of the main path obeys `ws.capture` and the budget; a background job works out what it defers."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

import whence
from tests.derive.array_operators import Negate, Shuffle
from tests.derive.callers import SUM, make_tables, pipeline
from tests.derive.policy_callers import Caller, callers
from whence.arrays import Add, Convolve
from whence.lineage.deferred_lineage import DeferredLineage
from whence.lineage.strategy import LAZY, OFF, PAUSED, Mode, describe_limit, describe_pruned
from whence.notebook.cells.registry import CELL_KINDS
from whence.notebook.cells.transformation import TRANSFORMING

pytestmark = pytest.mark.timeout(900)

SMOOTH = Convolve((0.5, 1.0, 0.5))


def strategies(ws: whence.Workspace, setting: str, set_it: Callable[[], None]) -> dict[str, tuple[Caller, str]]:
    """What each caller says of its lineage under a setting."""
    known = callers(ws)
    before = ws["visits_by_day"].lineage.strategy
    set_it()
    found = {
        name: (each, each.make(f"{setting}{number}").lineage.strategy)
        for number, (name, each) in enumerate(known.items())
    }
    assert ws["visits_by_day"].lineage.strategy == before
    return found


def test_every_kind_of_cell_that_makes_a_dataset_of_others_is_a_caller(ws: whence.Workspace) -> None:
    transforming = {each.name for each in TRANSFORMING}  # all of them make their dataset in one place
    found = {each.kind for each in callers(ws).values()}
    assert CELL_KINDS.keys() - transforming - found == {"load", "drop_dataset", "export", "markdown", "parameters"}
    assert found & transforming >= {"filter", "join", "sample", "group_by", "impute", "normalize"}


def test_pause_reaches_every_caller(ws: whence.Workspace) -> None:
    found = strategies(ws, "paused", ws.capture.pause)
    assert {name: text for name, (_, text) in found.items()} == {
        name: LAZY if each.is_group_by else PAUSED for name, (each, _) in found.items()
    }


def test_off_reaches_every_caller(ws: whence.Workspace) -> None:
    found = strategies(ws, "off", ws.capture.off)
    assert {name: text for name, (_, text) in found.items()} == dict.fromkeys(found, OFF)


def test_the_limit_reaches_every_caller(ws: whence.Workspace) -> None:
    found = strategies(ws, "limited", lambda: ws.capture.limit(bytes=1))
    start = describe_limit(12345, 1).partition("12,345")[0]
    assert [name for name, (_, text) in found.items() if not text.startswith(start)] == []


def test_only_reaches_every_caller(ws: whence.Workspace) -> None:
    found = strategies(ws, "only", lambda: ws.capture.only("shops"))
    assert [name for name, (each, text) in found.items() if not text.endswith(describe_pruned([each.source]))] == []


def test_the_budget_reaches_every_caller_whose_lineage_can_come_later(ws: whence.Workspace) -> None:
    found = strategies(ws, "planned", lambda: ws.lineage_budget(disk="1MB"))
    assert {name for name, (_, text) in found.items() if text == LAZY} == {
        name for name, (each, _) in found.items() if each.is_group_by
    }


@dataclass
class CountingBudget:
    """Counts how often it is asked to plan again, and leaves every query as it is."""

    requests: list[None] = field(default_factory=list)

    def mode_for_query(self, name: str) -> Mode | None:
        return None

    def request(self) -> None:
        self.requests.append(None)


def test_every_caller_tells_the_budget_what_it_made(ws: whence.Workspace) -> None:
    known = callers(ws)
    budget = ws._context.writers.capture.budget = CountingBudget()
    silent = []
    for number, (name, each) in enumerate(known.items()):
        budget.requests.clear()
        each.make(f"told{number}")
        silent += [] if budget.requests else [name]
    assert silent == []


def test_a_budget_plans_sheets_that_are_made_after_it_was_set(ws: whence.Workspace) -> None:
    make_tables(ws)
    ws.lineage_budget(disk="1MB")
    ws.lineage_plan()
    edited = ws.sheet("sales").set(1, "amount", 4.0).apply("edited")
    assert edited.record.label in {each.dataset for each in ws.lineage_plan().choices}


def test_while_paused_an_operator_keeps_lineage_that_can_be_had_again(ws: whence.Workspace) -> None:
    grid = ws.array("grid", np.arange(6.0))
    ws.capture.pause()
    mapped, again = ws.apply(Add(1.0), "grid", name="mapped"), ws.apply(Negate(), "grid", name="again")
    assert [each.lineage.strategy.partition(":")[0] for each in (mapped, again)] == ["map", "black box"]
    assert [each.lineage.backward([2], to=grid).cells for each in (mapped, again)] == [[(2,)], [(2,)]]


def test_an_operator_without_lineage_still_knows_which_cells_are_in_doubt(ws: whence.Workspace) -> None:
    ws.array("grid", np.arange(6.0), cell_caveats=[((2,), "odd")])
    ws.capture.off()
    for operator in (Add(1.0), Negate(), Shuffle()):
        made = ws.apply(operator, "grid", name="made")
        assert made.lineage.strategy == OFF
        assert not made.lineage.exact
        assert made.caveats.marks().column("value").to_pylist() == [False, False, True, False, False, False]
        assert [each.message for each in made.caveats.list(row=2)] == ["odd"]


def test_what_a_user_asks_of_one_operator_comes_before_the_setting(ws: whence.Workspace) -> None:
    ws.array("grid", np.arange(6.0))
    ws.capture.off()
    assert ws.apply(Negate(), "grid", name="full", lineage="full one").lineage.strategy.startswith("full: ")
    assert ws.apply(SMOOTH, "grid", name="tiled", lineage="map", tiles=True).lineage.strategy.startswith("map: ")
    assert ws.apply(SMOOTH, "grid", name="off", tiles=True).lineage.strategy == OFF


def test_only_leaves_out_some_inputs_of_an_operator(ws: whence.Workspace) -> None:
    ws.array("left", np.arange(6.0))
    ws.array("right", np.arange(6.0))
    ws.capture.only("left")
    made = ws.apply(Negate(), "left", "right", name="made")
    assert made.lineage.backward([2], to="left").cells == [(2,)]
    assert made.lineage.backward([2], to="right").count == 6
    assert made.lineage.strategy.endswith(describe_pruned(["right"]))


def test_a_budget_stores_nothing_where_capture_was_off(ws: whence.Workspace) -> None:
    ws.array("grid", np.arange(6.0))
    ws.capture.off()
    made = ws.apply(Negate(), "grid", name="made")
    ws.lineage_budget(disk="1MB", workload=[("backward", "made", "grid")])
    assert made.record.label not in {each.dataset for each in ws.lineage_plan().choices}


def test_what_any_caller_defers_is_worked_out_in_the_background(
    ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {name: each for name, each in callers(ws).items() if each.is_group_by}
    monkeypatch.setattr("whence.lineage.strategy.MANY_ROWS", 1)
    made = {name: each.make(f"deferred{number}") for number, (name, each) in enumerate(known.items())}
    assert [name for name, each in made.items() if not each.lineage.strategy.startswith("defer: ")] == []
    deferred = DeferredLineage(ws._context.store, ws._context.engine)
    until = time.monotonic() + 120
    while not all(deferred.is_made(each.record) for each in made.values()) and time.monotonic() < until:
        time.sleep(0.1)
    assert [name for name, each in made.items() if not deferred.is_made(each.record)] == []


def test_notebooks_obey_settings_that_change_and_outlive_forgetting(ws: whence.Workspace) -> None:
    make_tables(ws)
    notebook = ws.notebook("tour")
    notebook.append("filter", source="sales", condition="day > 1", name="first")
    notebook.wait()
    ws.capture.pause()
    ws.create("gone", [(1,)], schema="x int")
    ws.forget("gone")
    notebook.append("filter", source="sales", condition="day > 2", name="second")
    notebook.wait()
    assert ws["first"].lineage.exact
    assert ws["second"].lineage.strategy == PAUSED


def test_jobs_wait_while_capture_is_paused(ws: whence.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tables(ws)
    monkeypatch.setattr("whence.lineage.strategy.MANY_ROWS", 1)
    ws.capture.pause()
    total = ws.run_cell("sql", source=SUM, name="total")
    deferred = DeferredLineage(ws._context.store, ws._context.engine)
    time.sleep(0.5)
    assert not deferred.is_made(total.record)
    ws.capture.resume()
    until = time.monotonic() + 60
    while not deferred.is_made(total.record) and time.monotonic() < until:
        time.sleep(0.1)
    assert deferred.is_made(total.record)


@pytest.mark.parametrize(
    ("set_it", "setting"),
    [
        (lambda ws: ws.capture.pause(), "ws.capture.pause"),
        (lambda ws: ws.capture.off(), "ws.capture.off"),
        (lambda ws: ws.capture.limit(bytes=1), "ws.capture.limit"),
        (lambda ws: ws.capture.only("shops"), "ws.capture.only"),
    ],
)
def test_a_pipeline_without_lineage_names_the_setting(
    ws: whence.Workspace, set_it: Callable[[whence.Workspace], None], setting: str
) -> None:
    make_tables(ws)
    set_it(ws)
    made = pipeline(ws, "ready")
    assert made.result.count == 5
    with pytest.raises(whence.WhenceError, match=r"The provenance of ready@1 was not stored: .*" + setting):
        made.provenance.record_invalidation(5)


def test_a_sheet_without_lineage_still_knows_its_rows_by_content(ws: whence.Workspace) -> None:
    make_tables(ws)
    ws.capture.off()
    edited = ws.sheet("sales").set(1, "amount", 4.0).apply("edited")
    assert edited.to_arrow().column("amount").to_pylist() == [5.0, 4.0, 7.0, 1.0, 90.0, 2.0]
    assert edited.lineage.backward([1], to="sales").count == 6
    again = ws.sheet("edited").set(0, "amount", 6.0).apply("edited")
    assert again.to_arrow().column("amount").to_pylist()[:2] == [6.0, 4.0]
