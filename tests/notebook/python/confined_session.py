"""A server whose Spark is confined, tried from inside; prints what happened as JSON. Run by test_confined.py."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import whence

_TRIES = """
from pyspark.sql import functions as F
import json

def attempt(work):
    try:
        return str(work())[:80]
    except Exception as error:
        return "refused" if "ermission" in str(error) or "AccessDenied" in str(error) else repr(error)[:300]

def in_tasks(code):
    run = F.udf(lambda _: str(eval(code)), "string")
    return lambda: ws.spark.range(1).select(run("id")).collect()[0][0]

outcomes = {
    "read by Spark": attempt(lambda: ws.spark.read.text(SECRET).collect()),
    "list by Spark": attempt(lambda: ws.spark.read.format("binaryFile").load(FOLDER).count()),
    "write by Spark": attempt(lambda: ws.spark.range(3).write.csv(FOLDER + "/out")),
    "database by Spark": attempt(lambda: ws.spark.read.format("binaryFile").load(DATABASE).collect()),
    "read in a task": attempt(in_tasks("open(" + repr(SECRET) + ").read()")),
    "environment in a task": attempt(in_tasks("'WHENCE_SECRET' in __import__('os').environ")),
    "server's environment": attempt(in_tasks("open('/proc/SERVER/environ').read()")),
    "home in a task": attempt(in_tasks("__import__('os').listdir('/root')")),
}
ws["outcomes"] = [outcomes]
"""


def main(folder: Path) -> None:
    outside = folder / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("mine")
    (folder / "prices.csv").write_text("part,price\nbolt,1\nnut,2\n")
    os.environ["WHENCE_SECRET"] = "s3cret"
    with whence.open(folder / "confined.whence", profile="confined") as ws:
        ws.load(folder / "prices.csv")
        total = ws.sql("select sum(price) total from prices", name="total")
        known = {"SECRET": str(outside / "secret.txt"), "FOLDER": str(outside), "DATABASE": str(ws.path / "meta.db")}
        lines = "".join(f"{name} = {value!r}\n" for name, value in known.items())
        outcomes = ws.run_cell("python", source=lines + _TRIES.replace("SERVER", str(os.getpid())))
        grouped = ws.run_cell("python", source="ws['n'] = ws['prices'].df.groupBy('part').count()")
        found = {
            "total": total.to_arrow().to_pylist(),
            "lineage": total.lineage.backward([0], to="prices").ids.tolist(),
            "grouped": grouped.count,
            "outcomes": outcomes.to_arrow().to_pylist()[0],
            "written": sorted(each.name for each in outside.iterdir()),
        }
    sys.stdout.write("OUTCOME" + json.dumps(found) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
