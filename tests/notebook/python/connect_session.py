"""One server, tried out by PySpark in Python cells; prints what happened as JSON. Run by test_connect.py.

A process of its own, because a Spark that runs already cannot become a server's.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import psutil

import whence
from whence.notebook.cell import CellContext
from whence.notebook.control import Cancelled, RunControl
from whence.notebook.display import Stream
from whence.notebook.run_cell import run_cell
from whence.notebook.scope import Names

SAME = {
    "group": (
        "t.groupBy('k').agg(F.sum('x').alias('s'), F.count('*').alias('n')).orderBy('k')",
        "select k, sum(x) as s, count(*) as n from t group by k order by k",
    ),
    "join": ("t.join(u, 'k').orderBy('id', 'z')", "select * from t join u using (k) order by id, z"),
    "left": ("t.join(u, 'k', 'left').orderBy('id', 'z')", "select * from t left join u using (k) order by id, z"),
    "semi": ("t.join(u, 'k', 'left_semi')", "select * from t left semi join u using (k)"),
    "union": ("t.select('k').unionAll(u.select('k'))", "select k from t union all select k from u"),
    "distinct": ("t.select('k').distinct().orderBy('k')", "select distinct k from t order by k"),
    "window": (
        "t.withColumn('r', F.row_number().over(Window.partitionBy('k').orderBy('id')))",
        "select *, row_number() over (partition by k order by id) r from t",
    ),
    "sql": (
        "ws.spark.sql('select k, max(x) m from {a} group by k order by k', a=t)",
        "select k, max(x) m from t group by k order by k",
    ),
    "view": (
        "(t.createOrReplaceTempView('mine'), SparkSession.builder.appName('program').getOrCreate().sql("
        "'select k, max(x) m from mine group by k order by k'))[1]",
        "select k, max(x) m from t group by k order by k",
    ),
    "drop": ("t.drop('x').repartition(2).orderBy('id')", "select id, k from t order by id"),
    "caveat": (
        "t.selectExpr(\"caveat_if(x, x > 2, 'large') as x\")",
        "select caveat_if(x, x > 2, 'large') as x from t",
    ),
}
_BEFORE = "from pyspark.sql import SparkSession, Window, functions as F\nt, u = ws['t'].df, ws['u'].df\n"


_STRANGER = """
import os, sys
from pyspark.sql import SparkSession
for token in ("", "0" * 64):
    os.environ["SPARK_CONNECT_AUTHENTICATE_TOKEN"] = token
    try:
        print(SparkSession.builder.remote(sys.argv[1]).create().range(3).count())
    except Exception as error:
        print("UNAUTHENTICATED" if "UNAUTHENTICATED" in str(error) or "token" in str(error) else repr(error)[:200])
"""
_SEARCH = """
import gc, os, socket
ws['t'].df.count()
texts = [each for each in gc.get_objects() if isinstance(each, str)]
print(SECRET in str(dict(os.environ)), any(each.startswith(SECRET) and len(each) > 8 for each in texts))
try:
    socket.create_connection(('127.0.0.1', PORT), 2)
    print('connected')
except OSError as error:
    print(type(error).__name__)
"""
_EXPORT = """
import re
@ws.export
def shout(text: str) -> str:
    return None if text is None else re.sub('a', 'A', text) + '!'
