"""How long an agent waits for an answer of `whence mcp`, a process of its own that it talks to over standard input.

The agent asks about totals by city over a long table. Warm: the process runs, and it has answered the same kind of
question about other rows. What runs in Spark stands apart: a query, and a condition that is more than comparisons.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters

import whence
from bench._sales import sales

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", 1_000_000))
TOTALS = "select city, sum(qty) as total, count(*) as n from sales where day < 300 group by city order by city"
VALUES = "select city, sum(qty * price) as value from sales group by city order by city"
SPARK = "(Spark)"
WARMING = 3
SPARK_ASKS = 5
ROUNDS = 20
"""How often each question is asked for one repeat."""

Question = tuple[str, dict[str, object]]


def run(repeats: int) -> dict[str, object]:
    """Make a workspace, start the process, and ask every question about random rows."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-", dir=os.environ.get("WHENCE_BENCH_FOLDER")) as folder:
        path = Path(folder) / "agents.whence"
        cities = _make(path)
        times = anyio.run(_ask_all, path, cities, repeats * ROUNDS)
    everything = [taken for name, each in times.items() if not name.endswith(SPARK) for taken in each]
    question = f"An answer of whence mcp about totals of {ROWS:,} rows, over standard input and output"
    return {
        "question": question,
        "rows": [_row(name, each) for name, each in {**times, "all but Spark": everything}.items()],
    }


def _make(path: Path) -> list[tuple[str, int, int]]:
    """Store the table and its totals. Return cities, each with a row behind its total and one that was left out."""
    with whence.open(path) as workspace:
        doubts = [(row, "qty", "the label was torn") for row in range(0, min(ROWS, 100_000), 1000)]
        workspace.create("sales", sales(ROWS), cell_caveats=doubts)
        totals = workspace.sql(TOTALS, name="totals")
        workspace.sql(VALUES, name="values")
        totals.lineage.wait()
        workspace.notebook("study").append("markdown", source="# Totals by city")
        cities: list[str] = totals.to_arrow().column("city").to_pylist()
        behind = totals.lineage.backward_each(range(len(cities)), to="sales")
        lost = workspace["sales"].view(where=[("day", ">=", 300)]).rids(0, len(cities)).tolist()
        return [(city, int(rows.ids[0]), row) for city, rows, row in zip(cities, behind, lost, strict=True)]


def _questions(row: int, city: str, sale: int, lost: int) -> Mapping[str, Question]:
    """Return one question to each tool, about one city, one of its sales, and a sale that was left out."""
    place: dict[str, object] = {"dataset": "totals", "row": row}
    claim: dict[str, object] = {"dataset": "totals", "column": "total", "value": 1}
    source: dict[str, object] = {"dataset": "totals", "source": "sales"}
    return {
        "list_datasets": ("list_datasets", {}),
        "describe_dataset": ("describe_dataset", {"dataset": "totals"}),
        "read_rows": ("read_rows", {"dataset": "sales", "more": sale}),
        "verify_claim": ("verify_claim", claim | {"where": f"city = '{city}'"}),
        "where_from": ("where_from", place | {"column": "total"}),
        "can_i_trust": ("can_i_trust", place | {"column": "total"}),
        "what_if, counts and sums": ("what_if", source | {"rows": [sale]}),
        "why_not, the row is there": ("why_not", source | {"row": sale}),
        "read_notebook": ("read_notebook", {"notebook": "study"}),
        f"verify_claim, any condition {SPARK}": ("verify_claim", claim | {"where": f"upper(city) = upper('{city}')"}),
        f"what_if, any query {SPARK}": ("what_if", {"dataset": "values", "source": "sales", "rows": [sale]}),
        f"why_not, the row was left out {SPARK}": ("why_not", source | {"row": lost}),
        f"run_sql {SPARK}": ("run_sql", {"query": f"select max(price) as top from sales where city = '{city}'"}),
    }


async def _ask_all(path: Path, cities: list[tuple[str, int, int]], asks: int) -> dict[str, list[float]]:
    """Return the milliseconds of every answer, by question. The questions take turns."""
    command = ["-m", "whence", "mcp", str(path), *os.environ.get("WHENCE_BENCH_OPTIONS", "").split()]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    times: dict[str, list[float]] = {}
    chance = random.Random(0)
    async with Client(server, mode="legacy") as client:
        for number in range(WARMING + asks):
            row = chance.randrange(len(cities))
            for name, (tool, arguments) in _questions(row, *cities[row]).items():
                if name.endswith(SPARK) and number >= WARMING + SPARK_ASKS:
                    continue
                start = time.perf_counter()
                answer = await client.call_tool(tool, arguments)
                taken = 1000 * (time.perf_counter() - start)
                assert not answer.is_error, answer
                if number >= WARMING:
                    times.setdefault(name, []).append(taken)
    return times


def _row(name: str, times: list[float]) -> dict[str, object]:
    return {
        "question": name,
        "asked": len(times),
        "median ms": statistics.median(times),
        "p95 ms": statistics.quantiles(times, n=20)[-1],
        "max ms": max(times),
    }
