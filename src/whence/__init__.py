"""whence: a data notebook on Apache Spark that knows where every cell came from and how far to trust it.

Names are loaded when they are first used: `whence.safety` must not pay for Spark, nor the command line's `--help`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whence.arrays.check import check
    from whence.arrays.operator import Comp, Full, Map, Operator, Pay
    from whence.checks.check import Check
    from whence.checks.report import CheckReport
    from whence.engine.sql_functions import bound_high, bound_low, caveat, caveat_if, has_caveat
    from whence.model.caveat import CaveatGroup
    from whence.model.cellref import CellRef, ColumnRef
    from whence.model.errors import CheckFailed, EditConflict, NotRelated, WhenceError
    from whence.workspace.adopt import adopt
    from whence.workspace.array import ArrayDataset
    from whence.workspace.chart import Chart, chart
    from whence.workspace.dataset import Dataset
    from whence.workspace.explain import explain
    from whence.workspace.explanations import Explanation, Explanations
    from whence.workspace.link import Link, link
    from whence.workspace.notebook import Notebook
    from whence.workspace.notebook_cell import Cell
    from whence.workspace.open import open
    from whence.workspace.pipeline import Pipeline
    from whence.workspace.profiling import check_fd, key_candidates
    from whence.workspace.provenance import Provenance
    from whence.workspace.rows import Rows
    from whence.workspace.sheet import Sheet
    from whence.workspace.workspace import Workspace

__version__ = "0.1.0"

__all__ = [
    "ArrayDataset",
    "CaveatGroup",
    "Cell",
    "CellRef",
    "Chart",
    "Check",
    "CheckFailed",
    "CheckReport",
    "ColumnRef",
    "Comp",
    "Dataset",
    "EditConflict",
    "Explanation",
    "Explanations",
    "Full",
    "Link",
    "Map",
    "NotRelated",
    "Notebook",
    "Operator",
    "Pay",
    "Pipeline",
    "Provenance",
    "Rows",
    "Sheet",
    "WhenceError",
    "Workspace",
    "adopt",
    "bound_high",
    "bound_low",
    "caveat",
    "caveat_if",
    "chart",
    "check",
    "check_fd",
    "explain",
    "has_caveat",
    "key_candidates",
    "link",
    "open",
]

_HOMES = {
    "ArrayDataset": "whence.workspace.array",
    "Comp": "whence.arrays.operator",
    "Full": "whence.arrays.operator",
    "Map": "whence.arrays.operator",
    "Operator": "whence.arrays.operator",
    "Pay": "whence.arrays.operator",
    "check": "whence.arrays.check",
    "check_fd": "whence.workspace.profiling",
    "key_candidates": "whence.workspace.profiling",
    "CaveatGroup": "whence.model.caveat",
    "Cell": "whence.workspace.notebook_cell",
    "CellRef": "whence.model.cellref",
    "ColumnRef": "whence.model.cellref",
    "Chart": "whence.workspace.chart",
    "Check": "whence.checks.check",
    "CheckFailed": "whence.model.errors",
    "CheckReport": "whence.checks.report",
    "Dataset": "whence.workspace.dataset",
    "EditConflict": "whence.model.errors",
    "Explanation": "whence.workspace.explanations",
    "Explanations": "whence.workspace.explanations",
    "Link": "whence.workspace.link",
    "NotRelated": "whence.model.errors",
    "Pipeline": "whence.workspace.pipeline",
    "Provenance": "whence.workspace.provenance",
    "Notebook": "whence.workspace.notebook",
    "Rows": "whence.workspace.rows",
    "Sheet": "whence.workspace.sheet",
    "WhenceError": "whence.model.errors",
    "Workspace": "whence.workspace.workspace",
    "adopt": "whence.workspace.adopt",
    "explain": "whence.workspace.explain",
    "chart": "whence.workspace.chart",
    "caveat": "whence.engine.sql_functions",
    "caveat_if": "whence.engine.sql_functions",
    "has_caveat": "whence.engine.sql_functions",
    "bound_low": "whence.engine.sql_functions",
    "bound_high": "whence.engine.sql_functions",
    "link": "whence.workspace.link",
    "open": "whence.workspace.open",
}

# Python binds the name of a subpackage here when it is first imported. `whence.explain` is to be the function of
# `_HOMES`, so the package is imported now, once, and its name taken off again.
import_module("whence.explain")
globals().pop("explain")


def load_ipython_extension(shell: object) -> None:
    """Load the magic `%%whence`. IPython calls this for `%load_ext whence`."""
    import_module("whence.jupyter.extension").load(shell)


def unload_ipython_extension(shell: object) -> None:
    """Take the magic away. IPython calls this for `%unload_ext whence`."""
    import_module("whence.jupyter.extension").unload(shell)


def __dir__() -> list[str]:
    """What a prompt completes: names that are loaded later are listed, what only this module uses is not."""
    return [*__all__]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'whence' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
