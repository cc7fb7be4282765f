"""What `whence run` keeps and costs: PySpark programs, unchanged, each with plain Python and with whence in turn."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench._program_runs import (
    Program,
    ProgramRun,
    are_equal,
    own_programs,
    prepare_folder,
    run_plainly,
    run_with_whence,
    spark_programs,
)
from tests.programs.data import write_data
from whence.cli.bench import Report

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", "200000"))
"""Lines of the largest file that the programs of the tests read."""
ONLY = frozenset(filter(None, os.environ.get("WHENCE_BENCH_PROGRAMS", "").split(",")))
_EMPTY = "from pyspark.sql import SparkSession\nSparkSession.builder.getOrCreate().range(1).collect()\n"


def run(repeats: int) -> Report:
    """Run every program in turn, compare what it printed and wrote, and compare the medians of its times."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as name:
        folder = Path(name)
        prepare_folder(folder)
        write_data(folder / "orders", ROWS)
        start = _medians(_start_of_spark(folder, repeats))
        programs = [*spark_programs(), *own_programs(folder / "orders", folder / "out")]
        rows = []
        for each in programs:
            if not ONLY or each.name in ONLY:
                rows.append(_measured(each, folder, repeats, start))
                print(rows[-1], file=sys.stderr, flush=True)
    return {
        "question": f"programs, those of the tests over {ROWS} lines, with `whence run` against Python alone",
        "rows": rows,
        "facts": {
            "programs": len(rows),
            "run": sum(row["runs"] is True for row in rows),
            "equal": sum(row["equal"] is True for row in rows),
            "start_s": round(start[0], 1),
            "start_cpu_s": round(start[1], 1),
            **_totals([row for row in rows if row["from"] == "Apache Spark"], "spark"),
            **_totals([row for row in rows if row["from"] == "tests"], "tests"),
        },
    }


def _start_of_spark(folder: Path, repeats: int) -> list[ProgramRun]:
    empty = folder / "empty.py"
    empty.write_text(_EMPTY)
    return [run_plainly(Program(empty, ""), folder) for _ in range(max(1, repeats))]


def _measured(program: Program, folder: Path, repeats: int, start: tuple[float, float]) -> Report:
    plain, kept = [], []
    for _ in range(max(1, repeats)):  # in turn, so that a drift of the machine hits both
        plain.append(run_plainly(program, folder))
        kept.append(run_with_whence(program, folder))
    before, after = _medians(plain), _medians(kept)
    return {
        "program": program.name,
        "from": program.origin,
        "outputs": kept[0].outputs,
        "exact": kept[0].exact,
        "exact_rows": kept[0].exact_rows,
        "equal": all(are_equal(one, other) for one, other in zip(plain, kept, strict=True)),
        "runs": not any(each.status for each in (*plain, *kept)),
        "plain_s": round(before[0], 1),
        "whence_s": round(after[0], 1),
        "ratio": round(after[0] / before[0], 2),
        "plain_cpu_s": round(before[1], 1),
        "whence_cpu_s": round(after[1], 1),
        "cpu_ratio": round(after[1] / before[1], 2),
        "cpu_ratio_after_start": _without_start(before[1], after[1], start[1]),
    }


def _without_start(before: float, after: float, start: float) -> float:
    """Return the ratio without the time that starting Spark takes in a program without whence."""
    return round((after - start) / max(before - start, 0.1), 2)


def _medians(runs: list[ProgramRun]) -> tuple[float, float]:
    return statistics.median(each.seconds for each in runs), statistics.median(each.cpu for each in runs)


def _totals(rows: list[Report], of: str) -> Report:
    """Return the shares and ratios of some programs together, and of the one in the middle."""

    def total(column: str) -> float:
        return sum(float(str(row[column])) for row in rows)

    def median(column: str) -> float:
        return round(statistics.median(float(str(row[column])) for row in rows), 2)

    ratio: Callable[[str, str], float] = lambda after, before: round(total(after) / total(before), 2)  # noqa: E731
    if not rows:
        return {}
    return {
        f"{of}_exact": round(total("exact") / max(total("outputs"), 1), 2),
        f"{of}_exact_rows": round(total("exact_rows") / max(total("outputs"), 1), 2),
        f"{of}_ratio": ratio("whence_s", "plain_s"),
        f"{of}_ratio_median": median("ratio"),
        f"{of}_cpu_ratio": ratio("whence_cpu_s", "plain_cpu_s"),
        f"{of}_cpu_ratio_median": median("cpu_ratio"),
        f"{of}_cpu_ratio_after_start_median": median("cpu_ratio_after_start"),
    }
