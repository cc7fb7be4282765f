"""Breaks the prose of a page in Markdown into lines of one width; tables, code and headings stay as they are."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

WIDTH = 120
_FENCE = re.compile(r"\s*(```|~~~)")
_FIXED = re.compile(r"(\||#| {4}|<|\s*$)")
"""Lines that mean something as lines: of a table, a heading, indented code, and HTML."""
_BULLET = re.compile(r"( *)([-*]|\d+\.) ")


def wrap(page: str) -> str:
    """Return the page with long lines of prose broken.

    >>> print(wrap("- " + "word " * 30).replace("word " * 20, "... "))
    - ... word word word
      word word word word word word word
    """
    return "\n".join(_lines(page.split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    is_code = False
    for line in lines:
        if _FENCE.match(line):
            is_code = not is_code
        if is_code or len(line) <= WIDTH or _FIXED.match(line):
            yield line
        else:
            yield from _broken(line)


def _broken(line: str) -> list[str]:
    bullet = _BULLET.match(line)
    indent = " " * len(bullet.group()) if bullet else ""
    # A line that begins with a number or a sign would be an item of a list.
    broken = textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return broken if not any(_BULLET.match(each) or _FIXED.match(each) for each in broken[1:]) else [line]