"""
_UDF = "f = F.udf(lambda x: None if x is None else x + 1, 'double')\nws['more'] = t.select(f('x').alias('y'))"


def main(folder: Path) -> None:
    with whence.open(folder / "server.whence", profile="server") as ws:
        ws.create("t", [(1, "a", 1.0), (2, "b", 2.0), (3, "a", 3.0), (4, None, None)], "id int, k string, x double",
                  cell_caveats=[(1, "x", "odd"), (2, "k", "smudged")])  # fmt: skip
        ws.create("u", [("a", 10), ("b", 20), ("b", 30), ("c", 40)], "k string, z int", row_caveats=[(1, "perhaps")])
        ws.create("hidden", [("xyzzy",)], "word string")
        found = {
            "same": _same(ws),
            "policy": _policy(ws),
            "written": _written(ws),
            "attacks": _attacks(ws, folder),
            "door": _door(ws),
            "functions": _functions(ws),
            "cancel": _cancel(ws),
            "session": _session(ws),
        }
        views = ws.spark.sql("show tables in global_temp").collect()
        found["left over"] = [row.tableName for row in views if row.namespace]
    sys.stdout.write("OUTCOME" + json.dumps(found, default=str) + "\n")


def _same(ws: whence.Workspace) -> dict[str, list[object]]:
    """Each query by PySpark in a cell and by SQL: rows, lineage and marks."""
    lines = "".join(f"ws['by_{name}'] = {code}\n" for name, (code, _) in SAME.items())
    ws.run_cell("python", source=_BEFORE + lines)
    return {
        name: [_traces(ws[f"by_{name}"]), _traces(ws.sql(text, name=f"sql_{name}"))] for name, (_, text) in SAME.items()
    }


def _written(ws: whence.Workspace) -> list[str]:
    """Where values of a frame of Python lists were written, and of a constant and a label beside rows."""
    rows = "ws['lists'] = ws.spark.createDataFrame(\n    [('US-East', 142050)], 'r string, s int')\n"
    beside = "ws['beside'] = t.withColumn('bonus', F.lit(99000)).withColumn('market', F.lit('EU'))"
    ws.run_cell("python", source=rows)
    ws.run_cell("python", source=_BEFORE + beside)
    places = [("lists", "r"), ("lists", "s"), ("beside", "id"), ("beside", "bonus"), ("beside", "market")]
    return [ws[name].lineage.origin(0, column) for name, column in places]


def _policy(ws: whence.Workspace) -> dict[str, object]:
    """What a frame that PySpark made says of its lineage under each setting of capture."""
    settings: dict[str, Callable[[], None]] = {
        "pause": ws.capture.pause,
        "off": ws.capture.off,
        "limit": lambda: ws.capture.limit(bytes=1),
        "only": lambda: ws.capture.only("u"),
    }
    found: dict[str, object] = {}
    for name, setting in settings.items():
        setting()
        made = ws.run_cell("python", source=f"ws['under_{name}'] = ws['t'].df.where('id > 1')")
        found[name] = made.lineage.strategy
        ws.capture.resume()
        ws.capture.limit()
        ws.capture.only()
    return found | _later(ws)


def _later(ws: whence.Workspace) -> dict[str, object]:
    """What a group-by that PySpark made says where SQL would leave its lineage for later, and who hears of it."""
    code = "ws['{name}'] = ws['t'].df.groupBy('k').count()"
    with mock.patch("whence.lineage.strategy.MANY_ROWS", 1):
        large = ws.run_cell("python", source=code.format(name="large_group"))
    ws.lineage_budget(disk="1MB")
    ws.lineage_plan()
    planned = ws.run_cell("python", source=code.format(name="planned_group"))
    choices = [each.dataset for each in ws.lineage_plan().choices]
    ws._context.background.planner.close()
    return {
        "queue": [large.lineage.strategy, ws._context.background.queue.is_empty],
        "budget": [planned.lineage.strategy, planned.record.label in choices],
        "exact": [each.lineage.exact for each in (large, planned)],
    }


def _session(ws: whence.Workspace) -> dict[str, object]:
    """PySpark in cells that share variables: a frame of one cell, used in another, and a query that is stopped."""
    nb = ws.notebook("session")
    nb.mode = "session"
    take = nb.append("python", source=_BEFORE)
    make = nb.append("python", source=f"ws['in_session'] = {SAME['group'][0]}")
    slow = nb.append("python", source="ws.spark.range(10**12).selectExpr('sum(sqrt(id))').collect()")
    look = nb.append("python", source="print(t.count())")
    for cell in (take, make):
        nb.run(cell).wait(300)
    nb.run(slow)
    tracker = ws.spark.sparkContext.statusTracker()
    _wait(lambda: bool(tracker.getActiveJobsIds()))
    nb.cancel()
    nb.wait(120)
    _wait(lambda: not tracker.getActiveJobsIds())
    nb.run(look).wait(300)
    found = {
        "statuses": [cell.status for cell in nb.cells],
        "same": [_traces(ws["in_session"]), _traces(ws.sql(SAME["group"][1], name="not_in_session"))],
        "seen": look.outputs.text,
    }
    nb.close()
    return found


def _wait(claim: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not claim():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _traces(dataset: whence.Dataset) -> list[object]:
    lineage = dataset.lineage
    rows = range(dataset.count)
    names = [each.name for each in dataset.parents()]
    cells = [
        sorted((ref.dataset, ref.row, ref.column, ref.role) for ref in lineage.cell(row, column))
        for row in rows
        for column in dataset.columns
    ]
    return [
        dataset.to_arrow().to_pylist(),
        lineage.exact,
        names,
        [[lineage.backward([row], to=name).ids.tolist() for row in rows] for name in names],
        cells,
        dataset.caveats.marks().to_pylist(),
        dataset.caveats.row_set,
    ]


def _attacks(ws: whence.Workspace, folder: Path) -> dict[str, dict[str, object]]:
    rows = ws._context.store.rows_path
    hidden = rows(ws["hidden"].record)
    fake = folder / "evil" / "datasets" / ws["t"].record.id / "rows"
    shutil.copytree(rows(ws["t"].record), fake)
    own = repr(str(rows(ws["t"].record)))
    file, schema = "ws.spark.read.text('/etc/hostname')", "'id int, k string, x double, __whence_offset bigint'"
    few = f"ws.spark.read.schema({schema}).option('pathGlobFilter', 'n')"
    replaced = "(ws.spark.range(3).createOrReplaceGlobalTempView(VIEW), ws.spark.table('global_temp.' + VIEW))[1]"
    replaced = replaced.replace("VIEW", "ws.spark.catalog.listTables('global_temp')[0].name")
    made = "ws.spark.sql('create table if not exists made using parquet as select 1 as a')"
    tries = {
        "a file": file,
        "a file beside a dataset": f"t.crossJoin({file})",
        "a file in a subquery": f"ws.spark.sql('select * from {{a}} where id in (select 1 from {{b}})', a=t, b={file})",
        "a dataset nobody gave": f"ws.spark.read.parquet({str(hidden)!r}).select('word')",
        "a folder called like a dataset": f"ws.spark.read.parquet({str(fake)!r}).select('id', 'k', 'x')",
        "a dataset's files, some left out": f"{few}.parquet({own}).select('id')",
        "a dataset's files, other columns": f"ws.spark.read.parquet({own}).select('id')",
        "a table of the catalog": f"({made}, ws.spark.table('made'))[1]",
        "rows that passed through Python": "ws.spark.createDataFrame(ws['t'].to_pandas())",
        "a cached frame": f"{file}.cache()",
    }
    lines = [f"ws['attack{number}'] = {code}" for number, code in enumerate(tries.values())]
    ws.run_cell("python", source="\n".join([_BEFORE, *lines]))
    return {name: _claimed(ws[f"attack{number}"]) for number, name in enumerate(tries)} | {
        "a replaced input": _claimed(ws.run_cell("python", source=f"{_BEFORE}ws['replaced'] = {replaced}"))
    }


def _claimed(made: whence.Dataset) -> dict[str, object]:
    return {
        "exact": made.lineage.exact,
        "parents": [each.name for each in made.parents()],
        "said": [message for group in made.caveats.list() for message in group.messages],
    }


def _door(ws: whence.Workspace) -> dict[str, object]:
    """Who gets in: nobody without the token, and only on this machine's own address."""
    connect = ws._context.engine.connect
    assert connect is not None
    env = dict(os.environ, SPARK_CONNECT_MODE_ENABLED="1")
    client = [sys.executable, "-c", _STRANGER, connect.address]
    done = subprocess.run(client, env=env, capture_output=True, text=True, timeout=300)
    outcomes: dict[str, object] = {"strangers": done.stdout.split() or done.stderr[-2000:]}
    gateway: Any = ws.spark.sparkContext._gateway
    java = psutil.Process(gateway.proc.pid)
    family = [java, *java.children(recursive=True)]
    found = (each for one in family for each in one.net_connections() if each.status == psutil.CONN_LISTEN)
    listening = {each.laddr.ip.removeprefix("::ffff:") for each in found}
    outcomes["listening on"] = sorted(listening)
    secret, port = gateway.gateway_parameters.auth_token, gateway.gateway_parameters.port
    source = _SEARCH.replace("SECRET", repr(secret[:8])).replace("PORT", str(port))
    shown = run_cell(cell_context(ws), "python", {"source": source}).displays
    outcomes["gateway"] = "".join(each.text for each in shown if isinstance(each, Stream)).split()
    return outcomes


