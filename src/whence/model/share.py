"""What the workspace knows of a link through which others read one version of a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from whence.model.notebook import CellId, CellRunId, NotebookId


@dataclass(frozen=True)
class ShareRecord:
    """One such link; what it shows was fixed when it was made, so that it always shows the same."""

    id: str
    notebook: NotebookId
    version: int
    created: str
    expires: str | None
    runs: Mapping[CellId, CellRunId]
    """The run of each cell whose results are shown; cells that had not run show none."""
