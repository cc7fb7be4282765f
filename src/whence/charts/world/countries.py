"""Which outline of the world map a value of a table means: by its name, or by any of its three ISO codes."""

from __future__ import annotations

import csv
import re
import unicodedata
from functools import cache
from importlib.resources import files

_CUT = re.compile(r"[^a-z0-9]+")
_ARTICLE = re.compile(r"\bthe\b")
_DIGITS = 3
"""The digits of a numeric code. A column of whole numbers has lost the zeros before them."""


def find_shape(value: object) -> str | None:
    """Return the name of the outline that a value means, or None if no outline is known for it.

    >>> find_shape("de"), find_shape("Côte d'Ivoire"), find_shape(8), find_shape("Atlantis")
    ('Germany', "Côte d'Ivoire", 'Albania', None)
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    key = _folded(str(value))
    return _shapes().get(key.zfill(_DIGITS) if key.isdigit() else key)


@cache
def _shapes() -> dict[str, str]:
    """Return the name of each outline by everything that it is called."""
    text = files("whence.charts.world").joinpath("countries.csv").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for row in csv.DictReader(text.splitlines()):
        called = (row["shape"], row["numeric"], row["alpha2"], row["alpha3"], *row["names"].split("|"))
        found |= dict.fromkeys((_folded(each) for each in called if each), row["shape"])
    return found


def _folded(name: str) -> str:
    """Return a name in lower case without accents, articles and signs: "The Bahamas" is "bahamas".

    >>> _folded("Bosnia & Herzegovina"), _folded("St. Lucia")
    ('bosniaherzegovina', 'stlucia')
    """
    plain = "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
    words = _ARTICLE.sub(" ", plain.casefold()).replace(" and ", " ")
    return _CUT.sub("", words)
