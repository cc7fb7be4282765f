"""Keeps messages of a cell within what JSON, UTF-8 and their readers can carry."""

from __future__ import annotations

import re
from typing import Any

DEEPEST = 100
"""Levels of nesting in an output. Readers of JSON recurse, and Python gives up near 1,000."""
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
# Most messages hold none, and one search of the JSON text is quicker than a walk through its values.
_MAY_HOLD_HALVES = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")


def with_whole_characters(value: Any, source: str) -> Any:  # noqa: ANN401 - JSON
    """Replace halves of characters (lone surrogates), which no UTF-8 has, by U+FFFD; `source` is the JSON text.

    >>> with_whole_characters({"text": "a" + chr(0xD800)}, '{"text": "a\\\\ud800"}') == {"text": "a" + chr(0xFFFD)}
    True
    """
    return _replace_halves(value) if _MAY_HOLD_HALVES.search(source) else value


def _replace_halves(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return _HALF_CHARACTER.sub("\ufffd", value)
    if isinstance(value, list):
        return [_replace_halves(each) for each in value]
    if isinstance(value, dict):
        return {_replace_halves(key): _replace_halves(each) for key, each in value.items()}
    return value


def is_nested_deeper(value: object, levels: int = DEEPEST) -> bool:
    """Whether lists and dictionaries are nested more than this many levels deep, found without recursion.

    >>> is_nested_deeper([[[1]]], 2), is_nested_deeper([[[1]]], 3)
    (True, False)
    """
    level = [value]
    for _ in range(levels + 1):
        level = [child for each in level for child in _children(each)]
        if not level:
            return False
    return True


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []
