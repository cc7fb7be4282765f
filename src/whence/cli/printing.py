"""How datasets, caveats and traces look in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from whence.model.caveat import CaveatGroup
from whence.model.cellref import CellRef
from whence.workspace.dataset import Dataset
from whence.workspace.workspace import Workspace

_WIDEST = 40


def table_lines(dataset: Dataset, rows: int) -> Iterator[str]:
    """The first rows in columns; a doubtful value is followed by a question mark."""
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


def caveat_lines(groups: list[CaveatGroup]) -> Iterator[str]:
    """One line for each group, and one for each of its first places."""
    if not groups:
        yield "Nothing is in doubt."
    for group in groups:
        where = f" in {group.column}" if group.column else ""
        yield f"{group.count} x {group.family}{where}, from {group.made_by}"
        for place in group.references[:3]:
            yield f"  {_place(place.line, place.row)}{place.message}"
        if group.count > len(group.references[:3]):
            yield f"  ... and {group.count - 3} more"


def trace_lines(workspace: Workspace, dataset: Dataset, row: int, column: str, depth: int = 0) -> Iterator[str]:
    """The cell, below it the cells it was made from, and so on down to what was loaded."""
    if depth == 0:
        value = dataset.rows(row, row + 1).column(column)[0].as_py()
        yield f"{dataset.record.label} row {row} {column} = {_text(value)}"
    refs = dataset.lineage.cell(row, column)
    for number, ref in enumerate(refs):
        if number == 10:
            yield f"{'   ' * (depth + 1)}... and {len(refs) - number} more"
            break
        source = workspace[f"{ref.dataset}@{ref.version}"]
        yield f"{'   ' * (depth + 1)}{_reference(ref, source)}"
        yield from trace_lines(workspace, source, ref.row, ref.column, depth + 1)


def _reference(ref: CellRef, source: Dataset) -> str:
    (line,) = source.source_lines([ref.row])
    (marks,) = source.caveats.marks(ref.row, ref.row + 1).to_pylist()
    doubt = " (in doubt)" if marks[ref.column] else ""
    place = f"line {line}" if line is not None else f"row {ref.row}"
    return f"{ref.role}: {ref.dataset}@{ref.version} {place} {ref.column} = {_text(ref.value)}{doubt}"


def _place(line: int | None, row: int | None) -> str:
    if line is not None:
        return f"line {line}: "
    return "" if row is None else f"row {row}: "


def _text(value: object) -> str:
    text = "null" if value is None else str(value).replace("\n", "\\n")
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
