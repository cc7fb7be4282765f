"""What OpenLineage events cost a query: none, into a file, and to a receiver that never answers."""

from __future__ import annotations

import socket
from itertools import count

import numpy as np
import pyarrow as pa

import whence
from whence.cli.bench import Action, Answers, Benchmark, Context

ROWS = 100_000
QUERY = "select shop, count(*) as n, sum(amount) as total from orders group by shop"


def _query(context: Context, name: str, receiver: str | None) -> Action:
    workspace = context.closing.enter_context(whence.open(context.folder / f"{name}.whence", openlineage=receiver))
    random = np.random.default_rng(5)
    orders = {"shop": random.integers(0, 500, ROWS), "amount": random.integers(0, 100, ROWS)}
    workspace.create("orders", pa.table(orders))
    numbers = count()
    # Another name each time, so that the result of the query before is not taken over.
    return lambda: workspace.sql(QUERY, name=f"totals_{next(numbers)}", lineage="inject").count


def _without(context: Context) -> Action:
    return _query(context, "without", None)


def _file(context: Context) -> Action:
    return _query(context, "file", str(context.folder / "events.jsonl"))


def _silent(context: Context) -> Action:
    """A receiver that takes connections, and says nothing."""
    listener = context.closing.enter_context(socket.create_server(("127.0.0.1", 0), backlog=100))
    return _query(context, "silent", f"http://127.0.0.1:{listener.getsockname()[1]}")


def _check_counts(answers: Answers) -> None:
    assert set(answers.values()) == {500}, answers


BENCHMARK = Benchmark(
    name="openlineage",
    question=f"What do OpenLineage events cost a group-by of {ROWS:,} rows?",
    baseline="no events",
    contenders={"no events": _without, "into a file": _file, "to a receiver that never answers": _silent},
    checks=(_check_counts,),
)
