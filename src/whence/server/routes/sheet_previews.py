"""Routes for people who write formulas: what an edit of a sheet would change, and the functions there are."""

from __future__ import annotations

from whence.notebook.sheet.formula.catalogue import CATALOGUE
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.routes.sheets import OpenSheets
from whence.server.values import to_json
from whence.wire.datasets import Column
from whence.wire.sheets import PreviewSheet, SheetFunctionView, SheetPreviewRow, SheetPreviewView

router = new_router()


@router.post("/api/sheets/{sheet}/preview")
@access("session")
def preview_sheet(sheets: OpenSheets, sheet: str, asked: PreviewSheet) -> SheetPreviewView:
    """Return what operations would change in the first rows of a sheet. Nothing is stored, and no Spark is needed."""
    found = sheets.preview(sheet, [(each.operation, each.arguments) for each in asked.operations], asked.limit)
    return SheetPreviewView(
        columns=[Column(name=field.name, type=field.type) for field in found.columns],
        inserted=list(found.inserted),
        rows=[
            SheetPreviewRow(
                position=row.position,
                before=[to_json(value) for value in row.before],
                after=[to_json(value) for value in row.after],
                errors=list(row.errors),
            )
            for row in found.rows
        ],
        changed=found.changed,
        failed=found.failed,
        examined=found.examined,
    )


@router.get("/api/sheet-functions")
@access("session")
def list_sheet_functions() -> list[SheetFunctionView]:
    """Return the functions that formulas can call."""
    return [
        SheetFunctionView(name=each.name, arguments=each.arguments, sentence=each.sentence, group=each.group)
        for each in CATALOGUE
    ]
