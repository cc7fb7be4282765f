"""The calls of `Notebook` about its history: versions, branches, and the difference of two versions."""

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
        """Return the version that the edit with this command id made; None if no such edit arrived yet."""
        return self._open.book.made_by(command_id)

    def history(self) -> list[VersionRecord]:
        """Return every version of every branch, oldest first."""
        return self._open.book.history()

    def branches(self) -> dict[str, int]:
        """Return the newest version of each branch."""
        return self._open.book.heads()

    def branch(self, name: str, at: int | None = None) -> None:
        """Create a branch that begins at a version, by default the newest. `checkout` switches to it."""
        self._open.book.branch(name, self.version if at is None else at)

    def checkout(self, name: str) -> Self:
        """Switch to another branch: to its cells and, in the workspace, to its datasets."""
        self._open.checkout(name)
        return self

    def restore(self, version: int) -> int:
        """Commit the cells of an earlier version as the newest one, and return its number. Old results are reused."""
        self._open.commit(ReplaceAll(self._open.book.cells(version)), None, self._command())
        return self.version

    def at(self, version: int) -> list[CellVersion]:
        """Return the kind and values of the cells of a version, from top to bottom."""
        return [self._open.cell_version(entry) for entry in self._open.book.cells(version)]

    def compare(self, before: int, after: int) -> NotebookDiff:
        """Compare two versions: their cells, and their final datasets as far as the cells ran.

        >>> nb = ws.notebook("comparing")
        >>> cell = nb.append("sql", source="select 1 as x", name="one")
        >>> _ = nb.wait().update(cell, source="select 2 as x")
        >>> found = nb.wait().compare(1, 2)
        >>> print(found.cells[0].diff.replace("@@ -1,2 +1,2 @@\\n", ""))
         name: one
        -select 1 as x
        +select 2 as x
        >>> found.datasets[0].rows, found.datasets[0].diff
        ((1, 1), <one@2 against one@1: 0 rows added, 0 removed, 1 cells changed>)
        """
        return compare_versions(self._open, before, after)
