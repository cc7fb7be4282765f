"""The route that serves an output of a cell as a sandboxed document, isolated from the page around it."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Annotated

from fastapi import Query
from markdown_it import MarkdownIt
from starlette.responses import HTMLResponse

from whence.model.errors import UserError
from whence.notebook.display import PLOTLY
from whence.server.access import access
from whence.server.figures import Theme, figure_document
from whence.server.notebooks import Notebooks, framed
from whence.server.routers import ERRORS_AS_JSON, new_router
from whence.server.routes.notebooks import Books, CellName, Name
from whence.server.shared import SharedOfRequest, notebook_of_link
from whence.workspace.served import SharedVersion

if TYPE_CHECKING:
    from whence.workspace.notebook_cell import Cell

router = new_router()

POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)

STYLE = (
    "body{display:flow-root;margin:0;font:14px/1.5 system-ui,sans-serif}"
    "h1{font-size:20px;margin:0 0 8px}p{margin:0 0 8px}table{border:0;border-collapse:collapse}"
    "th,td{border:0;border-bottom:1px solid #8883;padding:3px 12px 3px 0;text-align:right}"
    "@media print{:root{color-scheme:light!important}}"
)
TELL_HEIGHT = (
    "new ResizeObserver(() => parent.postMessage("
    "{whenceHeight: Math.ceil(document.body.getBoundingClientRect().height)}, '*')).observe(document.body)"
)
"""The script with which a frame reports its height to the page, which cannot look into the sandbox."""


@router.get("/api/notebooks/{name}/cells/{cell}/frame", response_class=HTMLResponse, responses=ERRORS_AS_JSON)
@access("share")
def read_frame(
    books: Books,
    name: Name,
    cell: CellName,
    output: Annotated[int, Query(ge=0, le=10_000)],
    shared: SharedOfRequest,
    content: Annotated[str, Query(max_length=64)] = "",
    theme: Theme = "system",
    version: Annotated[int | None, Query(ge=0, le=2**31)] = None,
) -> HTMLResponse:
    """Return an output of a cell as a sandboxed document, whose scripts reach neither the page nor the network.

    `content` is a hash of the output, so that the address changes with it. `theme` is that of the page around it. A
    share link shows its own version, whichever `version` names.
    """
    del content
    displays = _find_cell(books, name, cell, shared, version).outputs.displays
    found = framed(displays[output]) if output < len(displays) else None
    if found is None:
        raise UserError(f"Cell {cell} has no output {output} that needs a frame.")
    # A document whose scheme is not that of the page around it is drawn on white instead of on the page.
    scheme = "light dark" if theme == "system" else theme
    style = f":root{{color-scheme:{scheme}}}{STYLE}"
    page = (
        f"<!doctype html><meta charset=utf-8><style>{style}</style>{_body(*found, theme)}<script>{TELL_HEIGHT}</script>"
    )
    return HTMLResponse(page, headers={"content-security-policy": POLICY, "x-frame-options": "SAMEORIGIN"})


def _find_cell(books: Notebooks, name: str, cell: str, shared: SharedVersion | None, version: int | None) -> Cell:
    if shared is not None:
        return notebook_of_link(shared, name).cell(cell)
    notebook = books.find(name)
    if version is None:
        return notebook.cell(cell)
    found = next((each for each in notebook.snapshot_of(version).cells if each.id == cell), None)
    if found is None:
        raise UserError(f"Version {version} has no cell {cell}.")
    return found


def _body(kind: str, text: str, theme: Theme) -> str:
    if kind == PLOTLY:
        return figure_document(text, theme)
    if kind in ("text/html", "image/svg+xml"):
        return text
    if kind == "text/markdown":
        rendered: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
        return rendered
    return f"<pre>{html.escape(text)}</pre>"
