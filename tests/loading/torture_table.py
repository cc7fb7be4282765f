"""The table of nasty files in docs/loading.md, made from the names of the tests that prove it."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "loading.md"

INPUTS = (
    "zero bytes",
    "a header only",
    "blank lines",
    "no newline at the end",
    "Ctrl-Z at the end",
    "a UTF-8 byte order mark",
    "UTF-16",
    "Latin-1",
    "a bad byte in UTF-8",
    "a lone surrogate",
    "a zero byte in a field",
    "invisible marks in names",
    "short rows",
    "long rows",
    "a newline in quotes",
    "a delimiter in quotes",
    "doubled quotes",
    "a quote that is never closed",
    "a backslash before a quote",
    "names used twice",
    "an empty name",
    "names equal but for case",
    "spaces around names",
    "integers beyond 64 bits",
    "leading zeros",
    "1e400",
    "NaN, inf, NA among numbers",
    "1,234",
    "mixed types",
    "mixed dates",
    "30 February",
    "yes and no",
    r"NULL, \N, empty text",
    "semicolons and decimal commas",
    "tabs",
    "a comment first",
    "a total last",
    "carriage returns only",
    "mixed line ends",
    "5,000 columns",
    "a field of 2 MB",
    "formulas",
    "gzip: packed, exploding, cut, false",
)


def table(module: dict[str, object]) -> str:
    """The rows of the table, from the tests of a module."""
    claims: dict[int, list[str]] = defaultdict(list)
    for name in module:
        if found := re.fullmatch(r"test_(\d\d)_(\w+)", name):
            claims[int(found[1])].append(found[2].replace("_", " "))
    lines = ["| | A file with | What happens |", "|---|---|---|"]
    for number, what in enumerate(INPUTS, start=1):
        lines.append(f"| {number} | {what} | {'; '.join(claims[number]).capitalize()} |")
    return "\n".join(lines)
