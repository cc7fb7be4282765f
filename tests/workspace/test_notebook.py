"""A notebook on Spark: cells, versions, branches, names, cancelling, and a Java process that dies."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import whence
from whence.model.errors import EditConflict, UserError

SLOW = "select count(*) n from range(1000000) a cross join range(1000000) b where a.id * b.id % 7 = 3"


@pytest.fixture
def nb(ws: whence.Workspace) -> whence.Notebook:
    ws.create("t", [(1, 10), (2, 20), (1, 30)], schema="k int, x int")
    return ws.notebook("tour")


def values(ws: whence.Workspace, name: str) -> list[tuple[Any, ...]]:
    return sorted(tuple(row.values()) for row in ws[name].to_arrow().to_pylist())


def test_the_path_of_a_notebook(ws: whence.Workspace, nb: whence.Notebook) -> None:
    sums = nb.append("sql", source="select k, sum(x) s from t group by k", name="sums")
    top = nb.append("sql", source="select max(s) m from sums", name="top")
    nb.wait()
    assert (values(ws, "sums"), values(ws, "top")) == ([(1, 40), (2, 20)], [(40,)])
    assert [cell.status for cell in nb.cells] == ["ready", "ready"]
    assert ws["top"].lineage.backward([0], to="t").ids.tolist() == [0, 1, 2]
    nb.branch("try", at=2)
    nb.update(sums, source="select k, sum(x) + 1 s from t group by k")
    nb.wait()
    assert values(ws, "top") == [(41,)]
    nb.checkout("try")
    assert values(ws, "top") == [(40,)], "ws[name] follows the branch checked out"
    assert top.status == "ready"
    nb.checkout("main").restore(1)
    assert [cell.id for cell in nb.cells] == ["c1"]
    with pytest.raises(whence.WhenceError, match="top is made by the notebook tour, whose branch main has not made it"):
        ws["top"]
    found = [(each.version, each.parent, each.branch, each.action, each.cell) for each in nb.history()]
    assert found == [
        (1, None, "main", "append", "c1"),
        (2, 1, "main", "append", "c2"),
        (3, 2, "main", "update", "c1"),
        (4, 3, "main", "restore", None),
    ]
    assert ws.notebook("TOUR") is nb


def test_a_new_version_of_a_dataset_outside_makes_its_readers_stale(ws: whence.Workspace, nb: whence.Notebook) -> None:
    cell = nb.append("sql", source="select count(*) n from t", name="n")
    nb.wait()
    ws.create("t", [(1, 10)], schema="k int, x int")
    assert (cell.status, cell.reason) == ("stale", "input changed")
    nb.run(cell).wait()
    assert values(ws, "n") == [(1,)]


def test_a_name_belongs_to_the_notebook_that_makes_it(ws: whence.Workspace, nb: whence.Notebook) -> None:
    cell = nb.append("sql", source="select 1 a", name="out")
    nb.wait()
    other = ws.notebook("other")
    late = other.append("sql", source="select 2 a", name="OUT")
    other.wait()
    assert late.error is not None
    assert late.error.message == "The dataset OUT is made by the notebook tour."
    with pytest.raises(UserError, match="The dataset out is made by the notebook tour"):
        ws.create("out", [(3,)], schema="a int")
    readers = ws.notebook("readers")
    reader = readers.append("sql", source="select a + 1 b from out", name="seen")
    readers.wait()
    assert (values(ws, "seen"), reader.status) == ([(2,)], "ready")
    nb.delete(cell)
    other.run(late).wait()
    assert (late.status, values(ws, "out")) == ("ready", [(2,)]), "nobody else makes it any more"


def test_a_cell_that_asks_for_caveats_is_stale_once_they_are_acknowledged(
    ws: whence.Workspace, nb: whence.Notebook
) -> None:
    for name in ("guess", "other"):
        ws.create(name, [(1,), (2,)], schema="x int", cell_caveats=[(0, "x", "a guess")])
    nb.append("sql", source="select x + 1 as y from guess", name="more")
    asked = nb.append("sql", source="select y, has_caveat(y) as odd from more order by y", name="asked")
    kept = nb.append("filter", source="guess", condition="not HAS_CAVEAT(x)", name="certain")
    plain = nb.append("sql", source="select count(*) n from more", name="plain")
    nb.wait()
    assert (values(ws, "asked"), values(ws, "certain")) == ([(2, True), (3, False)], [(2,)])
    (elsewhere,) = ws["other"].caveats.list()
    ws["other"].caveats.acknowledge(elsewhere)
    assert [cell.status for cell in nb.cells] == ["ready"] * 4, "no caveat of it reaches any of them"
    (group,) = ws["guess"].caveats.list()
    ws["guess"].caveats.acknowledge(group)
    assert [(cell.status, cell.reason) for cell in (asked, kept)] == [("stale", "input changed")] * 2
    assert plain.status == "ready", "whatever is in doubt, it gives the same"
    assert values(ws, "asked") == [(2, True), (3, False)], "it keeps the answer it had"
    nb.run_stale().wait()
    assert (values(ws, "asked"), values(ws, "certain")) == ([(2, False), (3, False)], [(1,), (2,)])
    ws["guess"].caveats.revoke(group)
    assert asked.status == "ready", "the first run is known, and its answer holds again"
    nb.run().wait()
    assert values(ws, "asked") == [(2, True), (3, False)]


def test_of_two_editors_the_later_hears_of_the_other(nb: whence.Notebook) -> None:
    nb.mode = "lazy"
    cell = nb.append("sql", source="select 1", name="one")
    nb.update(cell, source="select 2", base_version=1)
    with pytest.raises(EditConflict) as caught:
        nb.update(cell, source="select 3", base_version=1, command_id="late")
    assert (caught.value.mine, caught.value.theirs, cell.source) == ("select 3", "select 2", "select 2")
    assert [each.values["source"] for each in nb.at(caught.value.side_version)] == ["select 3"]


def test_cancelling_stops_spark_and_shows_how_far_it_was(nb: whence.Notebook) -> None:
    quick = nb.append("sql", source="select 1 a", name="quick")
    nb.wait()
    slow = nb.append("sql", source=SLOW, name="slow")
    deadline = time.monotonic() + 60
    while slow.progress is None or not slow.progress.total:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    nb.cancel()
    nb.wait(30)
    assert (quick.status, slow.status) == ("ready", "cancelled")


def test_a_dataset_called_prelude_hides_no_prelude(ws: whence.Workspace, nb: whence.Notebook) -> None:
    nb.append("python", source="HALF = 0.5", prelude=True)
    nb.append("python", source="import pandas as pd\nws['prelude'] = pd.DataFrame({'x': [8]})")
    nb.append("python", source="ws['halves'] = ws['prelude'].to_pandas() * HALF")
    nb.wait()
    assert [cell.status for cell in nb.cells] == ["ready"] * 3, [cell.error for cell in nb.cells]
    assert values(ws, "halves") == [(4.0,)]


def test_a_query_that_takes_longer_than_the_limit_is_stopped(nb: whence.Notebook) -> None:
    nb.time_limit = 1.0
    slow = nb.append("sql", source=SLOW, name="slow")
    started = time.monotonic()
    nb.wait(60)
    assert slow.error is not None
    assert (slow.status, slow.error.message) == ("error", "The cell took longer than 1 seconds and was stopped.")
    assert time.monotonic() - started < 30
    nb.time_limit = None
    quick = nb.append("sql", source="select 1 a", name="quick")
    nb.wait(60)
    assert quick.status == "ready"


def test_a_notebook_outlives_its_process_state(tmp_path: Path, spark_home: whence.Workspace) -> None:
    assert spark_home.spark is not None
    with whence.open(tmp_path / "w.whence") as ws:
        nb = ws.notebook("tour")
        nb.append("sql", source="select 1 a", name="one")
        nb.append("sql", source="select nothing", name="bad")
        nb.wait()
        version = nb.version
    with whence.open(tmp_path / "w.whence") as ws:
        nb = ws.notebook("tour")
        assert [(cell.status, cell.source) for cell in nb.cells] == [
            ("ready", "select 1 a"),
            ("error", "select nothing"),
        ]
        assert (nb.version, ws.notebooks(), ws.is_engine_running) == (version, ["tour"], False)
        assert nb.cells[0].outputs.datasets["one"].to_arrow().to_pylist() == [{"a": 1}]


RESTARTS = """
import os, signal, sys, threading, time
import whence
from whence.engine import process
from whence.engine.restart import gateway
from whence.notebook.schedule import watchdog

