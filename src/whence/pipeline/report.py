"""Reports a pipeline as text or an HTML page: for each step rows, changed cells, columns added and gone, groups hit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from whence.pipeline.count_cells import count_cells
from whence.pipeline.questions.bias import GroupShare, bias
from whence.pipeline.step import PipelineStep
from whence.pipeline.trail import Trail
from whence.transformations.input_table import join_names

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d7dce2}
td.n{text-align:right;font-variant-numeric:tabular-nums}code{font-size:.85em;color:#57606a}.hit{color:#a40e26;font-weight:600}
@media(prefers-color-scheme:dark){body{background:#15181c;color:#e6e9ed}th,td{border-color:#333a42}
code{color:#9aa4af}.hit{color:#ff8a8a}}
"""


def text_report(trail: Trail) -> str:
    """Return one line of text for each step."""
    return "\n".join(_line(trail, step) for step in trail.steps)


def html_report(trail: Trail, name: str, groups: Sequence[str] = ()) -> str:
    """Return a self-contained HTML page; `groups` are columns whose groups are followed."""
    shares = bias(trail, list(groups)).shares if groups else ()
    body = "".join(_sections(trail, name, shares))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title>'
        f"<style>{_STYLE}</style></head><body>{body}</body></html>\n"
    )


def _line(trail: Trail, step: PipelineStep) -> str:
    counts = count_cells(trail, step)
    lost = counts.rows_before - counts.rows_after
    rows = f"{counts.rows_after:,} rows" + (f" ({lost:,} dropped)" if lost > 0 else f" ({-lost:,} new)" if lost else "")
    cells = f", {counts.cells_changed:,} of {counts.cells_touched:,} cells changed" if counts.cells_touched else ""
    return f"{step.operation.number}. {step.operation.kind}: {step.operation.description} {rows}{cells}"


def _sections(trail: Trail, name: str, shares: Sequence[GroupShare]) -> Iterator[str]:
    first, last = trail.input, trail.result
    yield f"<h1>{escape(name)}</h1><p>{escape(first.label)}, {first.rows:,} rows x {len(first.schema)} columns, became "
    yield f"{escape(last.label)}, {last.rows:,} rows x {len(last.schema)} columns, in {len(trail.steps)} steps.</p>"
    yield _head("Step", "What it did", "Rows", "Cells changed", "Columns")
    for step in trail.steps:
        yield _row(trail, step)
    yield "</table>"
    if shares:
        yield "<h2>Groups</h2>" + _head("Step", "Group", "Rows", "Share", "Kept")
        for share in shares:
            if share.before != share.after:
                yield _share(share)
        yield "</table>"


def _head(*names: str) -> str:
    return f"<table><thead><tr>{''.join(f'<th>{name}</th>' for name in names)}</tr></thead>"


def _row(trail: Trail, step: PipelineStep) -> str:
    counts, operation = count_cells(trail, step), step.operation
    came, went = join_names(step.created, 4), join_names(step.gone, 4)
    columns = "; ".join(part for part in (came and f"new: {came}", went and f"gone: {went}") if part)
    inferred = " (inferred)" if operation.is_inferred else ""
    return (
        f"<tr><td>{operation.number} {escape(operation.kind)}{inferred}</td>"
        f"<td>{escape(operation.description)}<br><code>{escape(operation.code)}</code></td>"
        f'<td class="n">{counts.rows_before:,} &rarr; {counts.rows_after:,}</td>'
        f'<td class="n">{counts.cells_changed:,} of {counts.cells_touched:,}</td><td>{escape(columns)}</td></tr>'
    )


def _share(share: GroupShare) -> str:
    hit = ' class="hit"' if share.kept < share.kept_overall else ""
    return (
        f"<tr><td>{share.operation.number} {escape(share.operation.kind)}</td>"
        f"<td>{escape(share.column)} = {escape(str(share.group))}</td>"
        f'<td class="n">{share.before:,} &rarr; {share.after:,}</td>'
        f'<td class="n">{share.share_before:.1%} &rarr; {share.share_after:.1%}</td>'
        f'<td class="n"><span{hit}>{share.kept:.1%}</span> (all {share.kept_overall:.1%})</td></tr>'
    )
