"""Lineage of an image flow: what each way to keep it takes, and how long questions take, against running again.

The figures of SubZero (Wu's thesis, Section 3.9.1) stand beside ours. WHENCE_BENCH_SCALE=small takes small images.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

import whence
from bench import _sky
from whence.arrays import Emit, Operator
from whence.arrays.lookups import Edge, MappedLookup
from whence.arrays.operator import shape_of
from whence.arrays.shapes import Shapes
from whence.cli.bench import Report

if os.environ.get("WHENCE_BENCH_SCALE") == "small":
    _sky.SHAPE = (128, 256)

CLAIMED = {
    "BlackBox": "disk 1x, run 1x, questions up to 100 s",
    "FullOne": "disk 66x of inputs, run 6x, backward 45x over BlackBox",
    "FullMany": "disk 53x of inputs, run 44x, backward 34x over BlackBox",
    "chosen": "disk 1.95x of inputs, run 1.49x, backward 255x over BlackBox",
}

CLEAN = ["clean", "merged", "sky1", "flat1", "bias1"]
"""The way from the cleaned image to the first exposure that does not go through means."""


class Instrumented(Operator):
    """A built-in operator that is run again in tracing mode: it lists the cells behind every cell."""

    gives = {whence.Full}

    def __init__(self, operator: Operator) -> None:
        self.operator = operator

    def run(self, inputs: Sequence[Any], emit: Emit) -> Any:  # noqa: ANN401
        """The output, with everything listed."""
        output = self.operator.run(inputs, emit)
        if "full" in emit.wants:
            shapes = Shapes(tuple(map(shape_of, inputs)), shape_of(output))
            for number in range(len(inputs)):
                reach = MappedLookup(Edge(self.operator, shapes, number), True).reach(np.arange(shapes.cells))
                emit.pairs(np.repeat(np.arange(shapes.cells), reach.lengths), reach.ids, number)
        return output


STRATEGIES: dict[str, dict[str, str | None]] = {
    # How built-in operators are kept, and our own: with and without a default, by region.
    "no lineage": {"built_in": "coarse", "comp": "coarse", "pay": "coarse"},
    "BlackBox": {"built_in": "black box", "comp": "black box", "pay": "black box"},
    "BlackBoxOpt": {"built_in": "map", "comp": "black box", "pay": "black box"},
    "FullOne": {"built_in": "map", "comp": "full one", "pay": "full one"},
    "FullMany": {"built_in": "map", "comp": "full many", "pay": "full many"},
    "chosen": {"built_in": None, "comp": None, "pay": None},
}


def run(repeats: int) -> Report:
    """One row for each strategy: disk and run time against none, then every question."""
    raw1, raw2, flat = _sky.exposures()
    rows: list[dict[str, object]] = []
    answers: dict[str, list[list[int]]] = {}
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder, ExitStack() as closing:
        opened = {}
        for name in STRATEGIES:
            ws = opened[name] = closing.enter_context(whence.open(Path(folder) / f"{name.replace(' ', '_')}.whence"))
            for label, array in (("raw1", raw1), ("raw2", raw2), ("flat", flat)):
                ws.array(label, array)
        # In rounds, as a machine is never equally busy for long.
        times = [{name: _flow(ws, STRATEGIES[name]) for name, ws in opened.items()} for _ in range(2)]
        for name, ws in opened.items():
            row: dict[str, object] = {"strategy": name, "disk/inputs": _stored(ws) / (raw1.nbytes + raw2.nbytes)}
            row["run s"] = min(each[name] for each in times)
            if name != "no lineage":
                timed, answers[name] = _time_questions(ws, 1 if name.startswith("Black") else max(3, repeats))
                row |= timed
            rows.append(row)
        for found in answers.values():
            assert found == answers["chosen"], "the strategies do not give the same answers"
    return {"question": "An image flow of 26 operators: lineage kept in six ways (ms)", **_table(rows)}


def _flow(ws: whence.Workspace, how: dict[str, str | None]) -> float:
    def apply(operator: Operator, *inputs: str, name: str) -> None:
        kind = how["built_in"] if name not in _sky.OWN else how["pay" if name == "stars" else "comp"]
        given = Instrumented(operator) if name not in _sky.OWN and kind == "black box" else operator
        ws.apply(given, *inputs, name=name, lineage=kind, tiles=False)

    started = time.process_time()  # of the processor: nothing runs elsewhere, and a busy machine does not count
    _sky.flow(apply)
    return time.process_time() - started


def _stored(ws: whence.Workspace) -> int:
    usage = ws._context.store.usage()  # noqa: SLF001 - what the workspace holds, by part
    newest = {each.record.label for each in ws.datasets()}
    return sum(each.lineage for each in usage.datasets if each.label in newest)


def _cells(dataset: whence.Dataset) -> np.ndarray:
    assert isinstance(dataset, whence.ArrayDataset)
    return dataset.to_numpy()


def _questions(ws: whence.Workspace) -> dict[str, Callable[[], Any]]:
    labels = _cells(ws["stars"])
    star = np.flatnonzero(labels == labels[labels > 0][500 % np.count_nonzero(labels)])
    rays = np.flatnonzero(_cells(ws["rays1"]))[:20]
    height, width = labels.shape
    box = np.zeros(labels.shape, dtype=bool)
    box[height // 4 : height // 4 + 10, width // 4 : width // 4 + 10] = True
    some = box.copy()
    some[:, : width // 8] = True
    return {
        "BQ0 star to raw": lambda: ws["stars"].lineage.backward(
            star, to="raw1", path=["bright", "blurred", "blur_x", *CLEAN]
        ),
        "BQ1 star to merged": lambda: ws["stars"].lineage.backward(
            star, to="merged", path=["bright", "blurred", "blur_x", "clean"]
        ),
        "BQ2 rays to raw": lambda: ws["rays1"].lineage.backward(rays, to="raw1"),
        "BQ3 region of clean": lambda: ws["clean"].lineage.backward(box, to="raw1", path=CLEAN[1:]),
        "BQ4 region of shown": lambda: ws["shown"].lineage.backward(box, to="raw1", path=CLEAN),
        "FQ0 through the mean": lambda: ws["raw1"].lineage.forward(some, to="lifted"),
    }


def _time_questions(ws: whence.Workspace, repeats: int) -> tuple[dict[str, float], list[list[int]]]:
    found, timed = [], {}
    for name, ask in _questions(ws).items():
        taken = []
        for _ in range(repeats):
            ws._context.readers.operators._traced.clear()  # noqa: SLF001 - nobody remembers an earlier run
            ws._context.readers.edges._lookup.clear()  # noqa: SLF001
            started = time.perf_counter()
            ids = ask().ids
            taken.append(1000 * (time.perf_counter() - started))
        found.append(ids.tolist())
        timed[name] = statistics.median(taken)
    return timed, found


def _table(rows: list[dict[str, Any]]) -> Report:
    plain = float(rows[0]["run s"])
    names = [name for name in rows[1] if name.startswith(("BQ", "FQ"))]
    shown = []
    for row in rows:
        line: dict[str, object] = {"strategy": row["strategy"], "disk/inputs": row["disk/inputs"]}
        line["run/none"] = float(row["run s"]) / plain
        shown.append(line | {name.split()[0]: row.get(name) for name in names})
    black, ours = rows[1], rows[-1]
    ratios = [float(black[name]) / float(ours[name]) for name in names if name.startswith("BQ")]
    facts: dict[str, object] = {
        "run without lineage, processor s": round(plain, 2),
        "questions": ", ".join(names),
        "backward, BlackBox / chosen": f"mean {statistics.mean(ratios):.0f}, least {min(ratios):.0f}",
        "forward through the mean, BlackBox / chosen": f"{float(black[names[-1]]) / float(ours[names[-1]]):.0f}",
    }
    facts |= {f"claimed for {name}": text for name, text in CLAIMED.items()}
    return {"rows": shown, "facts": facts}
