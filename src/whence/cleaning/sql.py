"""Writes the SQL that lenses are made of: sentences, and look-ups in what a lens has learned."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping

from whence.plan.sql_text import quoted, text, typed, written

__all__ = ["lookup", "quoted", "said", "text", "typed", "words", "written"]

_ENTRIES_PER_BUCKET = 4


def words(*parts: str) -> str:
    """Expressions put together as one text; a value that is missing reads `nothing`."""
    return f"concat({', '.join(said(part) for part in parts)})"


def said(expression: str) -> str:
    """An expression as a text that is never missing."""
    return f"coalesce(cast({expression} as string), 'nothing')"


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
