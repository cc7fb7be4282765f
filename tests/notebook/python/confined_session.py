"""A server whose Spark is confined, tried from inside; prints what happened as JSON. Run by test_confined.py."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import whence
from tests.notebook.python.connect_session import cell_context
from whence.notebook.run_cell import run_cell

_KEY = "PYTHON_WORKER_FACTORY_SECRET"
_WORK = (
    "list(__import__('concurrent.futures').futures.ThreadPoolExecutor(2)"
    ".map(abs, [-1, int(__import__('tempfile').TemporaryFile().write(b'ab'))]))"
)
_EXPORT = """
@ws.export
def peek(folder: str) -> str:
    import os
    try:
        return str(os.listdir(folder))
    except OSError as error:
        return type(error).__name__
"""
_TRIES = """
from pyspark.sql import functions as F
import json

def attempt(work):
    try:
        return str(work())[:80]
    except Exception as error:
        if "A cell" in str(error) or "for this cell" in str(error):
            return "refused at the gate"
        return "refused" if "ermission" in str(error) or "AccessDenied" in str(error) else repr(error)[:300]

ws.spark

def in_tasks(code):
    run = F.udf(lambda _: str(eval(code)), "string")
    return lambda: ws.spark.range(1).select(run("id")).collect()[0][0]

outcomes = {
    "read in a task": attempt(in_tasks("open(" + repr(SECRET) + ").read()")),
    "environment in a task": attempt(in_tasks("sorted(set(__import__('os').environ) & {'WHENCE_SECRET', KEY})")),
    "first environment in a task": attempt(in_tasks("KEY in open('/proc/self/environ').read()")),
    "write to tmp in a task": attempt(in_tasks("open(TEMPORARY + '/evil', 'w')")),
    "write to staging in a task": attempt(in_tasks("open(STAGING + '/evil', 'w')")),
    "list the workspace in a task": attempt(in_tasks("__import__('os').listdir(TEMPORARY)")),
    "connect in a task": attempt(in_tasks("__import__('socket').create_connection(('127.0.0.1', PORT))")),
    "other protocols in a task": attempt(in_tasks("__import__('socket').socket(2, 1, 262)")),
    "kill Java in a task": attempt(in_tasks("__import__('os').kill(JAVA, 0)")),
    "kill the daemon in a task": attempt(in_tasks("__import__('os').kill(__import__('os').getppid(), 0)")),
    "start a process in a task": attempt(in_tasks("__import__('subprocess').run(['/bin/true'])")),
    "threads and files in a task": attempt(in_tasks("COMPUTE")),
    "server's environment": attempt(in_tasks("open('/proc/SERVER/environ').read()")),
    "home in a task": attempt(in_tasks("__import__('os').listdir('/root')")),
}
ws["outcomes"] = [outcomes]
ws["asked"] = [{name: attempt(work) for name, work in asked.items()}]
"""
_ASKED = """
S = ws.spark
asked = {
    "read": lambda: S.read.text(SECRET).collect(),
    "size": lambda: S.read.format("binaryFile").load(SECRET).select("length").collect(),
    "list": lambda: S.read.format("binaryFile").load(FOLDER).count(),
    "write": lambda: S.range(3).write.csv(FOLDER + "/out"),
    "write by name": lambda: S.range(3).writeTo("evil").create(),
    "database": lambda: S.read.format("binaryFile").load(DATABASE).collect(),
    "jdbc": lambda: S.read.jdbc("jdbc:postgresql://127.0.0.1/x", "t").collect(),
    "stream": lambda: S.readStream.format("rate").load().schema,
    "a file in SQL": lambda: S.sql(f"select * from text.`{SECRET}`").collect(),
    "a file in an expression": lambda: S.range(1).select(F.expr(f"(select count(*) from text.`{SECRET}`)")).collect(),
    "jar": lambda: S.sql("add jar '/x.jar'").collect(),
    "function of a jar": lambda: S.sql("create function f as 'java.lang.Runtime' using jar '/x.jar'").collect(),
    "temporary function": lambda: S.sql("create temporary function f as 'java.lang.Runtime'").collect(),
    "table": lambda: S.sql("create table evil using parquet as select 1 as a").collect(),
    "saved table": lambda: S.range(3).write.saveAsTable("evil"),
    "database made": lambda: S.sql("create database evil").collect(),
    "view for all": lambda: S.sql("create view evil as select 1 as a").collect(),
    "global view": lambda: S.range(1).createGlobalTempView("evil"),
    "global view in SQL": lambda: S.sql("create global temporary view evil as select 1 as a").collect(),
    "view of a file": lambda: S.sql(f"create temporary view v using text options (path '{SECRET}')").collect(),
    "setting in SQL": lambda: S.sql("set spark.sql.runSQLOnFiles=true").collect(),
    "setting": lambda: S.conf.set("spark.sql.runSQLOnFiles", "true"),
    "setting unset": lambda: S.conf.unset("spark.sql.runSQLOnFiles"),
    "script": lambda: S.sql("begin select 1; end").collect(),
    "text run": lambda: S.sql("execute immediate 'select 1'").collect(),
    "java": lambda: S.range(1).select(F.reflect(F.lit("java.util.UUID"), F.lit("randomUUID"))).collect(),
    "java by name": lambda: S.range(1).select(F.call_function("java_method", F.lit("a"), F.lit("b"))).collect(),
    "java in SQL": lambda: S.sql("select reflect('java.util.UUID', 'randomUUID')").collect(),
    "java in an expression": lambda: S.range(1).selectExpr("reflect('java.util.UUID', 'randomUUID')").collect(),
    "java function": lambda: S.udf.registerJavaFunction("evil", "java.lang.Runtime"),
    "shared names": lambda: S.catalog.listTables("global_temp"),
    "shared names in SQL": lambda: S.sql("show tables in global_temp").collect(),
    "the view of another": lambda: S.table("global_temp.whence_0123").collect(),
    "the view of another in SQL": lambda: S.sql("select * from global_temp.whence_0123").collect(),
    "the cache of all": lambda: S.catalog.clearCache(),
    "files of a dataset": lambda: ws["prices"].df.inputFiles(),
    "module": lambda: (open("evil.py", "w").close(), S.addArtifacts("evil.py", pyfile=True)),
    "copy to Spark's files": lambda: (open("x.txt", "w").close(), S.copyFromLocalToFs("x.txt", FOLDER + "/copied")),
    "another session": lambda: S.newSession().range(3).count(),
    "a copy of the session": lambda: S.cloneSession().range(3).count(),
    "checkpoint": lambda: S.range(3).checkpoint().count(),
}
"""
_USED = """
import pandas as pd
from pyspark.sql import Window, functions as F
S, t = ws.spark, ws["prices"].df
@F.pandas_udf("long")
def plus(s: pd.Series) -> pd.Series:
    return s + 1
