"""A caveat report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whence.caveats.facts import Assumption, ReportFacts, share
from whence.caveats.report_words import GIVEN, MOST_GUESSED, NEVER_DATA, PROMISE, depends, describe_origin, kind, places


def to_markdown(facts: ReportFacts) -> str:
    """The report as a text that can be committed beside the data."""
    return "\n".join(_lines(facts)) + "\n"


def _lines(facts: ReportFacts) -> Iterator[str]:
    record = facts.record
    yield from (f"# Caveats of {_plain(record.label)}", "", _plain(facts.verdict), "", PROMISE, "")
    yield from ("## How much is in doubt", "", "| Column | Cells in doubt |", "|---|---|")
    for name, count in facts.by_column:
        yield f"| {_plain(name)} | {share(count, record.rows)} |"
    yield from ("", "## What was assumed", "")
    if not facts.assumptions:
        yield "Nothing."
    for number, each in enumerate(facts.assumptions, start=1):
        yield from _assumption(number, each, facts)
    if facts.guessed:
        yield from ("", f"## {MOST_GUESSED}", "", GIVEN, "", *(f"- {_plain(each)}" for each in facts.guessed))
    if facts.written:
        yield from ("", f"## {NEVER_DATA}", "", *(f"- {_plain(each)}" for each in facts.written))
    yield from ("", "## What it was made from", "")
    yield f"- {_plain(record.label)}: {_plain(record.text) or record.origin}"
    for made in facts.inputs:
        yield f"- {_plain(made.label)}: {_plain(made.text) or made.origin}"


def _assumption(number: int, each: Assumption, facts: ReportFacts) -> Iterator[str]:
    group = each.group
    yield f"{number}. **{_plain('; '.join(group.messages) or group.message)}**"
    yield f"   - {group.count:,} x {_plain(kind(group))}, by {_plain(describe_origin(group))}"
    yield f"   - depends on it: {depends(each, facts.record)}"
    if group.acknowledged:
        yield f"   - acknowledged{': ' + _plain(group.note) if group.note else ''}"
    yield from (f"   - {_plain(place)}" for place in places(group))


def _plain(text: str) -> str:
    """Text as it is, whatever signs of Markdown or HTML it has."""
    return re.sub(r"([\\`*_{}\[\]<>|#~])", r"\\\1", " ".join(text.split()))
