"""The record of a share link, through which others read one version of a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from whence.model.notebook import CellId, CellRunId, NotebookId


@dataclass(frozen=True)
class ShareRecord:
    """One share link. Its version and its runs are fixed when it is made, so it always shows the same."""

    id: str
    notebook: NotebookId
    version: int
    created: str
    expires: str | None
    runs: Mapping[CellId, CellRunId]
    """The run of each cell whose results the link shows. A cell that had not run is not in it."""
