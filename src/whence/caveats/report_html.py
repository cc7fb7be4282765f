"""A caveat report as one HTML file that needs nothing else: no script, no font, no network."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from whence.caveats.facts import Assumption, ReportFacts, share
from whence.caveats.report_words import GIVEN, MOST_GUESSED, NEVER_DATA, PROMISE, depends, describe_origin, kind, places

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2433; --quiet: #566074; --paper: #fff; --line: #d5dae3; --doubt: #9a5b00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9f0; --quiet: #a4adbd; --paper: #14181f; --line: #343b48; --doubt: #f0b45c; }
}
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper); }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2rem; }
.verdict { font-size: 1.15rem; } .quiet { color: var(--quiet); } .doubt { color: var(--doubt); font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; color: var(--quiet); padding: .3rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .8rem .4rem 0; text-align: left; vertical-align: top; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
article { border: 1px solid var(--line); border-radius: .4rem; padding: .2rem 1rem .6rem; margin: 1rem 0; }
article h3 { margin: .6rem 0 .3rem; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; } dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
"""


def to_html(facts: ReportFacts) -> str:
    """The report as a page."""
    title = f"Caveats of {escape(facts.record.label)}"
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title><style>{_STYLE}</style></head><body><main>",
            f"<h1>{title}</h1>",
            *_body(facts),
            "</main></body></html>\n",
        )
    )


def _body(facts: ReportFacts) -> Iterator[str]:
    record = facts.record
    yield f'<p class="verdict">{escape(facts.verdict)}</p><p class="quiet">{escape(PROMISE)}</p>'
    yield "<h2>How much is in doubt</h2>"
    yield f'<div class="wide"><table><caption>{record.rows:,} rows, made {escape(record.created)}</caption>'
    yield '<thead><tr><th scope="col">Column</th><th scope="col">Cells in doubt</th></tr></thead><tbody>'
    for name, count in facts.by_column:
        shown = f'<span class="doubt">{share(count, record.rows)}</span>' if count else "0"
        yield f'<tr><th scope="row">{escape(name)}</th><td class="number">{shown}</td></tr>'
    yield "</tbody></table></div><h2>What was assumed</h2>"
    if not facts.assumptions:
        yield "<p>Nothing.</p>"
    for each in facts.assumptions:
        yield from _assumption(each, facts)
    if facts.guessed:
        items = "".join(f"<li>{escape(each)}</li>" for each in facts.guessed)
        yield f"<h2>{MOST_GUESSED}</h2><p>{GIVEN}</p><ol>{items}</ol>"
    if facts.written:
        yield f"<h2>{NEVER_DATA}</h2><ul>{''.join(f'<li>{escape(each)}</li>' for each in facts.written)}</ul>"
    yield "<h2>What it was made from</h2><dl>"
    for made in (record, *facts.inputs):
        yield f"<dt>{escape(made.label)}</dt><dd><pre>{escape(made.text or made.origin)}</pre></dd>"
    yield "</dl>"


def _assumption(each: Assumption, facts: ReportFacts) -> Iterator[str]:
    group = each.group
    yield f"<article><h3>{escape('; '.join(group.messages) or group.message)}</h3><dl>"
    yield f"<dt>What</dt><dd>{group.count:,} &times; {escape(kind(group))}</dd>"
    yield f"<dt>Raised by</dt><dd>{escape(describe_origin(group))}</dd>"
    yield f"<dt>Depends on it</dt><dd>{escape(depends(each, facts.record))}</dd>"
    if group.acknowledged:
        yield f"<dt>Acknowledged</dt><dd>{escape(group.note or 'yes')}</dd>"
    if shown := places(group):
        items = "".join(f"<li>{escape(place)}</li>" for place in shown)
        yield f"<dt>Where</dt><dd><ul>{items}</ul></dd>"
    yield "</dl></article>"
