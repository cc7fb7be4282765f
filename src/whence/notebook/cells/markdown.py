"""The `markdown` cell kind: shows text."""

from __future__ import annotations

from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult, Values
from whence.notebook.display import Rich
from whence.notebook.footprint import NOTHING, Footprint


class Markdown(CellKind):
    """Show text to the reader. It reads and makes no data."""

    name = "markdown"
    title = "Text"
    group = "Text"
    parameters = (Parameter("source", "text", "the text, in Markdown", is_required=True),)

    def footprint(self, values: Values) -> Footprint:
        return NOTHING

    def run(self, context: CellContext, values: Values) -> CellResult:
        return CellResult(displays=(Rich({"text/markdown": str(values["source"])}),))