SLOW = {slow!r}
with whence.open(sys.argv[1], master="local[2]") as ws:
    ws.create("t", [(1,), (2,)], schema="x int")
    nb = ws.notebook("tour")
    good = nb.append("sql", source="select sum(x) s from t", name="good")
    nb.wait()
    slow = nb.append("sql", source=SLOW, name="slow")
    while slow.progress is None or not slow.progress.total:
        time.sleep(0.05)
    os.kill(gateway().proc.pid, signal.SIGKILL)
    nb.wait(60)
    print("killed", good.status, slow.status, slow.reason, sep="|")
    engine, t = ws._context.engine, ws["t"]
    print("read", *(sorted(each.columns) for each in engine.reads(lambda: t.df, ["x + 1"], t.record.schema)), sep="|")
    nb.update(good, source="select sum(x) + 1 s from t")
    nb.wait()
    came_from = ws["good"].lineage.backward([0], to="t").ids.tolist()
    print("again", good.status, ws["good"].to_arrow().to_pylist(), came_from, sep="|")
    watchdog.HARD_AFTER = 1.0
    obeyed, java = process.cancel_group, gateway().proc
    process.cancel_group = lambda session, group: None  # a query that does not listen
    nb.update(slow, source=SLOW + " or a.id = 1")
    while slow.progress is None or not slow.progress.total:
        time.sleep(0.05)
    nb.cancel(slow)
    nb.wait(60)
    print("hard", slow.status, "ended" if java.poll() is not None else "runs", sep="|")
    process.cancel_group = obeyed
    nb.run(good, again=True).wait()
    print("new", good.status, sep="|")
"""


@pytest.mark.long
def test_spark_is_started_anew_after_it_died_and_when_it_does_not_obey(tmp_path: Path) -> None:
    script = tmp_path / "restarts.py"
    script.write_text(RESTARTS.format(slow=SLOW))
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "w.whence")],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.splitlines() == [
        "killed|ready|stale|engine lost",
        "read|['x']",
        "again|ready|[{'s': 4}]|[0, 1]",
        "hard|cancelled|ended",
        "new|ready",
    ], done.stderr[-2000:]
