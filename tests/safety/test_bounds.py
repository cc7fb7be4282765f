"""Cost and metadata stay bounded, however long a loop, a container or a session is."""

from __future__ import annotations

import os
import tracemalloc

from tests.safety.notebook_steps import run_cells
from whence.safety import Session
from whence.safety.history import MAX_RUNS
from whence.safety.lineage import MAX_PARTS, Lineage

RUNS = 10_000 if os.environ.get("WHENCE_LONG") else 300


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
    for constant in session.namespace["f"].__code__.co_consts:  # type: ignore[attr-defined]
        if hasattr(constant, "report"):
            constant.report = lambda probe, frame: (reports.append(probe), report(probe, frame))
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
