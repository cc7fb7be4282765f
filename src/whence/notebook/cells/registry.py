"""Every cell kind: one line each."""

from __future__ import annotations

from whence.notebook.cell import CellKind
from whence.notebook.cells.lens import LensCell
from whence.notebook.cells.load import Load
from whence.notebook.cells.markdown import Markdown
from whence.notebook.cells.sql import Sql

CELL_KINDS: dict[str, CellKind] = {
    kind.name: kind
    for kind in (
        Load(),
        Sql(),
        LensCell(),
        Markdown(),
    )
}
