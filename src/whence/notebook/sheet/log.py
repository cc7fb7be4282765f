"""The log of a sheet: its operations in order, with undo and redo, and the state they lead to over one version."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from whence.model.dataset import DatasetRecord
from whence.notebook.sheet.addresses import Addresses
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.original_text import OriginalTexts
from whence.notebook.sheet.outside_data import OutsideData
from whence.notebook.sheet.services import SheetServices
from whence.notebook.sheet.source import Source
from whence.notebook.sheet.state import CannotApply, SheetState, UndoState

_ORDERS = 512 * 1024 * 1024
"""Bytes that earlier orders of rows may take in memory, so that undo is quick."""


@dataclass(frozen=True)
class LostEdit:
    """An operation that could not be applied, or only in part, and why."""

    operation: SheetOperation
    why: str
    sentence: str
    """What the operation was to do."""

    def __str__(self) -> str:
        return f"{self.sentence} Not applied, because {self.why}."


class SheetLog:
    """A sheet over one dataset version: applies operations one after the other, and undoes and redoes them."""

    def __init__(
        self,
        services: SheetServices,
        record: DatasetRecord,
        operations: Iterable[SheetOperation] = (),
        find_dataset: Callable[[str], DatasetRecord] | None = None,
    ) -> None:
        self.services = services
        self.record = record
        self.addresses = Addresses(services.store, services.keys, record)
        self.find_dataset = find_dataset or services.store.current
        """Finds the version of another dataset that formulas look into: by default its current one."""
        self.state = SheetState(
            self._open(record), self.addresses, OutsideData(lambda name: self._open(self.find_dataset(name)))
        )
        self.cells = Evaluator(self.state)
        self.operations: list[SheetOperation] = []
        self.sentences: list[str] = []
        """What each operation did, with the names and row numbers that the sheet showed then."""
        self.undone: list[SheetOperation] = []
        self._before: list[tuple[UndoState | None, int]] = []
        self._turns: list[int] = []
        """Indices of the operations that made a new list of rows, as a sort does. Undo keeps the lists in memory."""
        self.lost: list[LostEdit] = []
        given = list(operations)
        # All rows together: one search over the row keys of the data, however many operations there are.
        self.addresses.learn(address for each in given for address in each.addresses())
        for each in given:
            self._do(each)

    def _open(self, record: DatasetRecord) -> Source:
        services = self.services
        return Source(services.store, services.flags, record, OriginalTexts(services.store, services.edges))

    def add(self, operation: SheetOperation) -> None:
        """Apply one more operation and drop those that were undone before. Raise CannotApply if it fails."""
        self._do(operation, must=True)
        self.undone.clear()

    def add_again(self, operation: SheetOperation) -> None:
        """Apply an operation that was applied before. What cannot be applied goes to `lost`."""
        self._do(operation)

    def undo(self) -> SheetOperation | None:
        """Undo the last operation and return it; None if there is none."""
        if not self.operations:
            return None
        before, lost = self._before.pop()
        self.undone.append(self.operations.pop())
        self.sentences.pop()
        while self._turns and self._turns[-1] >= len(self.operations):
            self._turns.pop()
        if before is None:
            self._start_again()
        else:
            self.state.restore(before)
            del self.lost[lost:]
        return self.undone[-1]

    def _start_again(self) -> None:
        """Apply all operations anew, where `_save_memory` has dropped what undo needs."""
        again = SheetLog(self.services, self.record, self.operations, self.find_dataset)
        self.addresses, self.state, self.cells = again.addresses, again.state, again.cells
        self.lost, self._before, self._turns = again.lost, again._before, again._turns

    def redo(self) -> SheetOperation | None:
        """Apply the operation that was undone last, and return it; None if there is none."""
        if not self.undone:
            return None
        operation = self.undone.pop()
        self.add_again(operation)
        return operation

    def _do(self, operation: SheetOperation, *, must: bool = False) -> None:
        before, lost = self.state.remember(), len(self.lost)
        sentence = operation.describe(self.state)  # before it is applied: with the names and numbers the user saw
        try:
            gone = operation.apply(self.state, self.cells)
        except CannotApply as reason:
            self.state.restore(before)  # nothing stays of an operation that failed halfway
            if must:
                raise
            gone = str(reason)
        if gone:
            self.lost.append(LostEdit(operation, gone, sentence))
        self.state.version += 1
        self.operations.append(operation)
        self.sentences.append(sentence)
        self._before.append((before, lost))
        if self.state.order is not before.order:
            before.order.let_go()  # undo keeps the order, but not what can be computed from its pieces
            if self.state.order.lists - before.order.lists:
                self._turns.append(len(self.operations) - 1)
                self._save_memory()

    def _save_memory(self) -> None:
        """Drop what undo needs for the oldest operations: a list of ten million rows takes 80 MB."""
        most = max(2, _ORDERS // (8 * max(1, self.state.order.count)))
        if len(self._turns) > most:
            oldest = self._turns.pop(0)
            for place in range(oldest + 1):
                self._before[place] = None, self._before[place][1]

    def keyed_operations(self) -> list[SheetOperation]:
        """Return the operations with rows named by row key, so that they apply to other versions of the data."""
        names = self.addresses.as_keys(address for each in self.operations for address in each.addresses())
        return [each.renamed(names) for each in self.operations]
