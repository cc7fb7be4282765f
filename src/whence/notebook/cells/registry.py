"""The registry of cell kinds, by name."""

from __future__ import annotations

from whence.notebook.cell import CellKind
from whence.notebook.cells.caveat import CaveatCell
from whence.notebook.cells.chart import Chart
from whence.notebook.cells.checkpoint import Checkpoint
from whence.notebook.cells.copy_dataset import CopyDataset
from whence.notebook.cells.drop_dataset import DropDataset
from whence.notebook.cells.expect import Expect
from whence.notebook.cells.explain import Explain
from whence.notebook.cells.export import Export
from whence.notebook.cells.load import Load
from whence.notebook.cells.markdown import Markdown
from whence.notebook.cells.parameters import ParametersCell
from whence.notebook.cells.python import Python
from whence.notebook.cells.rename_dataset import RenameDataset
from whence.notebook.cells.sheet import SheetCell
from whence.notebook.cells.split import Split
from whence.notebook.cells.sql import Sql
from whence.notebook.cells.transformation import TRANSFORMING

CELL_KINDS: dict[str, CellKind] = {
    kind.name: kind
    for kind in (
        Load(),
        CopyDataset(),
        RenameDataset(),
        DropDataset(),
        Checkpoint(),
        Export(),
        Sql(),
        Python(),
        Split(),
        SheetCell(),
        CaveatCell(),
        Expect(),
        *TRANSFORMING,
        Chart(),
        Explain(),
        Markdown(),
        ParametersCell(),
    )
}
