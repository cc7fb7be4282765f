"""The `export` cell kind: writes a dataset to a file."""

from __future__ import annotations

from pathlib import Path

from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values, names_in
from whence.notebook.cells.query import SOURCE
from whence.notebook.display import Rich
from whence.notebook.export.export import export_dataset
from whence.notebook.export.formats import FORMATS
from whence.notebook.footprint import Footprint


class Export(CellKind):
    """Write all rows of a dataset to a file, and write it again whenever they change."""

    name = "export"
    title = "Export to a file"
    group = "Load"
    parameters = (
        SOURCE,
        Parameter("path", "path", "the file to write", is_required=True),
        Parameter("format", "choice", "else the file's ending says it", choices=tuple(FORMATS)),
    )

    def footprint(self, values: Values) -> Footprint:
        return Footprint(names_in(values, "source"), frozenset(), is_exact=True)

    def run(self, context: CellContext, values: Values) -> CellResult:
        record, path = context.dataset(values["source"]), Path(str(values["path"]))
        format = values.get("format")
        written = export_dataset(context.store, record, path, None if format is None else str(format))
        said = f"{record.rows:,} rows written to {path} as {written}"
        if not context.engine.flags.doubt(record).is_certain:
            said += "; some of it is in doubt, which the file does not say"
        return CellResult(displays=(Rich({"text/plain": said}),))
