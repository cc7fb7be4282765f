"""Stopping a cell ends what it runs in Spark, by Spark's own list of tasks; if need be Spark is restarted for it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.spark

ROOT = Path(__file__).parent.parent.parent
HEAVY = r"""
import json, sys, threading, time
from pathlib import Path
import pyarrow as pa
import whence

JOIN = "select sum(a.x * b.x) as s, count(distinct a.x + b.x) as n from t a join t b on a.k = b.k"
# Java's matcher tries 2^60 ways without looking at the interrupt flag: only a restart ends such a task.
STUCK = r"select count(*) as s from t where x < 2 and concat(repeat('x', 60), string(x)) rlike r'(x+x+)+\1y'"


def tasks(ws):
    store = ws.spark.sparkContext._jsc.sc().statusStore()
    return store.executorSummary("driver").activeTasks()


def until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.1)


def opened(path, profile):
    ws = whence.open(path, profile=profile)
    ws.create("t", pa.table({"k": [n % 2 for n in range(400_000)], "x": list(range(400_000))}))
    ws.sql("select 1 as one", name="warm")
    return ws
"""
CELL = """
with opened(sys.argv[1], "library") as ws:
    nb = ws.notebook("n")
    cell = nb.append("sql", "select 7 as s", name="j")
    nb.run().wait()
    nb.mode = "lazy"
    nb.update(cell, QUERY)
    nb.run(cell)
    until(lambda: tasks(ws) > 0)
    time.sleep(1)
    nb.cancel(cell)
    until(lambda: cell.status == "cancelled", 60)
    shown = cell.outputs.datasets["j"].to_arrow().to_pylist()
    left = tasks(ws)
    after = nb.append("sql", "select 8 as s", name="after")
    nb.run(after).wait()
    print(json.dumps({"reason": cell.reason, "left": left, "shown": shown, "after": after.status}))
"""
BESIDE = """
with opened(sys.argv[1], "library") as ws:
    nb = ws.notebook("n")
    nb.mode = "lazy"
    heavy = nb.append("sql", STUCK, name="j")
    other = ws.notebook("other").append("sql", STUCK + " and k > -1", name="o")
    nb.run(heavy)
    ws.notebook("other").run(other)
    until(lambda: tasks(ws) > 0)
    time.sleep(1)
    nb.cancel(heavy)
    until(lambda: heavy.reason.startswith("still ending"), 60)
    seen = [heavy.status, other.status]
    ws.notebook("other").cancel(other)
    until(lambda: heavy.status == "cancelled" and other.status == "cancelled", 60)
    print(json.dumps({"seen": seen, "left": tasks(ws)}))
"""
PLANNED = """
from tests.engine.slow_planning import slow_planning
with opened(sys.argv[1], "library") as ws:
    nb = ws.notebook("n")
    nb.mode = "lazy"
    cell = nb.append("sql", "select x + 1 as y from t where x = 1", name="j")
    planning = slow_planning(ws.spark, "SilentRule")
    wait_until_it_plans = planning.__enter__()
    nb.run(cell)
    wait_until_it_plans()
    nb.cancel(cell)
    until(lambda: cell.status == "cancelled", 60)
    reason = cell.reason
    nb.run(cell).wait()
    print(json.dumps({"reason": reason, "again": ws["j"].to_arrow().to_pylist()}))
"""
INTERRUPTED = """
ws = opened(sys.argv[1], "library")
def say():
    until(lambda: tasks(ws) > 0)
    time.sleep(1)
    print("running", flush=True)
threading.Thread(target=say, daemon=True).start()
try:
    ws.sql(JOIN, name="j")
except KeyboardInterrupt:
    time.sleep(1)
    left = tasks(ws)
    again = ws.sql("select 8 as s", name="after").to_arrow().to_pylist()
    print(json.dumps({"left": left, "after": again}))
"""
PYTHON = """
with opened(sys.argv[1], "server") as ws:
    nb = ws.notebook("n")
    cell = nb.append("python", Path(sys.argv[2]).read_text())
    nb.run(cell)
    until(lambda: tasks(ws) > 0 or cell.status == "error")
    assert cell.status == "running", cell.error
    time.sleep(1)
    nb.cancel(cell)
    until(lambda: cell.status == "cancelled", 60)
    print(json.dumps({"left": tasks(ws), "reason": cell.reason}))
"""
PYSPARK = r"""
few = ws["t"].df.where("x < 2")
print(few.where(r"concat(repeat('x', 60), string(x)) rlike r'(x+x+)+\1y'").count())
"""


def test_a_query_that_ignores_its_interrupt_is_stopped_by_a_restart_of_spark(tmp_path: Path) -> None:
    assert _outcome("QUERY = STUCK" + CELL, tmp_path) == {
        "reason": "Spark was restarted to stop this query",
        "left": 0,
        "shown": [{"s": 7}],
        "after": "ready",
    }


@pytest.mark.long
def test_a_step_of_the_planner_that_does_not_end_is_stopped_by_a_restart_of_spark(tmp_path: Path) -> None:
    assert _outcome(PLANNED, tmp_path) == {"reason": "Spark was restarted to stop this query", "again": [{"y": 2}]}


@pytest.mark.long
def test_a_stopped_join_leaves_no_task_and_shows_what_the_cell_had_given(tmp_path: Path) -> None:
    outcome = _outcome("QUERY = JOIN" + CELL, tmp_path)
    outcome.pop("reason")  # its tasks end by themselves or by a restart, as the moment has it
    assert outcome == {"left": 0, "shown": [{"s": 7}], "after": "ready"}


@pytest.mark.long
def test_spark_is_not_restarted_while_another_notebook_uses_it(tmp_path: Path) -> None:
    assert _outcome(BESIDE, tmp_path) == {"seen": ["running", "running"], "left": 0}


@pytest.mark.long
def test_stopping_a_python_cell_ends_its_queries(tmp_path: Path) -> None:
    assert _outcome(PYTHON, tmp_path) == {"left": 0, "reason": "Spark was restarted to stop this query"}


def test_control_c_ends_a_query_of_the_library(tmp_path: Path) -> None:
    with _started(INTERRUPTED, tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        found = json.loads(process.communicate(timeout=400)[0])
    assert found == {"left": 0, "after": [{"s": 8}]}


def _started(script: str, folder: Path) -> subprocess.Popen[str]:
    (folder / "cell.py").write_text(PYSPARK, encoding="utf-8")
    command = [sys.executable, "-W", "ignore", "-c", HEAVY + script, str(folder / "ws"), str(folder / "cell.py")]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _outcome(script: str, folder: Path) -> Any:  # noqa: ANN401 - JSON
    with _started(script, folder) as process:
        return json.loads(process.communicate(timeout=600)[0])
