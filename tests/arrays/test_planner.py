"""Budgets: never exceeded on the disk, answers the same whatever is stored, pins kept, everything said."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import whence
from tests.arrays.test_apply import Rays
from whence.arrays import Add, Emit, Operator

KINDS = {"comp one", "comp many", "pay one", "pay many", "full one", "full many"}


class Blobs(Operator):
    """Every cell of a run of equal cells comes from the whole run."""

    gives = {whence.Full}

    def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
        (cells,) = inputs
        time.sleep(0.05)
        starts = np.concatenate([[True], cells[1:] != cells[:-1]])
        labels = np.cumsum(starts)
        every = np.arange(len(cells))
        emit.regions(every, labels, every, labels)
        return labels


class SlowRays(Rays):
    """Takes a while, so that running it again is never the quickest."""

    def run(self, inputs: Any, emit: Emit) -> np.ndarray:  # noqa: ANN401
        time.sleep(0.05)
        return super().run(inputs, emit)


def stored(workspace: whence.Workspace) -> int:
    """What lies on the disk, whoever wrote it."""
    deferred = workspace._context.store.derived.root / "deferred"
    return sum(path.stat().st_size for path in deferred.rglob("*") if path.is_file())


@pytest.fixture
def flow(tmp_path: Path) -> Any:  # noqa: ANN401
    with whence.open(tmp_path / "p.whence") as workspace:
        random = np.random.default_rng(0)
        workspace.array("raw", random.normal(0, 6, (60, 70)))
        workspace.array("runs", np.repeat(random.integers(0, 9, 300), random.integers(1, 30, 300)))
        workspace.lineage_budget(disk=0)
        workspace.apply(SlowRays(), "raw", name="mask")
        workspace.apply(Add(1.0), "mask", name="shown")
        workspace.apply(Blobs(), "runs", name="blobs")
        yield workspace


WORKLOAD = [("backward", "shown", "raw"), ("forward", "raw", "shown"), ("backward", "blobs", "runs", 3)]


@pytest.mark.parametrize("disk", [0, 300, 5_000, 40_000, 120_000, 10**7])
def test_what_is_stored_fits_the_budget_and_answers_alike(flow: whence.Workspace, disk: int) -> None:
    truth = [
        flow["shown"].lineage.backward(range(0, 4200, 7), to="raw").ids.tolist(),
        flow["raw"].lineage.forward(range(0, 4200, 11), to="mask").ids.tolist(),
        flow["blobs"].lineage.backward([5, 900], to="runs").ids.tolist(),
        flow["runs"].lineage.forward([17], to="blobs").ids.tolist(),
    ]
    flow.lineage_budget(disk=disk, workload=WORKLOAD)
    plan = flow.lineage_plan()
    assert plan.disk <= disk
    assert stored(flow) <= disk
    assert plan["shown"].kinds == ("map",)
    if disk >= 10**7:
        assert set(plan["mask"].kinds) <= KINDS
        assert set(plan["blobs"].kinds) <= {"full one", "full many"}
        assert stored(flow) > 0
    if disk == 0:
        assert plan["mask"].kinds == plan["blobs"].kinds == ("black box",)
    again = [
        flow["shown"].lineage.backward(range(0, 4200, 7), to="raw").ids.tolist(),
        flow["raw"].lineage.forward(range(0, 4200, 11), to="mask").ids.tolist(),
        flow["blobs"].lineage.backward([5, 900], to="runs").ids.tolist(),
        flow["runs"].lineage.forward([17], to="blobs").ids.tolist(),
    ]
    assert again == truth
    assert str(plan).splitlines()[-1].startswith(("The next megabyte", "There is no limit"))


def test_a_smaller_budget_gives_disk_back(flow: whence.Workspace) -> None:
    flow.lineage_budget(disk="10MB", workload=WORKLOAD)
    flow.lineage_plan()
    assert stored(flow) > 0
    flow.lineage_budget(disk=0, workload=WORKLOAD)
    flow.lineage_plan()
    assert stored(flow) == 0
    assert "would save" in flow.lineage_plan().next_megabyte


def test_pins_hold_and_are_said(flow: whence.Workspace) -> None:
    flow.lineage_budget(disk="10MB", workload=WORKLOAD, pins={"mask": "full one"})
    choice = flow.lineage_plan()["mask"]
    assert (choice.kinds, choice.why) == (("full one",), "as you said")


def test_no_slowdown_allows_nothing_that_slows_a_run(flow: whence.Workspace) -> None:
    flow.lineage_budget(slowdown=1.0, workload=WORKLOAD)
    plan = flow.lineage_plan()
    assert plan.slowdown == 1.0
    assert all(choice.seconds == 0 for choice in plan.choices)


def test_questions_that_were_asked_count(flow: whence.Workspace) -> None:
    flow.lineage_budget(disk="10MB")
    assert all(choice.disk == 0 for choice in flow.lineage_plan().choices)
    assert flow.lineage_plan()["blobs"].why == "no question is asked about it"
    flow["blobs"].lineage.backward([3], to="runs")
    flow.lineage_budget(disk="10MB")
    plan = flow.lineage_plan()
    assert plan["blobs"].disk > 0
    assert plan["mask"].disk == 0


def test_what_was_stored_with_a_run_stays(flow: whence.Workspace) -> None:
    kept = flow.apply(Rays(), "raw", name="early", lineage="full many")
    flow.lineage_budget(disk=0, workload=[("backward", "early", "raw")])
    plan = flow.lineage_plan()
    assert plan["early"].why == "stored when it was made"
    assert "more than the budget" in plan.how
    assert kept.lineage.backward([(0, 0)], to="raw").count


def test_a_lost_file_is_no_loss(flow: whence.Workspace) -> None:
    flow.lineage_budget(disk="10MB", workload=WORKLOAD)
    flow.lineage_plan()
    for path in (flow._context.store.derived.root / "deferred").rglob("*"):
        if path.is_file():
            path.write_bytes(b"gone")
    assert flow["blobs"].lineage.backward([5], to="runs").count > 0


def test_a_budget_outlives_forgetting(flow: whence.Workspace) -> None:
    flow.lineage_budget(disk="10MB", workload=WORKLOAD)
    flow.forget("blobs")
    assert "blobs@1" not in [choice.dataset for choice in flow.lineage_plan().choices]
    assert flow.lineage_plan().disk_budget == 10**7


def test_budgets_are_read_and_nonsense_is_refused(flow: whence.Workspace) -> None:
    for wrong in (
        {"disk": "ten"},
        {"disk": -1},
        {"slowdown": 0.5},
        {"pins": {"mask": "zip"}},
        {"workload": [("up", 1)]},
    ):
        with pytest.raises(whence.WhenceError):
            flow.lineage_budget(**wrong)
