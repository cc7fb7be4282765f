"""The route that reports on one cell: its value, where it came from, and what is doubtful about it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated

from fastapi import Query

from whence.loading.caveat_sentence import caveat_sentence
from whence.model.caveat import CaveatGroup
from whence.model.cellref import CellRef
from whence.server.access import access
from whence.server.input_groups import input_groups
from whence.server.routers import new_router
from whence.server.routes.way import ancestors
from whence.server.sample import sample_rows
from whence.server.values import to_json
from whence.server.wiring import WorkspaceOfApp, cell_position, find
from whence.wire.caveats import CaveatPlace, CaveatSummary
from whence.wire.lineage import CellReport, InputCell, TraceStep

if TYPE_CHECKING:
    from whence.workspace.cell_trace import AncestorCells
    from whence.workspace.dataset import Dataset

router = new_router()

LONGEST_LIST = 50
"""The most rows and caveats in an answer. The answer also has the exact count."""


@router.get("/api/datasets/{name:path}/cell")
@access("session")
def read_cell(
    workspace: WorkspaceOfApp,
    name: str,
    row: Annotated[int, Query(ge=0, le=2**62)],
    column: str,
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
) -> CellReport:
    """Return a cell: its value, the cells and rows behind it, back to the sources, and its caveats."""
    dataset = find(workspace, name, version)
    position = cell_position(dataset, row, column)
    sample = sample_rows(dataset, [row], 1)
    behind = dataset.context.cell_traces.of(dataset.record, row, column)
    return CellReport(
        dataset=dataset.name,
        version=dataset.version,
        row=row,
        column=column,
        line=sample.lines[0],
        value=sample.values[0][position],
        suspect=position in sample.marks[0],
        row_suspect=sample.row_marks[0],
        origin=dataset.lineage.origin(row, column),
        steps=[_step(each, behind[each.record.id]) for each in ancestors(dataset) if each.record.id in behind],
        caveats=[caveat_summary(group) for group in dataset.caveats.list(row=row, column=column)],
        exact=dataset.lineage.exact,
        strategy=dataset.lineage.strategy,
    )


def _step(ancestor: Dataset, behind: AncestorCells) -> TraceStep:
    """Return what one ancestor contributed to the cell: groups of all cells, and the first rows and cells."""
    refs = list(behind.cells)  # they are walked several times
    shown = behind.rows.page(0, LONGEST_LIST).tolist()
    return TraceStep(
        dataset=ancestor.name,
        version=ancestor.version,
        origin=ancestor.record.origin,
        text=ancestor.record.text,
        groups=input_groups(refs, ancestor),
        refs=[
            InputCell(row=ref.row, column=ref.column, role=ref.role, value=to_json(ref.value))
            for ref in _cut(refs, shown)
        ],
        count=len(refs),
        rows=sample_rows(ancestor, shown, behind.rows.count),
    )


def _cut(refs: list[CellRef], shown: list[int]) -> list[CellRef]:
    """Return all cells of the rows that are shown, so that no role is missing, and of the first rows with cells."""
    rows = {*shown, *islice(dict.fromkeys(ref.row for ref in refs), LONGEST_LIST)}
    return [ref for ref in refs if ref.row in rows]


def caveat_summary(group: CaveatGroup) -> CaveatSummary:
    """Return a group of caveats as the page shows it, with at most `LONGEST_LIST` places."""
    return CaveatSummary(
        message=caveat_sentence(group),
        count=group.count,
        family=group.family,
        made_by=group.made_by,
        column=group.column,
        references=[
            CaveatPlace(
                dataset=place.dataset,
                version=place.version,
                row=place.row,
                column=place.column,
                line=place.line,
                text=place.text,
                message=place.message,
            )
            for place in group.references[:LONGEST_LIST]
        ],
    )
