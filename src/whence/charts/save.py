"""Write a chart to a file: Vega-Lite JSON, a self-contained HTML page, SVG or PNG."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

from whence.charts.world.outlines import with_outlines
from whence.model.errors import UserError
from whence.store.durable import writing

Json = dict[str, object]
_VERSION = "6.1"
"""The version of Vega-Lite that vl-convert uses."""
_SHARP = 2.0
"""Pixels of a PNG for each pixel of the chart."""


def save_vega(vega: Json, path: Path) -> None:
    """Write the chart in the format that the file's suffix names."""
    form = _FORMS.get(path.suffix.lower())
    if form is None:
        raise UserError(f"A chart cannot be written as {path.name}.", "End its name in .json, .html, .svg or .png.")
    # Render before the file is opened, so that an error leaves an existing file as it is.
    content = form(with_outlines(vega))
    with writing(path):
        path.write_bytes(content)


def _as_json(vega: Json) -> bytes:
    return json.dumps(vega, indent=1, ensure_ascii=False).encode()


def _as_html(vega: Json) -> bytes:
    """Return a page with its scripts inside, so that it also works without a network."""
    page: str = _converter("html").vegalite_to_html(json.dumps(vega), vl_version=_VERSION, bundle=True)
    return page.encode()


def as_svg(vega: Json) -> bytes:
    """Draw a chart as SVG."""
    picture: str = _converter("svg").vegalite_to_svg(json.dumps(with_outlines(vega)), vl_version=_VERSION)
    return picture.encode()


def _as_png(vega: Json) -> bytes:
    picture: bytes = _converter("png").vegalite_to_png(json.dumps(vega), vl_version=_VERSION, scale=_SHARP)
    return picture


def _converter(form: str) -> ModuleType:
    try:
        # An optional dependency, which only these formats need.
        return import_module("vl_convert")
    except ImportError:
        raise UserError(
            f"Charts are written as {form} by vl-convert-python, which is not installed.",
            "Run `pip install 'whence-data[charts]'`, or save as .json.",
        ) from None


_FORMS: dict[str, Callable[[Json], bytes]] = {".json": _as_json, ".html": _as_html, ".svg": as_svg, ".png": _as_png}
