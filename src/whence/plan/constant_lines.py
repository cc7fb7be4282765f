"""Finds the lines of a query on which a constant stands, without Spark."""

from __future__ import annotations

import re
from decimal import Decimal

from whence.plan.sql_tokens import TOKEN

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def constant_lines(text: str, value: object) -> tuple[int, ...]:
    """The lines, counted from 1, that hold this text or number as a constant.

    >>> constant_lines("select 'US-East' r, 142050 s -- 99000\\nunion all select 'US-West', 99000", 99000)
    (2,)
    """
    if isinstance(value, str):
        places = [token.start() for token in TOKEN.finditer(text) if token["text"] and _inside(token["text"]) == value]
    elif isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        wanted, plain = abs(float(value)), TOKEN.sub(_blank, text)
        places = [number.start() for number in _NUMBER.finditer(plain) if float(number[0]) == wanted]
    else:
        places = []
    return tuple(dict.fromkeys(text.count("\n", 0, place) + 1 for place in places))


def _inside(text: str) -> str:
    """A text without its quotes; one with escapes is not looked into."""
    return text[1:-1]


def _blank(token: re.Match[str]) -> str:
    """Spaces in place of a comment, a text or a quoted name, so that every place stays where it was."""
    return token[0] if token["word"] or token["argument"] else " " * len(token[0])
