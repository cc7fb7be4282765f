"""Queries in the plan: lazy, defer, prune, partition and cube by measured costs, within budgets, answering alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import whence

SALES = [(f"r{n % 3}", f"k{n % 4}", n % 5, n) for n in range(60)]
KINDS = [(f"k{n}", f"kind {n}") for n in range(4)]
QUERY = "select region, sum(n) total from sales join kinds using (kind) group by region order by region"


@pytest.fixture
def flow(tmp_path: Path, spark_home: whence.Workspace) -> Iterator[whence.Workspace]:
    assert spark_home.spark is not None
    with whence.open(tmp_path / "q.whence") as workspace:
        workspace.create("sales", SALES, schema="region string, kind string, month int, n int")
        workspace.create("kinds", KINDS, schema="kind string, words string")
        workspace.lineage_budget(disk=0)
        workspace.sql(QUERY, name="totals")
        workspace.sql("select region, n from sales where n > 30", name="late")
        yield workspace


def stored(workspace: whence.Workspace) -> int:
    """What lies on the disk for lineage that can be had again, whoever wrote it."""
    root = workspace._context.store.derived.root
    return sum(
        path.stat().st_size for kind in ("deferred", "prepared") for path in (root / kind).rglob("*") if path.is_file()
    )


def behind(row: int, month: int | None = None) -> list[int]:
    """The sales behind a total, by the definition."""
    return [n for n, sale in enumerate(SALES) if sale[0] == f"r{row}" and month in (None, sale[2])]


def answers(workspace: whence.Workspace) -> list[list[int]]:
    totals, sales, kinds = workspace["totals"], workspace["sales"], workspace["kinds"]
    return [
        totals.lineage.backward([1], to="sales").ids.tolist(),
        totals.lineage.backward([1], to="kinds").ids.tolist(),
        sales.lineage.forward([4, 5], to="totals").ids.tolist(),
        kinds.lineage.forward([2], to="totals").ids.tolist(),
    ]


RIGHT = [behind(1), [0, 1, 2, 3], [1, 2], [0, 1, 2]]


def test_a_query_is_lazy_without_room_and_deferred_or_pruned_with_it(flow: whence.Workspace) -> None:
    plan = flow.lineage_plan()
    assert (plan["totals"].kinds, plan["totals"].why) == (("lazy",), "no question is asked about it")
    assert (plan["late"].kinds, plan["late"].why) == (("inject",), "stored when it was made")
    flow.lineage_budget(disk="1MB", workload=[("backward", "totals", "sales", 9), ("forward", "sales", "totals")])
    plan = flow.lineage_plan()
    assert (plan["totals"].kinds, plan["totals"].why) == (("prune",), "pays for the questions that are asked")
    assert 0 < stored(flow) <= plan["totals"].disk <= plan.disk
    assert answers(flow) == RIGHT
    pruned = stored(flow)
    both = [("backward", "totals", "sales"), ("backward", "totals", "kinds")]
    flow.lineage_budget(disk="1MB", workload=both)
    assert flow.lineage_plan()["totals"].kinds == ("defer",)
    assert pruned < stored(flow) <= flow.lineage_plan()["totals"].disk
    assert answers(flow) == RIGHT
    flow.lineage_budget(disk=plan["late"].disk, workload=both)
    plan = flow.lineage_plan()
    assert (plan["totals"].kinds, stored(flow)) == (("lazy",), 0)
    assert plan["totals"].why == "what answers quicker does not fit the budget"
    assert "would save" in plan.next_megabyte
    assert answers(flow) == RIGHT


def test_filters_and_totals_are_prepared_where_that_pays(flow: whence.Workspace) -> None:
    by: dict[str, Any] = {"by": ["month"], "measures": ["n"]}
    flow.lineage_budget(disk="1MB", workload=[("filter", "totals", "sales", by)])
    about = [each for each in flow.lineage_plan().choices if each.about]
    assert [each.kinds for each in about] == [("partition",)]
    flow.lineage_budget(disk="1MB", workload=[("filter", "totals", "sales", by), ("totals", "totals", "sales", by, 5)])
    (choice,) = [each for each in flow.lineage_plan().choices if each.about]
    assert (choice.kinds, choice.dataset, set(choice.asking)) == (("cube",), "totals@1", {"filter", "totals"})
    assert stored(flow) <= flow.lineage_plan().disk
    ready = flow["totals"].lineage.prepare(to="sales", **by)
    assert 0 < ready.stored <= choice.disk
    assert ready.rows([1], month=4).ids.tolist() == behind(1, 4)
    assert ready.totals([1], by=["month"], month=4)["sum(n)"].to_pylist() == [sum(SALES[n][3] for n in behind(1, 4))]
    flow.lineage_budget(disk=0, workload=[("totals", "totals", "sales", by)])
    (choice,) = [each for each in flow.lineage_plan().choices if each.about]
    assert (choice.kinds, ready.stored) == (("nothing",), 0)
    assert "by month" in str(flow.lineage_plan())


def test_what_is_asked_by_attributes_counts_and_pins_hold(flow: whence.Workspace) -> None:
    flow.lineage_budget(disk="1MB")
    ready = flow["totals"].lineage.prepare(to="sales", by=["month"], measures=["n"])
    assert ready.stored == 0
    ready.rows([0], month=1)
    flow.lineage_budget(disk="1MB", pins={"totals": "cube"})
    (choice,) = [each for each in flow.lineage_plan().choices if each.about]
    assert (choice.kinds, choice.why) == (("cube",), "as you said")
    assert ready.stored > 0
    flow.lineage_budget(disk="1MB", pins={"again": "inject"})
    again = flow.sql(f"{QUERY} desc", name="again")
    assert again.lineage.strategy.startswith("inject")
    for wrong in (
        [("filter", "totals", "sales")],
        [("totals", "totals", "sales", {"by": ["month"], "measures": ["z"]})],
    ):
        with pytest.raises(whence.WhenceError):
            flow.lineage_budget(workload=wrong)


def test_prepared_lineage_outlives_the_session_and_goes_with_what_it_is_about(
    tmp_path: Path, spark_home: whence.Workspace
) -> None:
    assert spark_home.spark is not None
    place = tmp_path / "w.whence"
    by: dict[str, Any] = {"by": ["month", "n % 2"], "measures": ["n"]}
    with whence.open(place) as ws:
        ws.create("sales", SALES, schema="region string, kind string, month int, n int")
        totals = ws.sql("select region, sum(n) total from sales group by region order by region", name="totals")
        ready = totals.lineage.prepare(to="sales", **by)
        first = ready.totals([0, 2], by=["n % 2"]).to_pylist()
        changing = totals.lineage.prepare(to="sales", by=["rand() < 2"])
        assert (ready.stored > 0, changing.stored) == (True, 0)
    with whence.open(place) as ws:
        (ready,) = ws["totals"].lineage.prepared()
        assert (ready.by, ready.measures) == (("month", "n % 2"), ("n",))
        assert ready.totals([0, 2], by=["n % 2"]).to_pylist() == first
        assert ready.rows([0], month=3).ids.tolist() == behind(0, 3)
        (path,) = (each for each in (ws.path / "tmp" / "prepared").rglob("*") if each.is_file())
        data = bytearray(path.read_bytes())
        data[70] ^= 1
        path.write_bytes(data)
        assert ws["totals"].lineage.prepared() == []
        again = ws["totals"].lineage.prepare(to="sales", **by)
        assert again.totals([0, 2], by=["n % 2"]).to_pylist() == first
        assert path.exists()
        ws.forget("sales", keep_dependants=True)
        assert not path.exists()
