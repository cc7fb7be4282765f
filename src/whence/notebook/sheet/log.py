"""The operations of a sheet in order, undone and done again as a list, and what they come to over one version."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from whence.model.dataset import DatasetRecord
from whence.notebook.sheet.addresses import Addresses
from whence.notebook.sheet.evaluate import Evaluator
from whence.notebook.sheet.operation import SheetOperation
from whence.notebook.sheet.original_text import OriginalTexts
from whence.notebook.sheet.services import SheetServices
from whence.notebook.sheet.source import Source
from whence.notebook.sheet.state import Before, Lost, SheetState

_ORDERS = 512 * 1024 * 1024
"""Bytes that orders of rows may take so that undoing is quick."""


@dataclass(frozen=True)
class LostEdit:
    """An operation that could not be done, or not wholly, and why."""

    operation: SheetOperation
    why: str
    sentence: str
    """What the operation was to do."""

    def __str__(self) -> str:
        return f"{self.sentence} Not applied, because {self.why}."


class SheetLog:
    """A sheet over one dataset version, operation by operation."""

    def __init__(
        self, services: SheetServices, record: DatasetRecord, operations: Iterable[SheetOperation] = ()
    ) -> None:
        self.services = services
        self.record = record
        self.addresses = Addresses(services.store, services.keys, record)
        self.state = SheetState(
            Source(services.store, services.flags, record, OriginalTexts(services.store, services.edges)),
            self.addresses,
        )
        self.cells = Evaluator(self.state)
        self.operations: list[SheetOperation] = []
        self.sentences: list[str] = []
        """What each operation did, with the names and row numbers that the sheet showed then."""
        self.undone: list[SheetOperation] = []
        self._before: list[tuple[Before | None, int]] = []
        self._turns: list[int] = []
        """After which operations rows were listed anew: what leads back before them is large."""
        self.lost: list[LostEdit] = []
        given = list(operations)
        self.addresses.learn(address for each in given for address in each.addresses())
        for each in given:
            self._do(each)

    def add(self, operation: SheetOperation) -> None:
        """Do one more; what was undone before is given up. Lost if it cannot be done."""
        self._do(operation, must=True)
        self.undone.clear()

    def add_again(self, operation: SheetOperation) -> None:
        """Do one that was done before; what of it cannot be done is told in `lost`."""
        self._do(operation)

    def undo(self) -> SheetOperation | None:
        """Take the last operation back."""
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
        """Do all operations anew: the way back was given up to save memory."""
        again = SheetLog(self.services, self.record, self.operations)
        self.addresses, self.state, self.cells = again.addresses, again.state, again.cells
        self.lost, self._before, self._turns = again.lost, again._before, again._turns

    def redo(self) -> SheetOperation | None:
        """Do again what was last undone."""
        if not self.undone:
            return None
        operation = self.undone.pop()
        self.add_again(operation)
        return operation

    def _do(self, operation: SheetOperation, *, must: bool = False) -> None:
        before, lost = self.state.remember(), len(self.lost)
        sentence = operation.describe(self.state)
        try:
            gone = operation.apply(self.state, self.cells)
        except Lost as reason:
            self.state.restore(before)
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
            before.order.let_go()
            if self.state.order.lists - before.order.lists:
                self._turns.append(len(self.operations) - 1)
                self._save_memory()

    def _save_memory(self) -> None:
        """A list of ten million rows takes 80 MB: of many, the oldest are not kept."""
        most = max(2, _ORDERS // (8 * max(1, self.state.order.count)))
        if len(self._turns) > most:
            oldest = self._turns.pop(0)
            for place in range(oldest + 1):
                self._before[place] = None, self._before[place][1]

    def keyed_operations(self) -> list[SheetOperation]:
        """The operations with rows named by their keys, so that they outlive this version of the data."""
        names = self.addresses.as_keys(address for each in self.operations for address in each.addresses())
        return [each.renamed(names) for each in self.operations]
