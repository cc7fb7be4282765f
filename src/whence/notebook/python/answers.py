"""Answers the requests of a running Python cell, and records what the cell read and made.

Messages come from a process that runs arbitrary code. So each is checked, and a cell only says what it wants to make,
never which datasets it has read: the server hands them out, and knows.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError, WhenceError
from whence.notebook.cell import CellContext, Function
from whence.notebook.python.conversation import Answer
from whence.notebook.python.predict import mentions_workspace
from whence.notebook.python.spark import SparkForCells
from whence.notebook.scope import key_of
from whence.notebook.workers.channel import Message

_DONE: Message = {"t": "ok"}


@dataclass(frozen=True)
class Table:
    """A dataset to make from an Arrow file in the worker's folder, once the cell has ended well.

    If `index_of` is given, the last column holds the row of that dataset which each row is.
    """

    name: str
    file: str
    index_of: DatasetRecord | None
    read: tuple[DatasetRecord, ...]


@dataclass(frozen=True)
class View:
    """A dataset to make from a PySpark DataFrame, which the cell stores as a view of this name."""

    name: str
    view: str
    read: tuple[DatasetRecord, ...]
    """The datasets whose rows the cell had in Python."""


@dataclass(frozen=True)
class DatasetCopy:
    """A dataset to make as a copy of another one."""

    name: str
    record: DatasetRecord


Made = Table | View | DatasetCopy


@dataclass(frozen=True)
class Earlier:
    """The datasets that earlier cells of a session read: any variable may hold values that come from them."""

    reads: tuple[DatasetRecord, ...] = ()
    in_python: tuple[DatasetRecord, ...] = ()


@dataclass
class CellAnswers:
    """Answers the requests of one run, and holds what the cell read and made so far."""

    context: CellContext
    spark: SparkForCells
    made: dict[str, Made] = field(default_factory=dict)
    """What to make, by lower-case name. The last assignment of a name counts."""
    dropped: set[str] = field(default_factory=set)
    parameters: dict[str, object] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    reads: dict[str, DatasetRecord] = field(default_factory=dict)
    """Datasets that the cell asked for in any form."""
    in_python: dict[str, DatasetRecord] = field(default_factory=dict)
    """Datasets among them whose rows the cell got in Python."""
    used: set[str] = field(default_factory=set)
    """Parameters that the cell read."""
    before: Earlier = field(default_factory=Earlier)

    def answer(self, message: Message) -> Answer | None:
        """Return the answer to one message; None if it needs none. A refusal is an answer, too."""
        known: dict[str, Callable[[Message], Answer | None]] = {
            "describe": self._describe,
            "rows": self._rows,
            "file": self._file,
            "used": self._used,
            "spark": self._spark,
            "frame": self._frame,
            "result": self._result,
            "table": self._table,
            "same": self._copy,
            "drop": self._drop,
            "parameter": self._parameter,
            "export": self._export,
        }
        try:
            return known[str(message["t"])](message)
        except WhenceError as error:
            return Answer({"t": "refused", "message": str(error)})

    def _describe(self, message: Message) -> Answer:
        record = self._dataset(message)
        columns = [[each.name, each.type] for each in record.schema]
        facts = {"version": record.version, "rows": record.rows, "label": record.label}
        return Answer({"t": "known", "columns": columns, **facts})

    def _rows(self, message: Message) -> Answer:
        record = self._dataset(message)
        self.in_python[record.name] = record
        store = self.context.store
        folder = store.layout.dataset(record.id)
        # The cell gets open files, no paths: it can read no dataset that it did not ask for.
        opened = _opened([folder / part.path for part in store.manifest(record).parts])
        return Answer({"t": "rows", "files": len(opened)}, opened)

    def _file(self, message: Message) -> Answer:
        return Answer(_DONE, [open_inside(self.context.files, str(message["path"]))])

    def _used(self, message: Message) -> None:
        name = str(message["name"])
        if name in self.context.parameters:
            self.used.add(name)

    def _spark(self, message: Message) -> Answer:
        address, token = self.spark.address()
        return Answer({"t": "spark", "address": address, "token": token})

    def _frame(self, message: Message) -> Answer:
        return Answer({"t": "frame", "view": self.spark.view_of(self._dataset(message))})

    def _result(self, message: Message) -> Answer:
        name, view = _name(message), self.spark.result_view()
        self._make(View(name, view, _each_once(*self.before.in_python, *self.in_python.values())))
        return Answer({"t": "result", "view": view})

    def _table(self, message: Message) -> Answer:
        file, index_of = str(message["file"]), message["index_of"]
        # The server reads this file with its own rights, so a path that leads elsewhere is refused.
        if os.path.basename(file) != file or not file.endswith(".arrow"):
            raise UserError("A table was announced outside the cell's folder.")
        read = _each_once(*self.before.reads, *self.reads.values())
        known = None if index_of is None else _labelled(read, str(index_of))
        self._make(Table(_name(message), file, known, read))
        return Answer(_DONE)

    def _copy(self, message: Message) -> Answer:
        read = _each_once(*self.before.reads, *self.reads.values())
        self._make(DatasetCopy(_name(message), _labelled(read, str(message["as"]))))
        return Answer(_DONE)

    def _make(self, made: Made) -> None:
        self.made[key_of(made.name)] = made
        self.dropped.discard(key_of(made.name))

    def _drop(self, message: Message) -> Answer:
        key = key_of(_name(message))
        self.made.pop(key, None)
        self.dropped.add(key)
        return Answer(_DONE)

    def _parameter(self, message: Message) -> Answer:
        self.parameters[_name(message)] = message["value"]
        return Answer(_DONE)

    def _export(self, message: Message) -> Answer:
        name, source = _name(message), str(message["source"])
        if mentions_workspace(source):
            raise UserError(f"The function {name} cannot be exported: it uses ws.", "Pass it what it needs.")
        self.functions[name] = Function(name, source, str(message["returns"]))
        return Answer(_DONE)

    def _dataset(self, message: Message) -> DatasetRecord:
        record = self.context.dataset(message["name"])
        self.reads[record.name] = record
        return record


def _name(message: Message) -> str:
    name = message["name"]
    if not isinstance(name, str) or not name.strip() or len(name) > 200:
        raise UserError("A name must be a text of 1 to 200 characters.")
    return name.strip()


def _each_once(*records: DatasetRecord) -> tuple[DatasetRecord, ...]:
    return tuple({record.id: record for record in records}.values())


def _labelled(records: tuple[DatasetRecord, ...], label: str) -> DatasetRecord:
    """Return the dataset with this label, or refuse one that the cell has not asked for."""
    for record in records:
        if record.label.lower() == label.lower():
            return record
    raise UserError(f"The cell has not asked for {label[:200]}.")


def _opened(paths: list[Path]) -> list[int]:
    """Return a descriptor for each file. If one cannot be opened, none stays open."""
    with ExitStack() as stack:
        files = [stack.enter_context(path.open("rb")) for path in paths]
        return [os.dup(file.fileno()) for file in files]


def open_inside(folder: Path | None, path: str) -> int:
    """Open a file in a folder for reading. A path that leads out of it, by `..` or by links, is refused."""
    if folder is None:
        raise UserError("This notebook has no folder for files.", "Load the file as a dataset instead.")
    root = folder.resolve()
    try:
        wanted = (root / path).resolve()
        if not wanted.is_relative_to(root):
            raise UserError(f"{path} is outside the folder of the workspace's files.", "Put the file there first.")
        # O_NOFOLLOW, because the file may have become a link since `resolve`.
        descriptor = os.open(wanted, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except (OSError, ValueError) as error:
        raise UserError(f"There is no file {path} among the files of this workspace.") from error
    return descriptor
