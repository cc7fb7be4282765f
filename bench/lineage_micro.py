"""Encodings by fan-in and fan-out: disk, time to pack, and a question about a thousand cells.

After the micro-benchmark of SubZero (Wu's thesis, Section 3.9): an array of a million cells, a tenth with lineage, in
regions of a given number of output and input cells; payloads of four bytes for each input cell.
"""

from __future__ import annotations

import os
import statistics
import time
from typing import Any

import numpy as np

from whence.arrays import Operator, Shapes
from whence.arrays.emit import Emit
from whence.arrays.encodings import lookup_of, narrowed
from whence.arrays.lookups import Edge
from whence.arrays.measure import size_of
from whence.arrays.shapes import Ids
from whence.arrays.strategy import strategy
from whence.arrays.tracing import OperatorRun, pack
from whence.cli.bench import Report
from whence.lineage.selection import Selection

SIDE = 300 if os.environ.get("WHENCE_BENCH_SCALE") == "small" else 1000
SIZES = (1, 5, 10, 50, 100)
KINDS = ("full one", "full many", "pay one", "pay many")
ASKED = 1000


class RowList(Operator):
    """An operator whose payloads are the input cells themselves."""

    def map_p(self, out: Ids, payload: Any, shapes: Shapes, i: int = 0) -> object:  # noqa: ANN401
        """What was noted."""
        lists = [np.frombuffer(each, dtype="<i4") for each in payload]
        return np.cumsum([0, *map(len, lists)]), np.concatenate([np.empty(0, dtype=np.int64), *lists])


def run(repeats: int) -> Report:
    """One row for each fan-in, fan-out and encoding."""
    rows = [row for fan_in in (1, 10, 100) for fan_out in SIZES for row in _rows(fan_in, fan_out, repeats)]
    best = {}
    for fan_out in SIZES:
        sizes = {row["encoding"]: row["MB"] for row in rows if row["fan-out"] == fan_out and row["fan-in"] == 10}
        best[fan_out] = "one" if sizes["full one"] <= sizes["full many"] else "many"
    return {
        "question": f"Encodings over {SIDE} x {SIDE} cells, a tenth with lineage (MB; ms)",
        "rows": rows,
        "facts": {
            "smaller of full one and full many, by fan-out, at fan-in 10": best,
            "claimed": "FullOne is better up to a fan-out of 5; at 50 to 100 the Many forms take under 3 MB and 1 s",
        },
    }


def _rows(fan_in: int, fan_out: int, repeats: int) -> list[dict[str, Any]]:
    random = np.random.default_rng(fan_in * 1000 + fan_out)
    cells = SIDE * SIDE
    count = cells // 10 // fan_out
    outs = random.permutation(cells)[: count * fan_out].reshape(count, fan_out)
    ins = random.integers(0, cells, (count, fan_in))
    shapes = Shapes(((SIDE, SIDE),), (SIDE, SIDE))
    asked = Selection.of(random.choice(outs.ravel(), min(ASKED, outs.size), replace=False), cells)
    back = Selection.of(random.choice(ins.ravel(), min(ASKED, ins.size), replace=False), cells)
    rows, answers = [], []
    for kind in KINDS:
        chosen, emit = strategy(kind), Emit(strategy(kind).wants, 1)
        if kind.startswith("full"):
            label = np.arange(count)
            emit.regions(outs.ravel(), np.repeat(label, fan_out), ins.ravel(), np.repeat(label, fan_in))
        else:
            for members, sources in zip(outs, ins.astype("<i4"), strict=True):
                emit.pay(members, sources.tobytes())
        started = time.perf_counter()
        arrays = pack(OperatorRun(None, shapes, emit, 0.0), chosen)
        packing = time.perf_counter() - started
        edge = Edge(RowList(), shapes, 0)
        row: dict[str, Any] = {"fan-in": fan_in, "fan-out": fan_out, "encoding": kind, "MB": size_of(arrays) / 1e6}
        row["pack ms"] = 1000 * packing
        found = []
        for way, keys in (("backward", asked), ("forward", back)):
            assert chosen.representation is not None
            small = narrowed(arrays)
            started = time.perf_counter()
            lookup = lookup_of(edge, chosen.representation, small, backward=way == "backward")
            found.append(lookup.select(keys).ids.tolist())
            row[f"first {way}"] = 1000 * (time.perf_counter() - started)
            row[f"next {way}"] = _median(lambda lookup=lookup, keys=keys: lookup.select(keys).ids, repeats)
        answers.append(found)
        rows.append(row)
    assert all(found == answers[0] for found in answers), "the encodings do not give the same answers"
    return rows


def _median(ask: Any, repeats: int) -> float:  # noqa: ANN401
    taken = []
    for _ in range(max(repeats, 3)):
        started = time.perf_counter()
        ask()
        taken.append(1000 * (time.perf_counter() - started))
    return statistics.median(taken)
