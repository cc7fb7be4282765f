"""Says where a cell or a row came from: its ancestors nearest first, each with the cells and rows behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from whence.lineage.selection import Selection
from whence.mcp.values import text_of
from whence.model.cellref import CellRef
from whence.model.plural import counted
from whence.server.routes.way import ancestors

if TYPE_CHECKING:
    from whence.lineage.cells import CellSet
    from whence.workspace.dataset import Dataset

_SHOWN = 3
"""The most rows or cells of a kind that a line lists."""


def cell_lines(dataset: Dataset, row: int, column: str) -> Iterator[str]:
    """Yield a line for each ancestor, and below it one for each column that took part in a cell, with its role."""
    behind = dataset.context.cell_traces.rows(dataset.record, row)
    cells = dataset.context.readers.cells.at_each(dataset.record, row, column, behind)
    for ancestor in ancestors(dataset):
        if ancestor.record.id in behind:
            yield _ancestor_line(ancestor, behind[ancestor.record.id])
            yield from _column_lines(ancestor, cells[ancestor.record.id])


def row_origin_lines(dataset: Dataset, row: int) -> Iterator[str]:
    """Yield a line for each ancestor with the rows behind a row."""
    behind = dataset.context.cell_traces.rows(dataset.record, row)
    for ancestor in ancestors(dataset):
        if ancestor.record.id in behind:
            yield _ancestor_line(ancestor, behind[ancestor.record.id])


def origin_sentence(dataset: Dataset, row: int) -> str:
    """Return in one sentence which rows of which sources a row was made from."""
    if dataset.record.is_source:
        return f"It was not computed: {dataset.record.label} was {_verb(dataset)}{_line_of(dataset, row)}."
    behind = dataset.context.cell_traces.rows(dataset.record, row)
    sources = [each for each in ancestors(dataset) if each.record.is_source and behind[each.record.id].count]
    found = [f"{_rows(each, behind[each.record.id])} of {each.record.label}" for each in sources]
    exactness = "" if dataset.lineage.exact else " The lineage is coarse: it may name more than took part."
    return f"It was made from {' and '.join(found) or 'no rows: only from values in the query'}.{exactness}"


def _ancestor_line(ancestor: Dataset, rows: Selection) -> str:
    made = _verb(ancestor) if ancestor.record.is_source else f"made by {ancestor.record.origin}"
    return f"{ancestor.record.label} ({made}): {_rows(ancestor, rows)} behind it"


def _rows(ancestor: Dataset, rows: Selection) -> str:
    shown = rows.page(0, _SHOWN).tolist()
    places = [f"{row}{_line_of(ancestor, row, ' = line ')}" for row in shown]
    more = ", ..." if rows.count > len(shown) else ""
    return f"{counted(rows.count, 'row')} ({', '.join(places)}{more})" if shown else "no row"


def _line_of(dataset: Dataset, row: int, words: str = " from line ") -> str:
    """Return the line of the loaded file on which a row begins, in words; empty if there was no file."""
    (line,) = dataset.source_lines([row])
    return "" if line is None else f"{words}{line}"


def _verb(dataset: Dataset) -> str:
    return "loaded" if dataset.record.origin == "load" else "created"


def _column_lines(ancestor: Dataset, cells: CellSet) -> Iterator[str]:
    with_values = ancestor.context.readers.cells.with_values
    for use in sorted(cells, key=lambda use: (use.rank, use.column)):
        ids = cells[use]
        refs = list(with_values({use: ids[:_SHOWN]}))
        values = ", ".join(_value(ancestor, ref) for ref in refs)
        more = ", ..." if len(ids) > len(refs) else ""
        role = f"{refs[0].role}, " if refs else ""
        yield f"  {use.column} ({role}{counted(len(ids), 'cell')}): {values}{more}"


def _value(ancestor: Dataset, ref: CellRef) -> str:
    is_doubtful = ref.column in ancestor.caveats.doubt.columns and (
        ancestor.caveats.marks_of([ref.row]).column(ref.column).to_pylist() == [True]
    )
    return f"row {ref.row} = {text_of(ref.value)}{'?' if is_doubtful else ''}"
