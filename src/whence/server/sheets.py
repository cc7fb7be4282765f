"""The open sheets of a server: each operation is stored at once, and applying a sheet makes them one notebook cell."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whence.model.errors import BadInput
from whence.workspace.served import ServedWorkspace

if TYPE_CHECKING:
    from whence.notebook.sheet.preview import SheetPreview
    from whence.workspace.sheet import Sheet

OPERATIONS = (
    "set",
    "set_cells",
    "set_column",
    "set_where",
    "insert_row",
    "delete_row",
    "move_row",
    "insert_column",
    "delete_column",
    "move_column",
    "rename_column",
    "sort",
    "filter",
    "fill",
    "fill_down",
    "replace",
    "recode",
    "apply_to_identical",
    "undo",
    "redo",
)
_SPREAD = {"delete_row": "rows", "move_row": "rows", "sort": "by"}
"""Operations whose method takes any number of arguments, and the name of the list that a request sends for them."""


@dataclass
class OpenSheet:
    """A sheet, and the dataset version it edits."""

    id: str
    label: str
    sheet: Sheet
    seen: set[str] = field(default_factory=set)
    """Ids of the commands that were carried out, so that a repeated request does nothing twice."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    """Held while the sheet is read or changed: a page must not show half an operation."""


class Sheets:
    """The open sheets of a server, each over one dataset version."""

    def __init__(self, workspace: ServedWorkspace) -> None:
        self._workspace = workspace
        self._open: dict[str, OpenSheet] = {}
        self._lock = threading.RLock()

    def make(self, label: str, *, resume: bool = False) -> OpenSheet:
        """Open a new sheet over a dataset version; with `resume`, the last sheet over that dataset, if there is one."""
        exact = self._workspace[label].record.label
        with self._lock:
            pending = self._last_over(exact) if resume else None
            return self._open_new(exact) if pending is None else pending

    def _last_over(self, exact: str) -> OpenSheet | None:
        """Return the last sheet over this version, or one with pending edits over another version of the dataset."""
        store, name = self._workspace.pending_sheets, exact.rpartition("@")[0]
        for id in reversed(store.ids()):
            label, steps = store.read(id)
            if label == exact or (steps and label.rpartition("@")[0] == name):
                return self.find(id)
        return None

    def _open_new(self, exact: str) -> OpenSheet:
        made = OpenSheet(self._workspace.pending_sheets.make(exact), exact, self._workspace.sheet(exact))
        self._open[made.id] = made
        return made

    def find(self, id: str) -> OpenSheet:
        """Return an open sheet. A sheet of an earlier run of the server is read from its file."""
        with self._lock:
            if id not in self._open:
                self._open[id] = self._read(id)
            return self._open[id]

    def list(self) -> list[OpenSheet]:
        """Return every sheet that was neither applied nor discarded."""
        return [self.find(id) for id in self._workspace.pending_sheets.ids()]

    def do(self, id: str, operation: str, arguments: Mapping[str, object], command_id: str | None) -> OpenSheet:
        """Carry out one operation. Once this returns, the operation is on disk and outlives a crash."""
        with self._lock:
            opened = self.find(id)
            if command_id is not None and command_id in opened.seen:
                return opened
            with opened.lock:
                _call(opened.sheet, operation, arguments)()
            done = {operation: True} if operation in ("undo", "redo") else {"operation": opened.sheet.last_operation}
            try:
                self._workspace.pending_sheets.add(id, {"command": command_id, **done})
            except BaseException:
                del self._open[id]  # what could not be kept was not done: the file knows how the sheet stands
                raise
            if command_id is not None:
                opened.seen.add(command_id)
            return opened

    def preview(self, id: str, operations: Sequence[tuple[str, Mapping[str, object]]], count: int) -> SheetPreview:
        """Return what operations would change in the first rows. Nothing is kept."""
        opened = self.find(id)
        if any(operation in ("undo", "redo") for operation, _ in operations):
            raise BadInput("A preview shows what an edit would change, not what undo or redo would.")
        with opened.lock:
            # Each call is made when its turn has come: it may name a column that the one before it inserts.
            edits = [functools.partial(_do, opened.sheet, *each) for each in operations]
            return opened.sheet.preview(edits, count)

    def close(self, id: str) -> None:
        """Remove a sheet that was applied or discarded. Raise if it is not open."""
        with self._lock:
            self.find(id)
            self._workspace.pending_sheets.remove(id)
            del self._open[id]

    def close_if_open(self, id: str) -> None:
        """Remove a sheet that may have been closed before."""
        with self._lock:
            self._workspace.pending_sheets.remove(id)
            self._open.pop(id, None)

    def _read(self, id: str) -> OpenSheet:
        label, steps = self._workspace.pending_sheets.read(id)
        opened = OpenSheet(id, label, self._workspace.sheet(label, _standing(steps)))
        opened.seen |= {str(step["command"]) for step in steps if step.get("command")}
        return opened


def _standing(steps: list[dict[str, object]]) -> list[Mapping[str, object]]:
    """Return the operations that were not undone, in order."""
    done, undone = list[Mapping[str, object]](), list[Mapping[str, object]]()
    for step in steps:
        if "undo" in step:
            undone += [done.pop()] if done else []
        elif "redo" in step:
            done += [undone.pop()] if undone else []
        elif isinstance(operation := step["operation"], dict):
            done.append(operation)
            undone.clear()
    return done


def _do(sheet: Sheet, operation: str, arguments: Mapping[str, object]) -> None:
    _call(sheet, operation, arguments)()


def _call(sheet: Sheet, operation: str, arguments: Mapping[str, object]) -> functools.partial[object]:
    """Return the call of an operation on a sheet. Raise if there is no such operation or its arguments do not fit."""
    if operation not in OPERATIONS:
        raise BadInput(f"A sheet has no operation {operation}.", f"It has {', '.join(OPERATIONS)}.")
    method, given = getattr(sheet, operation), dict(arguments)
    several = given.pop(_SPREAD[operation], []) if operation in _SPREAD else []
    if not isinstance(several, list):
        raise BadInput(f"{operation} takes a list as {_SPREAD[operation]}.")
    spread = [tuple(each) if isinstance(each, list) else each for each in several]
    try:
        inspect.signature(method).bind(*spread, **given)
    except TypeError as error:
        wanted = ", ".join(inspect.signature(method).parameters)
        raise BadInput(f"{operation} does not go with these arguments: {error}.", f"It takes {wanted}.") from error
    return functools.partial(method, *spread, **given)
