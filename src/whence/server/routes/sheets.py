"""Routes about sheets: open, read and edit them, and apply their operations as one notebook cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Query, Request

from whence.model.notebook import VersionRecord
from whence.server.access import access
from whence.server.notebooks import cell_view
from whence.server.routers import new_router
from whence.server.routes.notebooks import Books
from whence.server.sheets import OpenSheet, Sheets
from whence.server.values import to_json
from whence.server.wiring import WholeWorkspace, find
from whence.wire.sheets import (
    AppliedSheet,
    ApplySheet,
    LostOperation,
    NewSheet,
    PagedSheet,
    SheetCellNote,
    SheetColumn,
    SheetHome,
    SheetOperation,
    SheetView,
)

if TYPE_CHECKING:
    from whence.workspace.dataset import Dataset
    from whence.workspace.notebook import Notebook

router = new_router()

LARGEST_PAGE = 1000


async def _sheets(request: Request) -> Sheets:
    sheets: Sheets = request.app.state.sheets
    return sheets


OpenSheets = Annotated[Sheets, Depends(_sheets)]
Where = Annotated[str | None, Query(min_length=1, max_length=10_000)]


@router.get("/api/sheets")
@access("session")
def list_sheets(sheets: OpenSheets) -> list[SheetView]:
    """Return the sheets that were neither applied nor discarded."""
    return [_view(each) for each in sheets.list()]


@router.post("/api/sheets")
@access("session")
def make_sheet(sheets: OpenSheets, workspace: WholeWorkspace, asked: NewSheet) -> SheetView:
    """Open a dataset version as a spreadsheet. The dataset itself never changes."""
    label = find(workspace, asked.dataset, asked.version).record.label
    return _view(sheets.make(label, resume=asked.resume))


@router.get("/api/sheets/{sheet}")
@access("session")
def read_sheet(sheets: OpenSheets, sheet: str) -> SheetView:
    """Return a sheet: its columns, its number of rows, its operations, and the edits that found no row."""
    return _view(sheets.find(sheet))


@router.get("/api/sheets/{sheet}/page")
@access("session")
def read_sheet_page(
    sheets: OpenSheets,
    workspace: WholeWorkspace,
    sheet: str,
    offset: Annotated[int, Query(ge=0, le=2**62)] = 0,
    limit: Annotated[int, Query(ge=1, le=LARGEST_PAGE)] = 200,
    where: Where = None,
) -> PagedSheet:
    """Return what rows show, with the pending operations. No Spark is needed.

    With `where` only the rows for which a formula such as `[@price] > 10` is true; the sheet itself keeps all.
    """
    opened = sheets.find(sheet)
    with opened.lock:
        look, bases = opened.sheet.look(where), opened.sheet.bases
        start = min(offset, look.count)
        page = look.page(start, min(start + limit, look.count))
    names = [field.name for field in page.columns]
    return PagedSheet(
        offset=page.start,
        count=look.count,
        total=page.total,
        columns=[
            SheetColumn(name=field.name, type=field.type, base=base, base_type=base_type)
            for field, (base, base_type) in zip(page.columns, bases, strict=True)
        ],
        positions=page.positions,
        rows=[[to_json(value) for value in row] for row in zip(*(page.values[name] for name in names), strict=True)],
        rids=page.rows,
        lines=_lines(find(workspace, opened.label, None), page.rows),
        keys=page.addresses,
        marks=[[n for n, name in enumerate(names) if page.marks[name][row]] for row in range(len(page.rows))],
        row_marks=page.row_marks,
        edited=[[n for n, name in enumerate(names) if page.edited[name][row]] for row in range(len(page.rows))],
        errors=[SheetCellNote(row=row, column=name, text=str(each)) for (row, name), each in page.errors.items()],
        formulas=[SheetCellNote(row=row, column=name, text=each) for (row, name), each in page.formulas.items()],
    )


@router.post("/api/sheets/{sheet}/operations")
@access("session")
def do_operation(sheets: OpenSheets, sheet: str, asked: SheetOperation) -> SheetView:
    """Do one operation in a sheet. It is stored when this call answers."""
    return _view(sheets.do(sheet, asked.operation, asked.arguments, asked.command_id))


@router.post("/api/sheets/{sheet}/discard")
@access("session")
def discard_sheet(sheets: OpenSheets, sheet: str) -> list[SheetView]:
    """Discard a sheet with all its operations."""
    sheets.close(sheet)
    return list_sheets(sheets)


@router.post("/api/sheets/{sheet}/apply")
@access("session")
def apply_sheet(sheets: OpenSheets, books: Books, sheet: str, asked: ApplySheet) -> AppliedSheet:
    """Save the pending operations as one sheet cell of a notebook, and close the sheet.

    A sheet is applied once: sent again, after an answer that was lost or a crash, this answers the same.
    """
    notebook = books.find(asked.notebook)
    # The command id is that of the sheet, so that the notebook itself tells whether the sheet was applied before.
    command = f"apply sheet {sheet}"
    made = notebook.made_by(command)
    if made is None:
        made = _append(sheets.find(sheet), notebook, asked, command)
        books.changed(notebook)
    sheets.close_if_open(sheet)
    return AppliedSheet(version=made.version, cell=cell_view(notebook, notebook.cell(str(made.cell))))


@router.get("/api/sheets/{sheet}/home")
@access("session")
def find_home(sheets: OpenSheets, books: Books, sheet: str) -> SheetHome | None:
    """Return the notebook that makes the data of a sheet, and the position after that cell; null if there is none."""
    maker = books.maker(sheets.find(sheet).label.rpartition("@")[0])
    return None if maker is None else SheetHome(notebook=maker[0].name, position=maker[1] + 1)


def _append(opened: OpenSheet, notebook: Notebook, asked: ApplySheet, command: str) -> VersionRecord:
    """Add the sheet cell to the notebook and return the version that has it."""
    source = opened.label.rpartition("@")[0]
    notebook.insert(
        len(notebook.cells) if asked.position is None else asked.position,
        "sheet",
        source=source,
        name=asked.name or source,
        operations=opened.sheet.operations,
        base_version=asked.base_version,
        command_id=command,
    )
    made = notebook.made_by(command)
    assert made is not None
    return made


def _lines(dataset: Dataset, rows: list[int | None]) -> list[int | None]:
    """Return the line of the loaded file on which each row begins; None for an inserted row."""
    stored = [row for row in rows if row is not None]
    found = iter(dataset.source_lines(stored) if stored else [])
    return [None if row is None else next(found) for row in rows]


def _view(opened: OpenSheet) -> SheetView:
    sheet = opened.sheet
    dataset, _, version = opened.label.rpartition("@")
    with opened.lock:  # another request may be editing it: its columns and its count must be of one moment
        return SheetView(
            id=opened.id,
            dataset=dataset,
            version=int(version),
            columns=sheet.columns,
            count=sheet.count,
            operations=sheet.operations_count,
            undone=sheet.undone_count,
            sentence=sheet.sentence,
            lost=[LostOperation(sentence=each.sentence, why=each.why) for each in sheet.lost],
        )
