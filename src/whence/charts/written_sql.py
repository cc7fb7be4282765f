"""A chart as SQL to read and to run elsewhere: the query of its marks, with intermediate datasets as WITH clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whence.charts.source import filled
from whence.charts.sql import quoted
from whence.charts.workspace_source import Sampled, WorkspaceSource

_WORDS = re.compile(
    r"'(?:[^'\\]|\\.)*'|`[^`]*`|[()]|\b(?:from|where|group by|order by|union all|limit)\b|\w+|\s+|.", re.S
)
_BREAKS = ("from", "where", "group by", "order by", "union all", "limit")


def write_sql(sql: str, source: WorkspaceSource) -> str:
    """Return the query of a chart over the datasets of its workspace by name, laid out over lines."""
    steps = [(each.name, _sample(each)) for each in source.samples]
    steps += [(each.record.name, filled(each.sql, source.table)) for each in source.stages]
    query = filled(sql, source.table)
    if not steps:
        return lay_out(query)
    listed = ",\n".join(f"{quoted(name)} as (\n{_indented(lay_out(text))}\n)" for name, text in steps)
    return f"with {listed}\n{lay_out(query)}"


def _sample(sample: Sampled) -> str:
    # Which rows a sample holds is not written down, so another run draws other ones.
    return f"select * from {quoted(sample.table)} order by rand({sample.seed}) limit {sample.count}"


def lay_out(sql: str) -> str:
    """Return a query with a line for each clause. Only white space changes.

    >>> print(lay_out("select x, count(*) as y from (select `a from` as x from `t`) group by x"))
    select x, count(*) as y
    from (
      select `a from` as x
      from `t`
    )
    group by x
    """
    return "".join(_laid_out([found[0] for found in _WORDS.finditer(sql)]))


def _laid_out(words: list[str]) -> Iterator[str]:
    """Yield the words, with a line break before each clause of a query but not inside calls such as `extract`."""
    opened: list[bool] = [True]  # whether each open bracket holds a query
    at_break = False
    for place, word in enumerate(words):
        depth = sum(opened) - 1
        if word == "(":
            opened.append(
                next((each for each in words[place + 1 :] if each.strip()), "") in ("select", "(")
                and _holds(words, place)
            )
            yield word + ("\n" + "  " * (depth + 1) if opened[-1] else "")
            at_break = opened[-1]
        elif word == ")":
            is_query = opened.pop()
            yield ("\n" + "  " * (depth - 1) if is_query else "") + word
            at_break = False
        elif word.isspace():
            after = words[place + 1] if place + 1 < len(words) else ""
            is_clause = opened[-1] and after in _BREAKS
            yield "\n" + "  " * depth if is_clause else "" if at_break else word
        else:
            yield word
            at_break = False


def _holds(words: list[str], place: int) -> bool:
    """Return whether the first word within any number of brackets is SELECT."""
    return next((each for each in words[place:] if each != "(" and not each.isspace()), "") == "select"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
