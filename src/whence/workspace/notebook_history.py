"""The history of a notebook: its versions and branches, and what differs between two of them."""

from __future__ import annotations

from typing import Self

from whence.model.notebook import CellVersion, VersionRecord
from whence.notebook.versions.edits import ReplaceAll
from whence.workspace.notebook_diff import NotebookDiff
from whence.workspace.notebook_reader import NotebookReader
from whence.workspace.notebook_results import compare_versions


class NotebookHistory(NotebookReader):
    """The calls of `Notebook` about versions and branches."""

    def made_by(self, command_id: str) -> VersionRecord | None:
        """The version that the edit with this id made, if it came before."""
        return self._open.book.made_by(command_id)

    def history(self) -> list[VersionRecord]:
        """Every version of every branch, oldest first."""
        return self._open.book.history()

    def branches(self) -> dict[str, int]:
        """The newest version of each branch."""
        return self._open.book.heads()

    def branch(self, name: str, at: int | None = None) -> None:
        """A new branch that begins at a version; `checkout` goes there."""
        self._open.book.branch(name, self.version if at is None else at)

    def checkout(self, name: str) -> Self:
        """Work on another branch: its cells, and in the workspace its datasets."""
        self._open.checkout(name)
        return self

    def restore(self, version: int) -> int:
        """Bring an earlier version back, as a new one; what it gave is still there."""
        self._open.commit(ReplaceAll(self._open.book.cells(version)), None, self._command())
        return self.version

    def at(self, version: int) -> list[CellVersion]:
        """What the cells of a version say, from top to bottom."""
        return [self._open.cell_version(entry) for entry in self._open.book.cells(version)]

    def compare(self, before: int, after: int) -> NotebookDiff:
        """What two versions differ in: cells with their texts, and the datasets they end with, as far as they ran.

        >>> nb = ws.notebook("comparing")
        >>> cell = nb.append("sql", source="select 1 as x", name="one")
        >>> _ = nb.wait().update(cell, source="select 2 as x")
        >>> found = nb.wait().compare(1, 2)
        >>> print(found.cells[0].diff.replace("@@ -1,3 +1,3 @@\\n", ""))
         sql
         name = "one"
        -select 1 as x
        +select 2 as x
        >>> found.datasets[0].rows, found.datasets[0].diff
        ((1, 1), <one@2 against one@1: 0 rows added, 0 removed, 1 cells changed>)
        """
        return compare_versions(self._open, before, after)
