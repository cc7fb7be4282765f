"""Errors about a specification: one sentence with the place in the JSON, and the name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from whence.model.errors import UserError


class BadChart(UserError):
    """A specification that asks for something a chart cannot do."""


def wrong(path: str, sentence: str, hint: str = "") -> BadChart:
    """Return an error about one place of a specification.

    >>> print(wrong("layer[0].geom", "there is no geom circel", "Did you mean circle?"))
    In the chart, at layer[0].geom: there is no geom circel. Did you mean circle?
    """
    return BadChart(f"In the chart, at {path or 'the top'}: {sentence}.", hint)


def near(name: object, known: Iterable[str], what: str = "") -> str:
    """Return a hint: the known name that was probably meant, or else all known names.

    >>> near("lien", ["line", "area"]), near("hexagon", ["line", "area"], "Geoms")
    ('Did you mean line?', 'Geoms: line, area.')
    """
    names = list(known)
    by_lower = {each.lower(): each for each in names}
    found = get_close_matches(str(name).lower(), by_lower, n=1, cutoff=0.6)
    if found:
        return f"Did you mean {by_lower[found[0]]}?"
    return f"{what or 'There are'}: {', '.join(names)}." if names else ""
