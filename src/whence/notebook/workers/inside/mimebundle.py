"""Finds the forms in which an object can be shown, by IPython's display protocol but without IPython."""

from __future__ import annotations

import base64
import io
import json
import math
from typing import Any

from whence.notebook.workers.inside.known_rows import ROWS, known_rows
from whence.notebook.workers.plain_json import is_nested_deeper

_METHODS = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_latex_": "text/latex",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_json_": "application/json",
    "_repr_javascript_": "application/javascript",
}

Bundle = dict[str, object]


def mimebundle(value: object) -> Bundle:
    """Return every form in which an object can be shown, by MIME type, and always plain text.

    >>> class Title:
    ...     def _repr_markdown_(self):
    ...         return "# hello"
    >>> mimebundle(Title())["text/markdown"]
    '# hello'
    """
    bundle: Bundle = {"text/plain": _plain(value)}
    if isinstance(value, type):  # a class has the methods, but no instance to call them on
        return bundle
    if _is_figure(value):
        return {**bundle, "image/png": figure_png(value)}
    rows = known_rows(value)
    if rows is not None:
        bundle[ROWS] = rows
    given = _called(value, "_repr_mimebundle_", include=None, exclude=None)
    if isinstance(given, tuple):
        given = given[0]
    if isinstance(given, dict):
        bundle |= {str(mime): _sendable(data) for mime, data in given.items() if _can_be_sent(data)}
    for method, mime in _METHODS.items():
        shown = None if mime in bundle else _called(value, method)
        shown = shown[0] if isinstance(shown, tuple) else shown
        if _can_be_sent(shown):
            bundle[mime] = _sendable(shown)
    return bundle


def _can_be_sent(data: object) -> bool:
    """Whether there is data, and it is not nested so deep that readers of JSON fail. Plain text is always shown."""
    return data is not None and not is_nested_deeper(data)


def figure_png(figure: Any) -> str:  # noqa: ANN401 - a matplotlib figure, which may not be installed
    """Return a matplotlib figure as a PNG in base64."""
    picture = io.BytesIO()
    figure.savefig(picture, format="png", bbox_inches="tight")
    return base64.b64encode(picture.getvalue()).decode()


def _is_figure(value: object) -> bool:
    return any(each.__module__ == "matplotlib.figure" for each in type(value).__mro__)


def _plain(value: object) -> str:
    try:
        return repr(value)
    except Exception as error:
        return f"<{type(value).__name__}: repr failed with {type(error).__name__}>"


def _called(value: object, method: str, **arguments: object) -> Any:  # noqa: ANN401
    """Return what the method gives; None if there is none or it fails, as in IPython."""
    try:
        found = getattr(value, method, None)
        if not callable(found):
            return None
        try:
            return found(**arguments)
        except TypeError:  # the method may take no arguments
            return found()
    except Exception:
        return None


def _sendable(data: object) -> object:
    if isinstance(data, bytes):
        return base64.b64encode(data).decode()
    if isinstance(data, str):
        return data
    return _finite(json.loads(json.dumps(data, default=str)))


def _finite(data: Any) -> Any:  # noqa: ANN401 - JSON
    """Replace NaN and infinities by null: JSON has none, and data of charts often does."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, list):
        return [_finite(each) for each in data]
    if isinstance(data, dict):
        return {key: _finite(each) for key, each in data.items()}
    return data
