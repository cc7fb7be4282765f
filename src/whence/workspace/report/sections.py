"""The parts of a report, one after another as in the notebook: text, printed lines, pictures, tables."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from whence.model.errors import UserError
from whence.model.lazy_module import LazyModule
from whence.notebook.display import PLOTLY, Display, Rich, Stream
from whence.workspace.dataset import Dataset
from whence.workspace.notebook_cell import Cell

# Loaded on first use: opening a workspace needs neither.
if TYPE_CHECKING:
    import markdown_it

    import whence.charts.save as pictures
else:
    markdown_it = LazyModule("markdown_it")
    pictures = LazyModule("whence.charts.save")

_VEGA = "application/vnd.vegalite"


@dataclass(frozen=True)
class Section:
    """One part: HTML that is ready, or a dataset whose table the page writes. `is_picture` if a chart stands above."""

    html: str = ""
    dataset: Dataset | None = None
    is_picture: bool = False


def read_sections(cell: Cell, *, hides_something: bool) -> Iterator[Section]:
    """Yield the parts of one cell. What code printed or drew might show hidden columns: then it is left out."""
    if cell.kind == "markdown":
        yield Section(_markdown(cell.source))
        return
    if cell.status not in ("ready", "frozen"):
        yield Section(f'<p class="quiet">This cell is {escape(cell.status)}, so it shows no result.</p>')
        return
    if cell.source:
        yield Section(f"<details><summary>{escape(cell.kind)}</summary><pre>{escape(cell.source)}</pre></details>")
    displays = cell.outputs.displays
    is_chart = cell.kind == "chart"
    if displays and hides_something and not is_chart:
        yield Section('<p class="quiet">What this cell printed is left out, as columns are hidden.</p>')
    elif displays and hides_something:
        yield Section('<p class="quiet">The picture is left out, as columns are hidden.</p>')
    else:
        yield from (Section(html) for each in displays if (html := _display(each)))
    for dataset in cell.outputs.datasets.values():
        if dataset.schema.names:
            yield Section(dataset=dataset, is_picture=is_chart)


def _markdown(text: str) -> str:
    """Return Markdown as HTML. Pictures become their words: they would be loaded from elsewhere."""
    reader = markdown_it.MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    rendered: str = reader.render(text)
    return rendered


def _display(display: Display) -> str:
    match display:
        case Stream():
            return f"<pre>{escape(display.text)}</pre>"
        case Rich():
            return _rich(display)


def _rich(display: Rich) -> str:
    """Return the best form of an output that needs no script; HTML of other programs is not taken over."""
    data = display.data
    for mime in ("image/png", "image/jpeg"):
        if mime in data:
            return f'<img alt="" src="data:{mime};base64,{escape(str(data[mime]).strip())}">'
    if "image/svg+xml" in data:
        return _picture(str(data["image/svg+xml"]).encode())
    vega = next((each for mime, each in data.items() if mime.startswith(_VEGA)), None)
    if isinstance(vega, dict):
        try:
            return _picture(pictures.as_svg(vega))
        except UserError as error:
            return f'<p class="quiet">{escape(str(error))}</p>'
    if PLOTLY in data:
        return '<p class="quiet">A Plotly figure is left out: it draws itself with a script, and reports run none.</p>'
    if "text/markdown" in data:
        return _markdown(str(data["text/markdown"]))
    return f"<pre>{escape(str(data['text/plain']))}</pre>" if "text/plain" in data else ""


def _picture(svg: bytes) -> str:
    """Return a drawing as a picture: inside one no script runs."""
    return f'<img class="chart" alt="" src="data:image/svg+xml;base64,{base64.b64encode(svg).decode()}">'
