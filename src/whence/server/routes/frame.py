"""Shows an output of a cell in a document of its own, walled off from the page that holds it."""

from __future__ import annotations

import html
from typing import Annotated

from fastapi import Query
from starlette.responses import HTMLResponse

from whence.model.errors import UserError
from whence.server.notebooks import framed
from whence.server.routes.notebooks import Books, CellName, Name

POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)


def read_frame(
    books: Books, name: Name, cell: CellName, output: Annotated[int, Query(ge=0, le=10_000)]
) -> HTMLResponse:
    """One output of a cell as a sandboxed document: scripts in it run, but reach neither the page nor the network."""
    displays = books.known(name).cell(cell).outputs.displays
    found = framed(displays[output]) if output < len(displays) else None
    if found is None:
        raise UserError(f"Cell {cell} has no output {output} that needs a frame.")
    kind, text = found
    body = text if kind in ("text/html", "image/svg+xml") else f"<pre>{html.escape(text)}</pre>"
    page = f"<!doctype html><meta charset=utf-8><style>body{{margin:0;font:14px system-ui}}</style>{body}"
    return HTMLResponse(page, headers={"content-security-policy": POLICY, "x-frame-options": "SAMEORIGIN"})
