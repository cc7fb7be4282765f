"""Writes the document in which a Plotly figure draws itself with Plotly's script, and with nothing from outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

Theme = Literal["light", "dark", "system"]
SCRIPT = Path(__file__).parent / "static" / "figures" / "plotly.min.js"
"""The part of Plotly that draws along axes: enough for most figures, and a third of the whole."""

_DRAW = Path(__file__).parent / "draw_figure.js"


def figure_document(text: str, theme: Theme) -> str:
    """Return the inside of a document that draws a figure, given as JSON.

    The script stands in the document itself: a sandboxed document may ask the server for nothing.
    """
    if not SCRIPT.is_file():
        return "<p>The page has not been built, so the figure cannot be drawn.</p>"
    given = json.dumps({"theme": theme})
    scripts = "".join(f"<script>{_inside(path.read_text('utf-8'))}</script>" for path in (SCRIPT, _DRAW))
    return (
        "<div id=figure></div>"
        f'<script type="application/json" id=given>{_inside(given)}</script>'
        f'<script type="application/json" id=drawn>{_as_data(text)}</script>{scripts}'
    )


def _as_data(text: str) -> str:
    """Return JSON that cannot end the element it stands in."""
    return text.replace("<", "\\u003c")


def _inside(script: str) -> str:
    """Return a script in which no text ends the element it stands in."""
    return script.replace("</script", "<\\/script")
