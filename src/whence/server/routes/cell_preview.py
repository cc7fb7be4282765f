"""The route that previews a cell: its effect on the first rows, and the cell as SQL and as Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whence.model.errors import WhenceError
from whence.server.access import access
from whence.server.routers import new_router
from whence.server.routes.notebooks import Books, CellName, Name
from whence.server.values import to_json
from whence.wire.cell_preview import AskPreview, CellPreview, PreviewColumn, PreviewRow, PreviewRows
from whence.wire.errors import ErrorDetail

if TYPE_CHECKING:
    from whence.pipeline.preview import TransformationPreview

router = new_router()


@router.post("/api/notebooks/{name}/cells/{cell}/preview")
@access("session")
def preview_cell(books: Books, name: Name, cell: CellName, asked: AskPreview) -> CellPreview:
    """Return what a cell would do with these values. Nothing of it is stored.

    Values that do not fit are no error of the request, because a form asks while it is being filled in.
    """
    from whence.notebook.run_cell import find_kind  # the contract must not need Spark's libraries

    notebook = books.find(name)
    kind = find_kind(notebook.cell(cell).kind)
    sql, python = kind.to_sql(asked.values), kind.to_python(asked.values)
    if not kind.has_preview:
        return CellPreview(sql=sql, python=python)
    try:
        found = notebook.preview(cell, asked.values, form=asked.form)
    except WhenceError as error:
        detail = ErrorDetail(kind=type(error).__name__, message=error.message, hint=error.hint)
        return CellPreview(problem=detail, sql=sql, python=python)
    return CellPreview(preview=_rows_view(found), sql=found.sql or sql, python=python)


def _rows_view(found: TransformationPreview) -> PreviewRows:
    return PreviewRows(
        sentence=found.sentence,
        columns=[PreviewColumn(**vars(each)) for each in found.columns],
        dropped_columns=list(found.dropped_columns),
        rows=[
            PreviewRow(
                row=row.rid,
                values=[to_json(value) for value in row.values],
                changed=list(row.changed),
                doubtful=list(row.doubtful),
                is_dropped=row.is_dropped,
            )
            for row in found.rows
        ],
        rows_read=found.rows_read,
        rows_in_all=found.rows_in_all,
        changed_values=found.changed_values,
        doubtful_values=found.doubtful_values,
        dropped_rows=found.dropped_rows,
    )