S.udf.register("twice", lambda x: 2 * x, "long")
t.createOrReplaceTempView("mine")
S.sql("create or replace temporary view yours as select * from mine where price > 1")
S.conf.set("spark.sql.session.timeZone", "UTC")
large = pd.DataFrame({"a": range(200_000), "b": ["x" * 50] * 200_000})
used = {
    "sql": S.sql("select sum(twice(price)) as s from mine").collect()[0].s,
    "view": [table.name for table in S.catalog.listTables()],
    "frame": S.sql("select max(price) as m from {a}", a=t).collect()[0].m,
    "pandas": [row[0] for row in t.orderBy("price").select(plus("price")).collect()],
    "grouped": t.groupBy("part").applyInPandas(lambda f: f, "part string, price long").count(),
    "window": t.withColumn("r", F.row_number().over(Window.orderBy("price"))).filter("r = 1").count(),
    "made in Python": S.createDataFrame(large).filter(F.col("a") < 10).count(),
    "kept": t.localCheckpoint().count() + t.cache().count(),
    "expressions": t.selectExpr("upper(part) as p", "caveat_if(price, price > 1, 'large') as q").count(),
    "shown": t._show_string().count("bolt"),
    "pandas on Spark": int(t.pandas_api()["price"].sum()),
    "ml": len(__import__("pyspark.ml.feature", fromlist=["Tokenizer"]).Tokenizer(inputCol="part", outputCol="w")
              .transform(t).collect()),
}
import json
ws["used"] = [{"used": json.dumps(used)}]
S.stop()
"""
_PLANTED = """
from pyspark.sql import functions as F
S = ws.spark

