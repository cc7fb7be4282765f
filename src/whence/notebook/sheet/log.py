"""The operations of a sheet in order, undone and done again as a list, and what they come to over one version."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from whence.model.dataset import DatasetRecord
from whence.notebook.sheet.addresses import Addresses
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.ground import Ground
from whence.notebook.sheet.operation import Operation
from whence.notebook.sheet.source import Source
from whence.notebook.sheet.state import Before, Lost, SheetState


@dataclass(frozen=True)
class LostEdit:
    """An operation that could not be done, or not wholly, and why."""

    operation: Operation
    why: str

    def __str__(self) -> str:
        return f"{self.operation.sentence} Not applied, because {self.why}."


class SheetLog:
    """A sheet over one dataset version, operation by operation."""

    def __init__(self, ground: Ground, record: DatasetRecord, operations: Iterable[Operation] = ()) -> None:
        self.ground = ground
        self.record = record
        self.addresses = Addresses(ground.store, ground.keys, record)
        self.state = SheetState(Source(ground.store, ground.marks, record), self.addresses)
        self.cells = Evaluator(self.state)
        self.operations: list[Operation] = []
        self.undone: list[Operation] = []
        self._before: list[tuple[Before, int]] = []
        self.lost: list[LostEdit] = []
        given = list(operations)
        self.addresses.learn(address for each in given for address in each.addresses())
        for each in given:
            self._do(each)

    def add(self, operation: Operation) -> None:
        """Do one more; what was undone before is given up. Lost if it cannot be done."""
        self._do(operation, must=True)
        self.undone.clear()

    def undo(self) -> Operation | None:
        """Take the last operation back."""
        if not self.operations:
            return None
        before, lost = self._before.pop()
        self.state.restore(before)
        del self.lost[lost:]
        self.undone.append(self.operations.pop())
        return self.undone[-1]

    def redo(self) -> Operation | None:
        """Do again what was last undone."""
        if not self.undone:
            return None
        operation = self.undone.pop()
        self._do(operation)
        return operation

    def _do(self, operation: Operation, *, must: bool = False) -> None:
        before, lost = self.state.remember(), len(self.lost)
        try:
            gone = operation.apply(self.state, self.cells)
        except Lost as reason:
            self.state.restore(before)
            if must:
                raise
            gone = str(reason)
        if gone:
            self.lost.append(LostEdit(operation, gone))
        self.state.version += 1
        self.operations.append(operation)
        self._before.append((before, lost))

    def kept(self) -> list[Operation]:
        """The operations with rows named by their keys, so that they outlive this version of the data."""
        names = self.addresses.as_keys(address for each in self.operations for address in each.addresses())
        return [each.renamed(names) for each in self.operations]
