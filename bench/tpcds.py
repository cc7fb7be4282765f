"""All queries of TPC-DS: are rows and lineage right, and what does capturing lineage cost.

Each query runs with and without lineage (`ratio`: the median over `repeats` runs of each, interleaved). Its rows are
compared with DuckDB's, and DuckDB gives some rows again from the rows behind them alone. `WHENCE_BENCH_SCALE` sets the
scale factor (default 0.01), `WHENCE_BENCH_ROWS` how many rows of each result are asked about (default 10),
`WHENCE_BENCH_ONLY` picks queries by name, such as `q5,q14a`. `--repeats 0` judges and times nothing.

Judging all queries takes hours. `WHENCE_BENCH_VERDICTS` names a file in which each verdict is one line of JSON: a run
reads the verdicts there, judges the queries that have none, and begins no further one after `WHENCE_BENCH_MINUTES`.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import count
from pathlib import Path

import whence
from bench._tpcds import Databases, Verdict, generate_tables, judge, query_names, query_text
from whence.cli.bench import Report

SCALE = os.environ.get("WHENCE_BENCH_SCALE", "0.01")
ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", "10"))
ONLY = tuple(filter(None, os.environ.get("WHENCE_BENCH_ONLY", "").split(",")))
VERDICTS = Path(os.environ.get("WHENCE_BENCH_VERDICTS", os.devnull))
MINUTES = float(os.environ.get("WHENCE_BENCH_MINUTES", "inf"))
NUMBERS = count()


def run(repeats: int) -> Report:
    """Judge and time every query."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as name:
        folder = Path(name)
        with whence.open(folder / "tpcds.whence") as ws:
            ws.capture.take_over(False)  # the same queries are to run again and again
            databases = Databases.load(ws, generate_tables(folder / "tables", SCALE))
            verdicts = list(_judge_all(databases))
            timed = [each.name for each in verdicts if not each.error] if repeats else []
            ratios = {name: _ratio(ws, name, repeats) for name in timed}
    return {
        "question": f"TPC-DS scale {SCALE}: rows, lineage and the cost of capture",
        "rows": [_row(each, ratios.get(each.name)) for each in verdicts],
        "facts": _facts(verdicts, tuple(ratios.values())),
    }


def _judge_all(databases: Databases) -> Iterator[Verdict]:
    """The verdicts that are known, and those of the other queries as far as there is time."""
    started = time.monotonic()
    lines = VERDICTS.read_text().splitlines() if VERDICTS.exists() else []
    known = {each["name"]: Verdict(**each) for each in map(json.loads, lines)}
    for name in ONLY or query_names():
        if name in known:
            yield known[name]
        elif time.monotonic() - started < 60 * MINUTES:
            verdict = _judge(databases, name)
            with VERDICTS.open("a") as file:
                file.write(json.dumps(asdict(verdict)) + "\n")
            yield verdict


def _judge(databases: Databases, name: str) -> Verdict:
    """Judge a query; whatever ends it is its verdict, for the queries after it are to be judged as well."""
    try:
        return judge(databases, name, ROWS)
    except Exception as error:
        return Verdict(name, error=f"{type(error).__name__}: {error}"[:500])


def _ratio(ws: whence.Workspace, name: str, repeats: int) -> float:
    """How long a query takes with lineage, in terms of the time without."""
    text, times = query_text(name), {True: list[float](), False: list[float]()}
    for _ in range(repeats):
        for lineage, taken in times.items():
            started = time.perf_counter()
            ws.sql(text, name=f"timed_{next(NUMBERS)}", lineage=lineage)
            taken.append(time.perf_counter() - started)
    return statistics.median(times[True]) / statistics.median(times[False])


def _row(verdict: Verdict, ratio: float | None) -> Report:
    return {
        "query": verdict.name,
        "rows": verdict.rows,
        "result": verdict.error or ("equal" if verdict.is_equal else "DIFFERENT"),
        "lineage": "exact" if verdict.is_exact else "coarse",
        "asked": verdict.asked,
        "again": verdict.by_contribution,
        "with influence": verdict.with_influence,
        "lost": verdict.lost,
        "one way": verdict.one_way,
        "ratio": None if ratio is None else round(ratio, 2),
    }


def _facts(verdicts: Sequence[Verdict], ratios: Sequence[float]) -> Report:
    return {
        "queries": len(verdicts),
        "failed": sum(bool(each.error) for each in verdicts),
        "different": sum(not each.is_equal and not each.error for each in verdicts),
        "exact": sum(each.is_exact for each in verdicts),
        "coarse": [each.name for each in verdicts if not each.is_exact and not each.error],
        "rows lost": sum(each.lost for each in verdicts),
        "found one way only": sum(each.one_way for each in verdicts),
        "median ratio": round(statistics.median(ratios), 2) if ratios else None,
    }
