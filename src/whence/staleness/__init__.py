"""Finds which cells of a Python notebook that runs in any order are out of date, why, and what to run first.

The design follows NBSafety (Macke et al., PVLDB 14(6), 2021). Light instrumentation of cells gives the lineage of
symbols (`tracer`, `lineage`), static analysis their liveness and definite assignment (`flow`, `checker`). From both
follow the stale, fresh and refresher cells (`highlights`).
"""

from __future__ import annotations

from importlib import import_module

from whence.staleness.execution import RunResult
from whence.staleness.files import NotebookCheck, check_notebook
from whence.staleness.footprint import CellFootprint, read_footprint
from whence.staleness.highlights import Highlights
from whence.staleness.order import CellOrder, Conflict, Execution, executions, find_order
from whence.staleness.reproduce import Expected, Reproduction, is_reproducible, run_from_the_top
from whence.staleness.session import Session
from whence.staleness.upstream import Upstream

__all__ = [
    "CellFootprint",
    "CellOrder",
    "Conflict",
    "Execution",
    "Expected",
    "Highlights",
    "NotebookCheck",
    "Reproduction",
    "RunResult",
    "Session",
    "Upstream",
    "check_notebook",
    "executions",
    "find_order",
    "is_reproducible",
    "load_ipython_extension",
    "read_footprint",
    "run_from_the_top",
    "unload_ipython_extension",
]

# IPython looks for the two functions below in the module that `%load_ext` names; the import waits until then, as
# everything else here must work without IPython.


def load_ipython_extension(shell: object) -> None:
    """Load the Jupyter extension. IPython calls this for `%load_ext whence.safety`."""
    import_module("whence.staleness.jupyter.extension").load(shell)


def unload_ipython_extension(shell: object) -> None:
    """Unload the Jupyter extension. IPython calls this for `%unload_ext whence.safety`."""
    import_module("whence.staleness.jupyter.extension").unload(shell)
