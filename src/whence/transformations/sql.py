"""SQL that several transformations need: texts for messages, and look-ups in learned values."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence

from whence.plan.sql_text import quoted, text, typed, written
from whence.transformations.plan import Output

__all__ = ["NOTHING", "as_text", "concat_text", "lookup", "quoted", "text", "typed", "with_columns", "written"]

NOTHING = "nothing"
"""What stands for a missing value in a message or in the name of a column."""

_ENTRIES_PER_BUCKET = 4
_LONGEST_JSON_KEY = 10_000
"""Spark's JSON reader (Jackson) refuses keys of more than 50,000 bytes, and all entries with them."""


def concat_text(*parts: str) -> str:
    """Return an expression that joins expressions into one text; a missing value reads `nothing`."""
    return f"concat({', '.join(as_text(part) for part in parts)})"


def as_text(expression: str) -> str:
    """Return an expression of type text that is never missing."""
    return f"coalesce(cast({expression} as string), '{NOTHING}')"


def lookup(key: str, entries: Mapping[str, str]) -> str:
    """Return an expression that looks a text up in the entries; it gives NULL for a text that is not among them."""
    short = {each: value for each, value in entries.items() if len(each) <= _LONGEST_JSON_KEY}
    long = [f"{text(each)}, {text(value)}" for each, value in entries.items() if each not in short]
    found = [_look_up_in_buckets(key, short)] if short else []
    if long:
        found.append(f"try_element_at(map({', '.join(long)}), {key})")
    return f"coalesce({', '.join(found)})" if len(found) > 1 else "".join(found) or "cast(null as string)"


def _look_up_in_buckets(key: str, entries: Mapping[str, str]) -> str:
    """Return an expression that looks a text up in many small maps, of which the checksum of the text chooses one.

    Spark searches a map from end to end, so one large map is slow. The maps are JSON, which Spark parses once, when it
    plans.
    """
    count = max(1, len(entries) // _ENTRIES_PER_BUCKET)
    buckets: list[dict[str, str]] = [{} for _ in range(count)]
    for each, value in entries.items():
        buckets[zlib.crc32(each.encode("utf-8")) % count][each] = value
    # An expression, not a join: a join would make rows depend on the entries in lineage.
    maps = f"from_json({text(json.dumps(buckets, ensure_ascii=False))}, 'array<map<string,string>>')"
    place = f"cast(crc32(encode({key}, 'UTF-8')) % {count} as int)"
    return f"try_element_at(get({maps}, {place}), {key})"


def with_columns(view: str, added: Sequence[Output]) -> str:
    """Return a subquery that adds columns to a table, for a FROM clause."""
    return f"(select *, {', '.join(f'{each.sql} as {quoted(each.name)}' for each in added)} from {view})"
