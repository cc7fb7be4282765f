"""Writes a report as one HTML page that needs nothing else and runs no script but its own."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import count
from typing import Any

from whence.workspace.report.sections import Section

Json = dict[str, Any]

FACTS = "whence-report"
"""The id of the element that holds the facts as JSON."""
_MOST_ON_PAPER = 7
"""Columns that stand side by side on paper."""


def write_page(title: str, made: str, sections: Sequence[Section], facts: Json) -> str:
    """Return the page. `facts` has the tables of the sections in their order, and the source rows."""
    style, script = (
        files("whence.workspace.report").joinpath(name).read_text("utf-8") for name in ("page.css", "page.js")
    )
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    data = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title><style>{style}</style></head><body><main>",
            f'<header><h1>{escape(title)}</h1><p class="quiet">Made {escape(made)}. A red value with a question mark '
            'is in doubt. <span class="screen">Click a value, or move to it and press Enter, to see where it came from '
            "and what is in doubt.</span></p></header>",
            *_body(sections, facts),
            '</main><aside id="facts" hidden aria-live="polite" tabindex="-1"></aside>',
            f'<script type="application/json" id="{FACTS}">{data}</script>',
            f"<script>{script}</script></body></html>\n",
        )
    )


def _body(sections: Sequence[Section], facts: Json) -> Iterator[str]:
    numbers = count()
    for each in sections:
        if each.dataset is None:
            yield f"<section>{each.html}</section>"
            continue
        number = next(numbers)
        table = "".join(_table(number, facts["tables"][number]))
        yield (
            f"<section><details><summary>The numbers</summary>{table}</details></section>"
            if each.is_picture
            else (f"<section>{table}</section>")
        )


def _table(number: int, table: Json) -> Iterator[str]:
    shown, rows = len(table["keys"]), table["count"]
    which = f"{rows:,} rows" if shown == rows else f"the first {shown:,} of {rows:,} rows"
    form = "many" if len(table["columns"]) > _MOST_ON_PAPER else ""
    yield f'<div class="wide"><table class="{form}" data-table="{number}">'
    yield f"<caption>{escape(table['dataset'])}, {which}</caption>"
    sides = [" right" if is_numeric else "" for is_numeric in table["numeric"]]
    heads = zip(table["columns"], sides, strict=True)
    yield "<thead><tr>" + "".join(f'<th scope="col" class="{side.strip()}">{escape(name)}</th>' for name, side in heads)
    yield "</tr></thead><tbody>"
    for row in table["cells"]:
        yield f"<tr>{''.join(map(_cell, row, sides, table['columns']))}</tr>"
    yield "</tbody></table></div>"


def _cell(cell: Json, side: str, column: str) -> str:
    text = str(cell.get("short", cell["text"]))
    names = f"{'doubt' if cell.get('doubt') else ''}{side}".strip()
    name = "" if text.strip() else ' aria-label="missing"'  # else a screen reader has nothing to say
    shown = escape(text) or "&nbsp;"
    return f'<td class="{names}" data-column="{escape(column)}" tabindex="0" role="button"{name}>{shown}</td>'
