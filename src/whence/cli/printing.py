"""Formats datasets, caveats and traces for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from whence.lineage.way import WayCell
from whence.model.caveat import CaveatGroup
from whence.workspace.dataset import Dataset
from whence.workspace.pipeline import Pipeline
from whence.workspace.saved_origins import saved_sentences

_WIDEST = 40


def table_lines(dataset: Dataset, rows: int) -> Iterator[str]:
    """Yield the first rows in aligned columns. A question mark follows a doubtful value."""
    shown = dataset.rows(0, rows).to_pylist()
    marks = dataset.caveats.marks(0, rows).to_pylist()
    cells = [
        [_text(row[name]) + ("?" if mark[name] else "") for name in dataset.columns]
        for row, mark in zip(shown, marks, strict=True)
    ]
    widths = [max(len(line[n]) for line in [dataset.columns, *cells]) for n in range(len(dataset.columns))]
    for line in (dataset.columns, *cells):
        yield "  ".join(value.ljust(width) for value, width in zip(line, widths, strict=True)).rstrip()
    if dataset.count > len(shown):
        yield f"... {dataset.count - len(shown)} more rows"
    if dataset.caveats.row_set:
        yield "A row that is absent might belong here."


def note_lines(dataset: Dataset) -> Iterator[str]:
    """Yield what one should know about a result, a line for each note."""
    for note in dataset.notes_at_hand:
        yield f"Note: {note}"


def caveat_lines(groups: list[CaveatGroup]) -> Iterator[str]:
    """Yield one line for each group of caveats, and one for each of its first three places."""
    if not groups:
        yield "Nothing is in doubt."
    for group in groups:
        where = f" in {group.column}" if group.column else ""
        done = f" (acknowledged{': ' + group.note if group.note else ''})" if group.acknowledged else ""
        yield f"{group.count} x {group.family}{where}, from {group.made_by}{done}"
        shown = group.references[:3]
        for place in shown:
            yield f"  {_place(place.line, place.row)}{place.message}"
        if group.count > len(shown):
            yield f"  ... and {group.count - len(shown)} more"


def bound_lines(dataset: Dataset, row: int | None, column: str | None) -> Iterator[str]:
    """Yield between which values the doubtful cells of a row lie; without a row, how wide the bounds of columns are."""
    chosen = [name for name in dataset.columns if name in dataset.caveats.doubt.columns and column in (None, name)]
    if chosen:
        yield "Bounds, given what caveats state:"
    if row is None:
        yield from (f"  {each.column}: {each}" for each in dataset.caveats.widths() if each.column in chosen)
        return
    for name in chosen:
        found = dataset.caveats.bounds(row, name)
        yield f"  {name}: {found}" + (f". {found.why}" if found.why else "")


def trace_lines(dataset: Dataset, row: int, column: str | None, most: int) -> Iterator[str]:
    """Yield a cell, or each cell of the row, followed by the tree of cells it was made from."""
    for name in dataset.columns if column is None else (column,):
        way = dataset.lineage.way(row, name, most)
        yield f"{dataset.record.label} row {row} {name} = {_text(way.cell.value)}{_origin(way)}"
        yield from _steps(way, "")
        if dataset.record.origin in ("pipeline", "lens"):
            yield from _pipeline_steps(dataset, row, name)
    yield from saved_sentences(dataset.context, dataset.record, row)


def _pipeline_steps(dataset: Dataset, row: int, column: str) -> Iterator[str]:
    """Yield what each step of a pipeline did to a cell, oldest first."""
    for step in Pipeline.from_dataset(dataset).provenance.how(row, column):
        change = f"{_text(step.before)} -> {_text(step.after)}" if step.before is not None else _text(step.after)
        where = f" [{step.operation.line}]" if step.operation.line else ""
        yield f"   step {step.operation.number} {step.operation.kind} {step.column}: {change}{where}"


def _steps(way: WayCell, indent: str) -> Iterator[str]:
    """Yield the cells below one in the tree, with the lines that connect them."""
    entries: list[tuple[WayCell | None, str]] = []
    for step in way.inputs:
        entries += [(cell, _cell(cell)) for cell in step.cells]
        if step.hidden_count:
            first = step.cells[0].cell
            entries.append(
                (None, f"... and {step.hidden_count} more of {first.dataset}@{first.version} {first.column}")
            )
    for number, (cell, text) in enumerate(entries):
        is_last = number == len(entries) - 1
        yield f"{indent}{'└─ ' if is_last else '├─ '}{text}"
        if cell is not None:
            yield from _steps(cell, indent + ("   " if is_last else "│  "))


def _cell(way: WayCell) -> str:
    cell = way.cell
    doubt = " (in doubt)" if way.is_doubtful else ""
    place = f"line {way.line}" if way.line is not None else f"row {cell.row}"
    return (
        f"{cell.role}: {cell.dataset}@{cell.version} {place} {cell.column} = {_text(cell.value)}{doubt}{_origin(way)}"
    )


def _origin(way: WayCell) -> str:
    return f" ({way.origin})" if way.origin else ""


def _place(line: int | None, row: int | None) -> str:
    if line is not None:
        return f"line {line}: "
    return "" if row is None else f"row {row}: "


def _text(value: object) -> str:
    text = "null" if value is None else str(value).replace("\n", "\\n")
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
