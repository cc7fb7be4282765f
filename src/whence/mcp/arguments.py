"""Arguments that several tools take."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from whence.mcp.conditions import Where

DatasetName = Annotated[str, Field(description="The dataset, as name or name@version.")]
ColumnName = Annotated[str, Field(description="The column.")]
NotebookName = Annotated[str, Field(description="The notebook.")]
RowNumber = Annotated[int | None, Field(ge=0, le=2**62, description="The row, counted from 0.")]
Condition = Annotated[
    Where | None,
    Field(description='Which rows: a SQL condition such as "town = \'Ulm\' and year = 2024", or {"town": "Ulm"}.'),
]
