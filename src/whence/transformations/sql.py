"""Writes the SQL that transformations are made of: sentences, and look-ups in what was learned."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence

from whence.plan.sql_text import quoted, text, typed, written
from whence.transformations.applied import Output

__all__ = ["NOTHING", "lookup", "quoted", "said", "text", "typed", "with_columns", "words", "written"]

NOTHING = "nothing"
"""How a sentence, or the name of a column, writes a value that is missing."""

_ENTRIES_PER_BUCKET = 4


def words(*parts: str) -> str:
    """Expressions put together as one text; a value that is missing reads `nothing`."""
    return f"concat({', '.join(said(part) for part in parts)})"


def said(expression: str) -> str:
    """An expression as a text that is never missing."""
    return f"coalesce(cast({expression} as string), '{NOTHING}')"


def lookup(key: str, entries: Mapping[str, str]) -> str:
    """What the entries say about a text, NULL if they say nothing.

    Spark searches a map from end to end, so the entries are put into many small maps and the text's checksum says in
    which to look. The maps are written as JSON, which Spark reads once, when it plans.
    """
    if not entries:
        return "cast(null as string)"
    count = max(1, len(entries) // _ENTRIES_PER_BUCKET)
    buckets: list[dict[str, str]] = [{} for _ in range(count)]
    for each, value in entries.items():
        buckets[zlib.crc32(each.encode("utf-8")) % count][each] = value
    maps = f"from_json({text(json.dumps(buckets, ensure_ascii=False))}, 'array<map<string,string>>')"
    place = f"cast(crc32(encode({key}, 'UTF-8')) % {count} as int)"
    return f"try_element_at(get({maps}, {place}), {key})"


def with_columns(view: str, added: Sequence[Output]) -> str:
    """A table with columns computed row by row, as a FROM clause takes it."""
    return f"(select *, {', '.join(f'{each.sql} as {quoted(each.name)}' for each in added)} from {view})"
