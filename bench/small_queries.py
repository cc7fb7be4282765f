"""What a query of a thousand rows costs beyond Spark: the same texts, in turn, by whence with lineage and by Spark.

Spark only fetches the result of each text and keeps nothing. The report also says how much processor time a query of
whence takes in Python and in Java, and how often it calls the Java process.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from py4j.clientserver import ClientServerConnection

import whence
from bench._sales import sales
from bench._timing import milliseconds

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", 1_000))
WARM_ROUNDS = 5
SHAPES = {
    "filter": "select * from {plain}sales where price > {n} + 0.25",
    "group-by": "select city, count(*) as n, sum(price) as total from {plain}sales where id > {n} group by city",
    "join": "select id, title from {plain}sales s join {plain}cities c on s.city = c.city where id > {n}",
    "limit": "select * from {plain}sales where id > {n} order by price desc limit 10",
    "window": "select id, rank() over (partition by day order by price) as r from {plain}sales where id > {n}",
}


@dataclass
class Spent:
    """What the queries of one contender took, one entry for each query."""

    wall: dict[str, list[float]] = field(default_factory=lambda: {shape: [] for shape in SHAPES})
    python: list[float] = field(default_factory=list)
    java: list[float] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)


def run(repeats: int) -> dict[str, object]:
    """Run every shape with a constant of its own in each round, by one contender after the other."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as name:
        folder = Path(name)
        with whence.open(folder / "small.whence") as ws:
            _make_tables(ws, folder)
            contenders: dict[str, tuple[str, Callable[[str], object]]] = {
                "Spark": ("plain_", lambda text: ws.spark.sql(text).toArrow()),
                "whence": ("", lambda text: ws.sql(text, name="made")),
            }
            spent = {who: Spent() for who in contenders}
            for number in range(WARM_ROUNDS + repeats):
                for shape, text in SHAPES.items():
                    for who, (plain, ask) in contenders.items():
                        query = text.format(plain=plain, n=number)
                        _spend(spent[who] if number >= WARM_ROUNDS else Spent(), shape, ask, query)
    return _report(spent)


def _make_tables(ws: whence.Workspace, folder: Path) -> None:
    table = sales(ROWS)
    cities = pc.unique(table.column("city"))
    tables = {"sales": table, "cities": pa.table({"city": cities, "title": pc.utf8_upper(cities)})}
    for name, each in tables.items():
        ws.create(name, each)
        pq.write_table(each, folder / f"{name}.parquet")
        ws.spark.read.parquet(str(folder / f"{name}.parquet")).createOrReplaceTempView(f"plain_{name}")


def _spend(spent: Spent, shape: str, ask: Callable[[str], object], query: str) -> None:
    calls, send = [0], ClientServerConnection.send_command

    def counted(connection: ClientServerConnection, command: str) -> str:
        calls[0] += 1
        answer: str = send(connection, command)
        return answer

    python, java = _processor_times()
    with patch.object(ClientServerConnection, "send_command", counted):
        spent.wall[shape].append(milliseconds(lambda: ask(query)))
    python_then, java_then = _processor_times()
    spent.python.append(1000 * (python_then - python))
    spent.java.append(1000 * (java_then - java))
    spent.calls.append(calls[0])


def _processor_times() -> tuple[float, float]:
    """Return the processor seconds of this process, and of those that it has started."""
    this = psutil.Process()
    own, *others = (each.cpu_times() for each in (this, *this.children(recursive=True)))
    return own.user + own.system, sum(each.user + each.system for each in others)


def _report(spent: dict[str, Spent]) -> dict[str, object]:
    medians = {who: {shape: statistics.median(each) for shape, each in of.wall.items()} for who, of in spent.items()}
    beyond = {shape: medians["whence"][shape] - medians["Spark"][shape] for shape in SHAPES}
    facts: dict[str, object] = {f"beyond Spark, {shape}, ms": round(each) for shape, each in beyond.items()}
    for who, of in spent.items():
        facts[f"{who}: processor ms of a query in Python, in Java"] = (
            f"{statistics.mean(of.python):.0f}, {statistics.mean(of.java):.0f}"
        )
        facts[f"{who}: calls of Java in a query"] = round(statistics.mean(of.calls))
    return {
        "question": f"Queries over {ROWS:,} rows",
        "baseline": "Spark",
        "results": {
            f"{who}: {shape}": {
                "median_ms": statistics.median(each),
                "min_ms": min(each),
                "max_ms": max(each),
                "ratio": medians[who][shape] / medians["Spark"][shape],
            }
            for who, of in spent.items()
            for shape, each in of.wall.items()
        },
        "facts": {**facts, "beyond Spark, median of the shapes, ms": round(statistics.median(beyond.values()))},
    }
