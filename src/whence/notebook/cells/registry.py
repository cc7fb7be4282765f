"""Every cell kind: one line each."""

from __future__ import annotations

from whence.notebook.cell import CellKind
from whence.notebook.cells.aggregate import Aggregate
from whence.notebook.cells.caveat import CaveatCell
from whence.notebook.cells.chart import Chart
from whence.notebook.cells.checkpoint import Checkpoint
from whence.notebook.cells.clone import Clone
from whence.notebook.cells.drop import Drop
from whence.notebook.cells.explain import Explain
from whence.notebook.cells.export import Export
from whence.notebook.cells.filter import Filter
from whence.notebook.cells.join import Join
from whence.notebook.cells.lens import LensCell
from whence.notebook.cells.load import Load
from whence.notebook.cells.markdown import Markdown
from whence.notebook.cells.parameters import Parameters
from whence.notebook.cells.prepare import PREPARING
from whence.notebook.cells.project import Project
from whence.notebook.cells.python import Python
from whence.notebook.cells.rename import Rename
from whence.notebook.cells.sample import Sample
from whence.notebook.cells.sheet import SheetCell
from whence.notebook.cells.split import Split
from whence.notebook.cells.sql import Sql
from whence.notebook.cells.union import Union

CELL_KINDS: dict[str, CellKind] = {
    kind.name: kind
    for kind in (
        Load(),
        Sql(),
        Python(),
        LensCell(),
        Markdown(),
        Parameters(),
        Filter(),
        Project(),
        Aggregate(),
        Join(),
        Union(),
        Split(),
        Sample(),
        Clone(),
        Rename(),
        Drop(),
        SheetCell(),
        CaveatCell(),
        Checkpoint(),
        Chart(),
        Explain(),
        Export(),
        *PREPARING,
    )
}
