"""Where the time of a query goes, by stages: a group-by over 1,000, 100,000 and ten million rows, with lineage.

The spans are measured around the stages of `whence.derive`, the calls of Java and what waits for the disk. With
`WHENCE_BENCH_PICTURE=docs/images/stages.svg` the benchmark draws the median query of each size.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from functools import partial
from pathlib import Path

from py4j.clientserver import ClientServerConnection

import whence
from bench._sales import sales
from bench._spans import Place, Recorder, Span, describe, draw
from whence.derive import derive, draft, run_rewritten
from whence.engine import plan_reading, run_here
from whence.engine import run as engine_run
from whence.engine.plan_running import PlanRunning
from whence.engine.query_analysis import QueryAnalysis
from whence.engine.script import Runner
from whence.store.durable import Syncs

SIZES = tuple(int(each) for each in os.environ.get("WHENCE_BENCH_ROWS", "1000 100000 10000000").split())
PICTURE = os.environ.get("WHENCE_BENCH_PICTURE")
WARM_ROUNDS = 10
QUERY = "select city, count(*) as n, sum(price) as total from sales_{size} where id > {n} group by city"
PLACES = (
    Place(QueryAnalysis, "sql", "analyse the text"),
    Place(plan_reading.PlanReading, "read", "read the plan"),
    Place(derive, "keep_rows", "keep rows"),
    Place(derive, "read_plan", "analyse and read"),
    Place(Runner, "describe_plan", "plan as JSON"),
    Place(plan_reading, "parse_plan", "JSON to steps"),
    Place(derive, "with_fingerprint", "fingerprint"),
    Place(derive, "reuse_result", "reuse"),
    Place(derive, "choose_capture", "choose capture"),
    Place(derive, "rewrite_plan", "rewrite"),
    Place(derive, "run_rewritten", "write and run the plan"),
    Place(run_rewritten, "write_plan", "write the plan"),
    Place(PlanRunning, "write_remembering", "steps to Spark"),
    Place(run_rewritten, "run_plan", "run the plan"),
    Place(Runner, "interpreted", "session without codegen"),
    Place(Runner, "collect", "Spark runs, rows come"),
    Place(engine_run, "run_in_spark", "Spark runs and writes"),
    Place(run_here, "write_part", "write Parquet"),
    Place(derive, "exact_draft", "draft"),
    Place(draft, "find_groups_by_keys", "lineage by keys"),
    Place(draft, "decode", "lineage by ids"),
    Place(derive, "publish", "publish"),
    Place(derive, "follow_up", "follow up"),
    Place(os, "fsync", "sync"),
    Place(Syncs, "wait", "sync"),
    Place(ClientServerConnection, "send_command", "Java"),
)


def run_sizes(repeats: int) -> dict[int, list[Span]]:
    """Run the query of each size in turn, and return its spans."""
    spans: dict[int, list[Span]] = {size: [] for size in SIZES}
    recorder = Recorder()
    with (
        tempfile.TemporaryDirectory(prefix="whence-bench-", dir=os.environ.get("WHENCE_BENCH_FOLDER")) as folder,
        whence.open(Path(folder, "stages.whence")) as ws,
    ):
        for size in SIZES:
            ws.create(f"sales_{size}", sales(size).select(["id", "city", "price"]))
        for number in range(WARM_ROUNDS + repeats):
            for size in SIZES:
                if number < WARM_ROUNDS and size > 1_000_000 and number % 5:
                    continue  # two rounds warm what only large inputs need
                ask = partial(ws.sql, QUERY.format(size=size, n=number), name="made")
                with recorder.watching(PLACES):
                    span = recorder.record(f"{size:,} rows", ask)
                spans[size] += [span] if number >= WARM_ROUNDS else []
    return spans


def run(repeats: int) -> dict[str, object]:
    """Report the median time of each size, and the stages of the query that took it."""
    spans = run_sizes(repeats)
    medians = [sorted(each, key=lambda span: span.seconds)[len(each) // 2] for each in spans.values()]
    if PICTURE is not None:
        Path(PICTURE).write_text(draw(medians), encoding="utf-8")
    base = medians[0].seconds
    return {
        "question": "Where the time of a group-by goes",
        "baseline": medians[0].name,
        "results": {
            median.name: {
                "median_ms": 1000 * statistics.median(span.seconds for span in each),
                "min_ms": 1000 * min(span.seconds for span in each),
                "max_ms": 1000 * max(span.seconds for span in each),
                "ratio": median.seconds / base,
            }
            for median, each in zip(medians, spans.values(), strict=True)
        },
        "facts": {f"stages of {median.name}": "\n" + "\n".join(describe(median)) for median in medians},
    }
