"""Cost and metadata stay bounded, however long a loop, a container or a session is."""

from __future__ import annotations

import gc
import random
import tracemalloc
from typing import Any

import psutil
import pytest

from tests.staleness.notebook_steps import run_cells
from whence.safety import Session
from whence.staleness.history import MAX_RUNS
from whence.staleness.lineage import MAX_PARTS, Lineage

RUNS = 300
LONG_RUN = 10_000


def size(lineage: Lineage) -> int:
    """How many symbols and edges there are."""
    symbols = [*lineage.names.values(), *(s for shadow in lineage.shadows.values() for s in shadow.members())]
    return len(symbols) + sum(len(symbol.parents) for symbol in symbols) + len(lineage.buried)


def test_a_loop_over_many_items_leaves_few_symbols() -> None:
    session = Session()
    run_cells(session, c1="d = {}\nitems = [str(i) for i in range(20_000)]")
    run_cells(session, c2="for item in items:\n    d[item] = item\n    last = d[item]")
    assert size(session.lineage) < 40


def test_probes_report_once_per_statement_and_then_stay_silent() -> None:
    session = Session()
    run_cells(session, c1="k = 1\ndef f(n):\n    return n + k")
    reports: list[object] = []
    tracer = session._tracer
    report = tracer.report

    def noted(probe: Any, frame: Any) -> None:  # noqa: ANN401 - what `report` is given
        reports.append(probe)
        report(probe, frame)

    function: Any = session.namespace["f"]
    for constant in function.__code__.co_consts:
        if hasattr(constant, "report"):
            constant.report = noted
    run_cells(session, c2="for i in range(1000):\n    y = f(i)", c3="y = f(1)\nz = f(2)")
    assert len(reports) == 3


def test_repeated_runs_do_not_grow_the_lineage() -> None:
    session = Session()
    cells = {
        "make": "x = [1, 2]\nd = {'k': x}",
        "read": "y = x[0]\nz = d['k'][1]",
        "more": "total = y + z\nd['new'] = [total]",
        "grow": "seen = seen + [y] if 'seen' in globals() else [y]",
    }
    run_cells(session, **cells)
    run_cells(session, **cells)
    before = size(session.lineage)
    for _ in range(RUNS // 4):
        run_cells(session, **cells)
    assert size(session.lineage) <= before + 2


def test_memory_of_many_runs_is_bounded() -> None:
    session = Session()
    run_cells(session, c1="x = 0", c2="x = x + 1")
    tracemalloc.start()
    for _ in range(RUNS):
        session.run("c2")
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < 1_000 * min(RUNS, MAX_RUNS) + 300_000


def test_a_container_has_a_bounded_number_of_part_symbols() -> None:
    session = Session()
    stores = "\n".join(f"d[{i}] = {i}" for i in range(MAX_PARTS + 60))
    run_cells(session, c1="d = {}", c2=stores)
    assert all(len(shadow.parts) <= MAX_PARTS for shadow in session.lineage.shadows.values())
    session.run("c3", "print(d[560])")
    session.run("c2")
    assert "c3" in session.highlights().fresh


class Wanderer:
    """A user who runs, edits and re-runs the cells of a notebook in any order, for a long time."""

    TEXTS = (
        "x{n} = [{v}, {v} + 1]\ny{n} = x{m}[0] if 'x{m}' in globals() else 0",
        "def f{n}(v):\n    return v + {v}\nz{n} = [f{n}(i) for i in range(20)]",
        "for i in range(30):\n    d{n} = {{'k': i, 'v': {v}}}\n    d{n}['w'] = [i]",
        "import pandas as pd\nframe{n} = pd.DataFrame({{'a': [{v}, 2]}})\nframe{n}['b'] = frame{n}['a'] * 2",
        "class Box{n}:\n    pass\nb{n} = Box{n}()\nb{n}.part = Box{n}()\nb{n}.part.v = {v}\nlast = b{n}",
        "x{m} = x{m} + [{v}] if 'x{m}' in globals() and len(x{m}) < 50 else [{v}]\nlast = x{m}",
        "text{n} = ''.join(str(i) for i in range({v}))\nprint(text{n}[:3])",
    )

    def __init__(self) -> None:
        self.session = Session()
        self._random = random.Random(7)

    def wander(self, steps: int) -> None:
        for _ in range(steps):
            number, other, value = (self._random.randrange(top) for top in (20, 20, 1000))
            result = self.session.run(f"c{number}", self._random.choice(self.TEXTS).format(n=number, m=other, v=value))
            assert result.ok, result.error
            self.session.highlights()
        assert self.session.problems == []


def memory() -> int:
    """The bytes this process occupies."""
    gc.collect()
    return int(psutil.Process().memory_info().rss)


@pytest.mark.long
def test_memory_is_bounded_in_a_long_session() -> None:
    user = Wanderer()
    user.wander(LONG_RUN // 5)  # by now every name and text has been met, and the history is full
    early, known = memory(), size(user.session.lineage)
    user.wander(LONG_RUN - LONG_RUN // 5)
    late = memory()
    print(f"{LONG_RUN // 5} runs: {early / 1e6:.0f} MB, {LONG_RUN} runs: {late / 1e6:.0f} MB")  # noqa: T201  # for the page
    assert late < 1.1 * early
    assert size(user.session.lineage) < 1.2 * known
