"""What `whence run` costs: PySpark programs, unchanged, each with plain Python and with whence in turn."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.programs.data import write_data
from whence.cli.bench import Report
from whence.engine.java import java_home

ROWS = int(os.environ.get("WHENCE_BENCH_ROWS", "200000"))
"""Lines of the largest file that the programs read."""
ONLY = frozenset(filter(None, os.environ.get("WHENCE_BENCH_PROGRAMS", "").split(",")))
_SCRIPTS = Path(__file__).resolve().parents[1] / "tests" / "programs" / "scripts"


def run(repeats: int) -> Report:
    """Run every program in turn, and compare the medians."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as name:
        folder = Path(name)
        write_data(folder / "data", ROWS)
        programs = [each for each in sorted(_SCRIPTS.glob("*.py")) if not ONLY or each.stem in ONLY]
        rows = [_measured(each, folder, repeats) for each in programs]
    ratios = [float(str(row["ratio"])) for row in rows]
    return {
        "question": f"programs over {ROWS} lines, with `whence run` against Python alone",
        "rows": rows,
        "facts": {"programs": len(rows), "median_ratio": round(statistics.median(ratios), 2), "worst": max(ratios)},
    }


def _measured(program: Path, folder: Path, repeats: int) -> Report:
    plain, kept = [], []
    for _ in range(max(1, repeats)):  # in turn, so that a drift of the machine hits both
        plain.append(_seconds([sys.executable, str(program)], folder))
        shutil.rmtree(folder / "kept.whence", ignore_errors=True)  # nothing is known of an earlier run
        whence_run = [sys.executable, "-m", "whence", "run", "--workspace", str(folder / "kept.whence")]
        kept.append(_seconds([*whence_run, str(program), "--"], folder))
    before, after = statistics.median(plain), statistics.median(kept)
    return {
        "program": program.stem,
        "plain_s": round(before, 1),
        "whence_s": round(after, 1),
        "ratio": round(after / before, 2),
    }


def _seconds(command: list[str], folder: Path) -> float:
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    shutil.rmtree(folder / "spark-warehouse", ignore_errors=True)
    environment = {**os.environ, "JAVA_HOME": str(java_home()), "PYSPARK_PYTHON": sys.executable}
    begun = time.perf_counter()
    arguments = [str(folder / "data"), str(out)]
    subprocess.run([*command, *arguments], cwd=folder, env=environment, check=True, capture_output=True)
    return time.perf_counter() - begun
