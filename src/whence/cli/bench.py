"""Runs the benchmarks of bench/: every contender in the same run, interleaved, reported as ratios to a baseline.

A module of bench/ exposes either `BENCHMARK`, a `Benchmark`, or `run(repeats)`, which returns the report as a dict.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from whence.model.errors import UserError

Action = Callable[[], object]
Answers = Mapping[str, object]
Report = dict[str, object]

SEED = 20


@dataclass(frozen=True)
class Context:
    """What a contender may use to prepare: a folder that is removed afterwards, and a stack of things to close."""

    folder: Path
    closing: ExitStack


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: a question, and the contenders that answer it.

    A contender is a factory: it prepares (not timed) and returns the action that is timed. The answers of the first
    warm-up go to `checks`, which raise if the contenders did not do the same work, and to `facts`, which adds numbers
    other than time.
    """

    name: str
    question: str
    baseline: str
    contenders: Mapping[str, Callable[[Context], Action]]
    checks: Sequence[Callable[[Answers], None]] = ()
    facts: Callable[[Answers], Report] = lambda _: {}
    warmups: int = 2

    def __post_init__(self) -> None:
        if self.baseline not in self.contenders:
            raise ValueError(f"the baseline {self.baseline!r} of {self.name} is none of {sorted(self.contenders)}")


def run_benchmark(name: str, repeats: int = 7, as_json: bool = False) -> str:
    """Run bench/<name>.py and return its report as a table, or as one JSON object."""
    module = _load(name)
    benchmark = getattr(module, "BENCHMARK", None)
    if isinstance(benchmark, Benchmark):
        report = measure(benchmark, repeats)
    else:
        report = {"name": name, "machine": machine(), "repeats": repeats, **module.run(repeats)}
    return json.dumps(report) if as_json else as_table(report)


def measure(benchmark: Benchmark, repeats: int, clock: Callable[[], float] = time.perf_counter) -> Report:
    """Prepare every contender, warm up, check the answers, then time them in rounds of shuffled order."""
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder, ExitStack() as closing:
        actions = _prepare(benchmark, Context(Path(folder), closing))
        answers = {contender: action() for contender, action in actions.items()}
        for check in benchmark.checks:
            check(answers)
        for _ in range(benchmark.warmups - 1):
            for action in actions.values():
                action()
        times = _time_rounds(actions, repeats, clock)
        facts = benchmark.facts(answers)
    return {
        "name": benchmark.name,
        "question": benchmark.question,
        "baseline": benchmark.baseline,
        "machine": machine(),
        "repeats": repeats,
        "results": summarise(times, benchmark.baseline),
        "facts": facts,
    }


def machine() -> Report:
    """Describe the machine, so that a reader can compare absolute numbers."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "cores": cores,
        "system": platform.system(),
        "machine": platform.machine(),
        "python": platform.python_version(),
    }


def as_table(report: Report) -> str:
    """Return the report as text: the question, one aligned line per contender or workload, then the facts."""
    lines = _aligned(_cells(report)) if "results" in report or "rows" in report else list(_spelled_out(report))
    facts = report.get("facts") or {}
    assert isinstance(facts, dict)
    cores = machine()["cores"]
    title = [str(report.get("question", report["name"])), f"{report['repeats']} repeats on {cores} cores", ""]
    return "\n".join([*title, *lines, *(f"{fact}: {value}" for fact, value in facts.items())])


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [f"{name:<{widths[0]}}  " + "  ".join(map(str.rjust, rest, widths[1:])) for name, *rest in rows]


def _spelled_out(found: Mapping[str, object], above: str = "") -> Iterator[str]:
    """Yield nested findings, one on each line, each with all the keys that lead to it."""
    for name, value in found.items():
        if isinstance(value, Mapping):
            yield from _spelled_out(value, f"{above}{name}, ")
        elif above or name not in ("name", "question", "repeats"):
            yield f"{above}{name}: {_figure_text(value)}"


def _cells(report: Report) -> list[list[str]]:
    """Return the cells of the table, heading first: `results` by contender, or the `rows` that a module returned."""
    results, own = report.get("results"), report.get("rows")
    if isinstance(results, dict):
        lines = [
            [name, f"{r['median_ms']:.1f}", f"{r['min_ms']:.1f}", f"{r['ratio']:.2f}"] for name, r in results.items()
        ]
        return [["contender", "median ms", "min ms", "ratio"], *lines]
    assert isinstance(own, list), "rows are a list"
    heading = list(own[0])
    return [heading, *([_figure_text(row.get(name)) for name in heading] for row in own)]


def _figure_text(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else "-" if value is None else str(value)


def _load(name: str) -> ModuleType:
    """Import the benchmark of this name from the folder bench/ of the source checkout."""
    folder = _bench_folder()
    known = {path.stem.replace("_", "-"): path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")}
    if name not in known:
        raise UserError(f"There is no benchmark named {name}.", f"Known: {', '.join(sorted(known)) or 'none yet'}.")
    if str(folder.parent) not in sys.path:
        sys.path.insert(0, str(folder.parent))
    try:
        return import_module(f"{folder.name}.{known[name]}")
    except ModuleNotFoundError as missing:
        raise _missing_peer(name, missing) from missing


def _bench_folder() -> Path:
    for folder in Path(__file__).resolve().parents:
        if (folder / "bench").is_dir() and (folder / "pyproject.toml").is_file():
            return folder / "bench"
    raise UserError("Benchmarks are not part of the installed package.", "Run ./dev bench in a checkout of the source.")


def _prepare(benchmark: Benchmark, context: Context) -> dict[str, Action]:
    actions: dict[str, Action] = {}
    for contender, factory in benchmark.contenders.items():
        try:
            actions[contender] = factory(context)
        except ModuleNotFoundError as missing:
            raise _missing_peer(f"{benchmark.name}, contender {contender}", missing) from missing
    return actions


def _missing_peer(where: str, missing: ModuleNotFoundError) -> UserError:
    return UserError(f"{where} needs {missing.name}, which is not installed.", f"Run: pip install {missing.name}")


def _time_rounds(actions: dict[str, Action], repeats: int, clock: Callable[[], float]) -> dict[str, list[float]]:
    """Return the milliseconds of every run of each contender."""
    order, shuffle = list(actions), random.Random(SEED).shuffle
    times: dict[str, list[float]] = {contender: [] for contender in actions}
    for _ in range(repeats):  # interleaved and shuffled, so that a drift of the machine hits all contenders alike
        shuffle(order)
        for contender in order:
            gc.collect()  # so that no contender pays for the garbage of the one before
            start = clock()
            actions[contender]()
            times[contender].append(1000 * (clock() - start))
    return times


def summarise(times: dict[str, list[float]], baseline: str) -> Report:
    """Return the median and the least milliseconds of each contender, and the ratio of its median to the baseline's."""
    medians = {contender: statistics.median(taken) for contender, taken in times.items()}
    return {
        contender: {
            "median_ms": medians[contender],
            "min_ms": min(taken),
            "ratio": medians[contender] / medians[baseline],
        }
        for contender, taken in times.items()
    }
