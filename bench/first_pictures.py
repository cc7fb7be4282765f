"""Processor seconds of first pictures: whence, whence with a job of Spark for each, and Altair with VegaFusion.

Processor seconds of the whole tree of processes, for machines that do other work as well. The three draw in turn. Work
in the background, which finds the rows behind the marks of the picture before, is waited for and not counted.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import altair as alt
import pandas as pd

import whence
from bench._timing import cpu_seconds
from bench.charts import SPECS, altair_chart, table
from whence.engine import run_in_arrays

SIZES = (1_000_000, 10_000_000)
MORE: dict[str, dict[str, object]] = {
    "hexagons": {"aes": {"x": "value", "y": "second"}, "stat": "hexbin"},
    "boxes": {"aes": {"x": "shop", "y": "value"}, "geom": {"type": "box", "outliers": False}},
}
"""Charts that Altair does not draw, or draws from all rows."""
BY_SORTING = ("medians", "boxes")
"""Charts for which a job of Spark takes minutes over ten million rows."""
Report = dict[str, object]


@contextmanager
def without_arrays() -> Iterator[None]:
    """Leave all marks to Spark."""
    sizes = run_in_arrays.ROWS
    run_in_arrays.ROWS = range(0)
    try:
        yield
    finally:
        run_in_arrays.ROWS = sizes


def run(repeats: int) -> Report:
    """Every chart at every size."""
    alt.data_transformers.enable("vegafusion")
    found: Report = {}
    with tempfile.TemporaryDirectory(prefix="whence-bench-") as folder, whence.open(Path(folder) / "b.whence") as ws:
        for rows in SIZES:
            made = table(rows)
            dataset, frame = ws.create(f"t{rows}", made), made.to_pandas()
            for name, spec in (SPECS | MORE).items():
                contenders = _contenders(dataset, frame, name, spec)
                found[f"{name} {rows}"] = _measure(contenders, repeats)
                print(name, rows, json.dumps(found[f"{name} {rows}"]))
    return found


def _contenders(
    dataset: whence.Dataset, frame: pd.DataFrame, name: str, spec: dict[str, object]
) -> dict[str, Callable[[], Any]]:
    numbers = iter(range(10_000))

    def own() -> whence.Dataset:
        # A new name each time: the same chart of the same version would not be computed again.
        chart = dataset.chart(spec, name=f"c_{name}_{len(frame)}_{next(numbers)}")
        json.dumps(chart.vega)
        return chart.marks

    def by_spark() -> whence.Dataset:
        with without_arrays():
            return own()

    found: dict[str, Callable[[], Any]] = {"whence": own}
    if len(frame) <= SIZES[0] or name not in BY_SORTING:
        found["whence, by Spark"] = by_spark
    if name in SPECS:
        found["altair + vegafusion"] = lambda: json.dumps(altair_chart(name, frame).to_dict(format="vega"))
    return found


def _measure(contenders: dict[str, Callable[[], Any]], repeats: int) -> Report:
    spent: dict[str, list[tuple[float, float]]] = {who: [] for who in contenders}
    for number in range(repeats + 1):
        for who, draw in contenders.items():
            cpu, started = cpu_seconds(), time.perf_counter()
            answer = draw()
            if number:  # the first one warms up
                spent[who].append((cpu_seconds() - cpu, time.perf_counter() - started))
            if isinstance(answer, whence.Dataset):
                answer.lineage.wait()
    return {
        who: {"cpu s": statistics.median(cpu for cpu, _ in each), "s": statistics.median(wall for _, wall in each)}
        for who, each in spent.items()
    }
