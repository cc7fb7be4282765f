"""Lineage of a prediction flow: single strategies, with and without the choice at question time, and budgets.

The figures of SubZero (Wu's thesis, Section 3.9.2) stand beside ours. WHENCE_BENCH_SCALE=small takes fewer patients.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import whence
from bench import _genes
from whence.arrays import Operator
from whence.cli.bench import Report

TIMES = 10 if os.environ.get("WHENCE_BENCH_SCALE") == "small" else _genes.TIMES
BUDGETS = ("0MB", "1MB", "5MB", "10MB", "20MB", "50MB", "100MB")
SINGLE = ("black box", "full one", "full many", "pay one", "pay many")

WORKLOAD = [
    ("backward", "percent", "training"),
    ("backward", "model", "training"),
    ("forward", "training", "model"),
    ("forward", "training", "percent"),
]


def run(repeats: int) -> Report:
    """One row for each strategy and each budget: disk, run time, and every question."""
    patients = _genes.matrix(TIMES)
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder:
        plain, answers = 0.0, []
        for kind in ("coarse", *SINGLE):
            with whence.open(Path(folder) / f"{kind.replace(' ', '_')}.whence") as ws:
                ws.array("patients", patients)
                seconds = min(_flow(ws, kind) for _ in range(3))
                plain = plain or seconds
                if kind == "coarse":
                    continue
                timed, found = _time_questions(ws, repeats)
                answers.append(found)
                rows.append(_row(kind, _stored(ws) / patients.nbytes, seconds / plain, timed))
        with whence.open(Path(folder) / "budget.whence") as ws:
            ws.array("patients", patients)
            ws.lineage_budget(disk=0)
            seconds = _flow(ws, None)
            for disk in BUDGETS:
                ws.lineage_budget(disk=disk, workload=WORKLOAD)
                plan = ws.lineage_plan()
                timed, found = _time_questions(ws, repeats)
                answers.append(found)
                kept = ", ".join(f"{name}: {'+'.join(plan[name].kinds)}" for name in _genes.OWN)
                rows.append(
                    _row(f"budget {disk}", plan.disk / patients.nbytes, seconds / plain, timed) | {"kept": kept}
                )
        assert all(found == answers[0] for found in answers), "the strategies do not give the same answers"
    return {
        "question": f"A prediction flow over {len(patients):,} patients: lineage kept in several ways (ms)",
        "rows": [row | {"kept": row.get("kept", "")} for row in rows],
        "facts": {
            "questions": ", ".join(_questions_named()),
            "claimed": "PayBoth 8x and FullBoth 18.5x of the inputs on disk, 2.8x and 26x of the run; never more than "
            "2x slower than BlackBox with the choice at question time; at 50 MB forward questions 500x faster",
        },
    }


def _row(name: str, disk: float, run_ratio: float, timed: dict[str, float]) -> dict[str, object]:
    return {"strategy": name, "disk/inputs": disk, "run/none": run_ratio, **timed}


def _flow(ws: whence.Workspace, kind: str | None) -> float:
    def apply(operator: Operator, *inputs: str, name: str) -> None:
        own = kind if name in _genes.OWN else "coarse" if kind == "coarse" else None
        ws.apply(operator, *inputs, name=name, lineage=own, tiles=False)

    started = time.perf_counter()
    _genes.flow(apply)
    return time.perf_counter() - started


def _stored(ws: whence.Workspace) -> int:
    usage = ws._context.store.usage()  # noqa: SLF001 - what the workspace holds, by part
    newest = {each.record.label for each in ws.datasets()}
    return sum(each.lineage for each in usage.datasets if each.label in newest)


def _questions(ws: whence.Workspace) -> dict[str, Callable[[], Any]]:
    training = ws["training"]
    half = range(0, training.count, 2)
    return {
        "BQ0": lambda: ws["percent"].lineage.backward([7], to="training"),
        "BQ1": lambda: ws["model"].lineage.backward([3], to="training"),
        "FQ0": lambda: training.lineage.forward([5, 61, 130], to="model"),
        "FQ1": lambda: training.lineage.forward([5, 61, 130], to="percent"),
        "FQ2": lambda: training.lineage.forward(half, to="model"),
        "BQ2": lambda: ws["testing_ready"].lineage.backward(range(5000), to="patients"),
    }


def _questions_named() -> list[str]:
    return [
        "BQ0 prediction to training",
        "BQ1 feature to training",
        "FQ0 training to model",
        "FQ1 training to predictions",
        "FQ2 half of training to model",
        "BQ2 test cells to patients",
    ]


def _time_questions(ws: whence.Workspace, repeats: int) -> tuple[dict[str, float], list[list[int]]]:
    timed, found = {}, []
    for name, ask in _questions(ws).items():
        taken = []
        for _ in range(repeats):
            ws._context.readers.operators._traced.clear()  # noqa: SLF001 - nobody remembers an earlier run
            ws._context.readers.edges._lookup.clear()  # noqa: SLF001
            started = time.perf_counter()
            ids = ask().ids
            taken.append(1000 * (time.perf_counter() - started))
        timed[name] = statistics.median(taken)
        found.append(ids.tolist())
    return timed, found
