"""What two versions of a notebook differ in: cells, and the datasets they end with."""

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
    """A dataset that is not the same after both versions; None where a version has not made it."""

    name: str
    before: Dataset | None
    after: Dataset | None
    _context: Context

    @property
    def columns(self) -> dict[str, tuple[str | None, str | None]]:
        """The columns that came, went or changed their type: the type before and after."""
        old, new = (
            {} if each is None else {field.name: field.type for field in each.record.schema}
            for each in (self.before, self.after)
        )
        names = dict.fromkeys([*old, *new])
        return {name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)}

    @property
    def rows(self) -> tuple[int | None, int | None]:
        """How many rows there were and are."""
        return (
            None if self.before is None else self.before.count,
            None if self.after is None else self.after.count,
        )

    @property
    def diff(self) -> Diff | None:
        """Rows added and removed and cells changed, by row key; None if there is only one side."""
        if self.before is None or self.after is None:
            return None
        return compare(self._context, self.before.record, self.after.record)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.rows[0]} rows before, {self.rows[1]} after>"


@dataclass(frozen=True)
class NotebookDiff:
    """Everything that differs between two versions."""

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
    """The names that mean another dataset version, by what they meant and mean."""
    names = [name for name in dict.fromkeys([*before, *after]) if before.get(name) != after.get(name)]

    def handle(id: str | None) -> Dataset | None:
        return None if id is None else Dataset(context, record(id))

    return [DatasetChange(name, handle(before.get(name)), handle(after.get(name)), context) for name in names]
