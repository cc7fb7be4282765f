"""`NotebookDiff`: the cells and the final datasets in which two versions of a notebook differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from whence.model.dataset import DatasetRecord
from whence.notebook.versions.compare import CellChange
from whence.workspace.context import Context
from whence.workspace.dataset import Dataset
from whence.workspace.diff import Diff, compare


@dataclass(frozen=True)
class DatasetChange:
    """A final dataset in which two versions of a notebook differ. A side is None if that version does not make it."""

    name: str
    before: Dataset | None
    after: Dataset | None
    _context: Context

    @property
    def columns(self) -> dict[str, tuple[str | None, str | None]]:
        """The columns that were added, removed or changed their type, each with its type before and after."""
        old, new = (
            {} if each is None else {field.name: field.type for field in each.record.schema}
            for each in (self.before, self.after)
        )
        names = dict.fromkeys([*old, *new])
        return {name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)}

    @property
    def rows(self) -> tuple[int | None, int | None]:
        """The number of rows before and after."""
        return (
            None if self.before is None else self.before.count,
            None if self.after is None else self.after.count,
        )

    @property
    def diff(self) -> Diff | None:
        """Rows added and removed and cells changed, by row key; None if one side is missing."""
        if self.before is None or self.after is None:
            return None
        return compare(self._context, self.before.record, self.after.record)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.rows[0]} rows before, {self.rows[1]} after>"


@dataclass(frozen=True)
class NotebookDiff:
    """The cells and datasets that differ between two versions of a notebook."""

    cells: list[CellChange]
    datasets: list[DatasetChange]

    def __repr__(self) -> str:
        return f"<{len(self.cells)} cells and {len(self.datasets)} datasets differ>"


def compare_datasets(
    context: Context,
    before: Mapping[str, str],
    after: Mapping[str, str],
    record: Callable[[str], DatasetRecord],
) -> list[DatasetChange]:
    """Return the changes between two mappings of names to dataset ids. `record` looks up an id."""
    names = [name for name in dict.fromkeys([*before, *after]) if before.get(name) != after.get(name)]

    def handle(id: str | None) -> Dataset | None:
        return None if id is None else Dataset(context, record(id))

    return [DatasetChange(name, handle(before.get(name)), handle(after.get(name)), context) for name in names]
