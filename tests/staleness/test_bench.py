"""The benchmark's workloads are followed without a fault, and its large notebooks are what it says."""

from __future__ import annotations

import pytest

from bench.safety import WORKLOADS, Workload, _time_notebook, notebook_cells
from whence.safety import Session


@pytest.mark.parametrize("workload", WORKLOADS, ids=[workload.name for workload in WORKLOADS])
def test_a_workload_is_followed_without_a_fault(workload: Workload) -> None:
    session = Session()
    assert session.run("setup", workload.setup).ok
    assert session.run("cell", workload.cell).ok
    assert session.problems == []
    assert any(symbol.parents for symbol in session.lineage.names.values())


def test_a_re_run_in_a_large_notebook_makes_the_cells_below_it_stale() -> None:
    cells = notebook_cells(12)
    session = Session()
    for cell, text in cells:
        assert session.run(cell, text).ok
    session.run("c5")
    assert session.highlights().stale == {f"c{number}" for number in range(7, 12)}
    assert session.highlights().fresh == {"c6"}


def test_large_notebooks_give_two_rows() -> None:
    rows = _time_notebook(12, 1)
    assert [row["workload"] for row in rows] == [
        "highlights, 12 cells (plain: parse them)",
        "one run, 12 cells (plain: parse them)",
    ]