def _functions(ws: whence.Workspace) -> dict[str, object]:
    """An exported function called from SQL, and a UDF made in a cell."""
    made = run_cell(cell_context(ws), "python", {"source": _EXPORT}).functions
    frame = ws._context.engine.sql("select id, shout(k) s from t order by id", functions=made)
    loud = ws.dataset(frame, name="loud")
    udf = ws.run_cell("python", source=_BEFORE + _UDF)
    outcome: dict[str, object] = {
        "sql": loud.to_arrow().column("s").to_pylist(),
        "sql lineage": [loud.lineage.backward([row], to="t").ids.tolist() for row in range(loud.count)],
        "udf": udf.to_arrow().column("y").to_pylist(),
    }
    for text in ("select shout(k) from t", "select * from text.`/etc/hostname`", "set spark.sql.ansi.enabled=false"):
        with contextlib.suppress(whence.WhenceError):
            ws.sql(text, name="never")
            outcome.setdefault("passed", []).append(text)  # type: ignore[attr-defined]
    return outcome


def _cancel(ws: whence.Workspace) -> dict[str, object]:
    """A cell whose query would run for hours stops when it is told to, in Spark as well."""
    control = RunControl()
    tracker = ws.spark.sparkContext.statusTracker()

    def cancel() -> None:
        while not tracker.getActiveJobsIds():
            time.sleep(0.1)
        control.cancel()

    waiting = threading.Thread(target=cancel)
    waiting.start()
    started = time.monotonic()
    try:
        slow = "ws.spark.range(10**12).selectExpr('sum(sqrt(id))').collect()"
        run_cell(cell_context(ws, control), "python", {"source": slow})
        ended = "finished"
    except Cancelled:
        ended = "cancelled"
    waiting.join()
    until = time.monotonic() + 20
    while tracker.getActiveJobsIds() and time.monotonic() < until:
        time.sleep(0.2)
    return {"ended": ended, "jobs": list(tracker.getActiveJobsIds()), "seconds": time.monotonic() - started}


def cell_context(ws: whence.Workspace, control: RunControl | None = None) -> CellContext:
    context = ws._context
    scope = Names({record.name: record for record in context.store.datasets()})
    return CellContext(
        context.store, context.engine, scope, run=control or RunControl(), workers=context.background.workers
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