def plant(_):
    import builtins
    seen = getattr(builtins, "planted", "nothing")
    builtins.planted = "a patch"
    return seen

rows = [row for _ in range(3) for row in S.range(0, 4, 1, 4).select(F.udf(plant, "string")("id")).collect()]
ws["seen"] = [{"n": len(rows), "seen": sorted({row[0] for row in rows})}]
"""
"""Each row is a task of its own, so there are more tasks than processes that Spark knows."""


def main(folder: Path) -> None:
    outside = folder / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("mine")
    (folder / "prices.csv").write_text("part,price\nbolt,1\nnut,2\n")
    os.environ["WHENCE_SECRET"] = "s3cret"
    _put_parquet(folder)
    with whence.open(folder / "confined.whence") as ws:
        ws.load(folder / "plain", name="in_place", in_place=True)
    with whence.open(folder / "confined.whence", profile="confined") as ws:
        ws.load(folder / "prices.csv")
        total = ws.sql("select sum(price) total from prices", name="total")
        known = {"SECRET": str(outside / "secret.txt"), "FOLDER": str(outside), "DATABASE": str(ws.path / "meta.db")}
        lines = "".join(f"{name} = {value!r}\n" for name, value in known.items())
        with socket.create_server(("127.0.0.1", 0)) as listener:
            ws.run_cell("python", source=lines + _in_words(_ASKED + _TRIES, ws, listener.getsockname()[1]))
        used = ws.run_cell("python", source=_USED)
        seen = ws.run_cell("python", source=_PLANTED)
        grouped = ws.run_cell("python", source="ws['n'] = ws['prices'].df.groupBy('part').count()")
        found = {
            "total": total.to_arrow().to_pylist(),
            "lineage": total.lineage.backward([0], to="prices").ids.tolist(),
            "grouped": grouped.count,
            "in place": _rows(ws.sql("select n + 1 as m from in_place order by m", name="more")),
            "years": _rows(ws.load(folder / "parted", name="years")),
            "exported": _exported(ws),
            "used": json.loads(str(used.to_arrow().to_pylist()[0]["used"])),
            "left behind": seen.to_arrow().to_pylist(),
            "outcomes": ws["outcomes"].to_arrow().to_pylist()[0],
            "asked": ws["asked"].to_arrow().to_pylist()[0],
            "other workspace": _open_another(folder),
            "written": sorted(each.name for each in outside.iterdir()),
        }
    sys.stdout.write("OUTCOME" + json.dumps(found) + "\n")


def _in_words(tries: str, ws: whence.Workspace, port: int) -> str:
    """Return the tries with what only this process knows."""
    gateway: Any = ws.spark.sparkContext._gateway
    known = {
        "SERVER": str(os.getpid()),
        "JAVA": str(gateway.proc.pid),
        "PORT": str(port),
        "KEY": repr(_KEY),
        "TEMPORARY": repr(str(ws.path / "tmp")),
        "STAGING": repr(str(ws.path / "staging")),
        "COMPUTE": _WORK,
    }
    for name, value in known.items():
        tries = tries.replace(name, value)
    return tries


def _exported(ws: whence.Workspace) -> list[str]:
    """Return what a function sees of the workspace that a cell exported for SQL."""
    functions = run_cell(cell_context(ws), "python", {"source": _EXPORT}).functions
    frame = ws._context.engine.sql(f"select peek('{ws.path / 'tmp'}') as seen", functions=functions)
    return [str(row["seen"]) for row in frame.collect()]


def _open_another(folder: Path) -> str:
    """Return why a second workspace cannot use the Spark that is confined to the first."""
    with whence.open(folder / "other.whence", profile="confined") as ws:
        try:
            ws.sql("select 1 as a", name="one")
        except whence.WhenceError as error:
            return str(error)
    return "opened"


def _put_parquet(folder: Path) -> None:
    """Write a folder of Parquet, and one whose subfolders are a column."""
    for place, numbers in (("plain", [1, 2]), ("parted/year=2024", [3]), ("parted/year=2025", [4])):
        (folder / place).mkdir(parents=True)
        pq.write_table(pa.table({"n": numbers}), folder / place / "part.parquet")


def _rows(dataset: whence.Dataset) -> list[list[object]]:
    return sorted(list(row.values()) for row in dataset.to_arrow().to_pylist())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
