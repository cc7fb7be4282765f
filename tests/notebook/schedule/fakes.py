"""Cells without Spark, a runner over them, and what a clean run from the top gives, worked out in plain Python."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from whence.engine.engine import Engine
from whence.loading.create import create
from whence.model.errors import UserError
from whence.model.ids import DatasetId
from whence.model.notebook import CellId, CellVersion
from whence.model.parameter import Parameter
from whence.notebook.cell import CellContext, CellKind, CellResult
from whence.notebook.footprint import Footprint
from whence.notebook.schedule.knowledge import Knowledge
from whence.notebook.schedule.runner import Runner
from whence.notebook.versions.book import Book
from whence.notebook.versions.edits import Cells, Delete, Edit, Freeze, Insert, Move, Replace, ReplaceAll, Thaw
from whence.store import notebooks
from whence.store.store import Store


class Calc(CellKind):
    """The sum of what it reads and a number, modulo seven: different inputs often give the same."""

    name = "calc"
    title = "Calculate"
    parameters = (
        Parameter("source", "value", "names to read", is_required=True),
        Parameter("name", "text", "result", is_required=True),
    )

    def __init__(self) -> None:
        self.ran: Counter[str] = Counter()
        self.gate = threading.Event()
        self.gate.set()
        self.at_once = self.most = 0
        self._lock = threading.Lock()

    def footprint(self, values: Mapping[str, Any]) -> Footprint:
        is_open = values.get("open", False)
        return Footprint(None if is_open else frozenset(values["source"]), frozenset({str(values["name"])}))

    def run(self, context: CellContext, values: Mapping[str, Any]) -> CellResult:
        with self._lock:
            self.ran[context.cell] += 1
            self.at_once += 1
            self.most = max(self.most, self.at_once)
        try:
            while not self.gate.wait(0.01):
                if not values.get("deaf"):
                    context.run.check()
            return self._give(context, values)
        finally:
            with self._lock:
                self.at_once -= 1

    def _give(self, context: CellContext, values: Mapping[str, Any]) -> CellResult:
        total, name = int(values["plus"]), str(values["name"])
        for each in values["source"]:
            if each in context.parameters:
                number = context.parameters[each]
                assert isinstance(number, int)
                total += number
            elif each in context.scope:
                total += context.store.read(context.scope[each], 0, 1).to_pylist()[0]["v"]
            else:
                raise UserError(f"There is no {each}.")
        reads = frozenset(values["source"]) if values.get("open") else None
        if values.get("stored"):
            made = create(context.store, name, pa.table({"v": pa.array([total % 7], pa.int32())}))
            return CellResult({name: made}, reads=reads)
        return CellResult(parameters={name: total % 7}, reads=reads)

    def check(self, values: Mapping[str, Any]) -> None:
        """Everything goes."""


class Desk:
    """A notebook over a store, edited and run without the handle."""

    def __init__(self, root: Path, name: str = "desk", store: Store | None = None) -> None:
        self.store = store or Store.open(root)
        self.engine = Engine(self.store, "local[1]")
        with self.store.database.write("commit-notebook") as connection:
            record = notebooks.find_notebook(connection, name) or notebooks.make_notebook(connection, name)
        self.notebook = record.id
        self.calc = Calc()
        self.book = Book(self.store, record.id)
        kinds = {"calc": self.calc}
        self.knowledge = Knowledge(self.store, record.id, self.book, kinds)
        self.runner = Runner(self.store, self.engine, record.id, self.knowledge, kinds)
        self.branch = "main"
        self.is_auto = True
        self.runner.show(self.cells)

    @property
    def cells(self) -> Cells:
        return self.book.cells(self.book.head(self.branch))

    def commit(self, edit: Edit, said: CellVersion | None = None) -> int:
        version = self.book.commit(self.branch, edit, said).version
        self.runner.show(self.cells, edited=edit.cell, run=self.is_auto)
        return version

    def add(
        self, name: str, reads: Sequence[str] = (), plus: int = 0, place: int | None = None, **more: object
    ) -> CellId:
        version = calc_cell(name, reads, plus, **more)
        cells = self.cells
        place = len(cells) if place is None else place
        cell = self.book.new_cell()
        self.commit(Insert(cell, version.hash, cells[place - 1].cell if place else None), version)
        return cell

    def change(self, cell: CellId, name: str, reads: Sequence[str] = (), plus: int = 0, **more: object) -> None:
        version = calc_cell(name, reads, plus, **more)
        self.commit(Replace(cell, version.hash), version)

    def delete(self, cell: CellId) -> None:
        self.commit(Delete(cell))

    def move(self, cell: CellId, after: CellId | None) -> None:
        self.commit(Move(cell, after))

    def restore(self, version: int) -> None:
        self.commit(ReplaceAll(self.book.cells(version)))

    def freeze(self, cell: CellId) -> None:
        run = self.runner.states()[cell].run
        self.commit(Freeze(cell, run.id if run is not None and run.state == "done" else ""))

    def thaw(self, cell: CellId) -> None:
        self.commit(Thaw(cell))

    def wait(self) -> None:
        assert self.runner.wait(60), self.statuses()

    def statuses(self) -> dict[str, str]:
        return {cell: f"{s.status} {s.reason}".strip() for cell, s in self.runner.states().items()}

    def values(self) -> dict[str, int]:
        """What the names mean after the last cell."""
        found: dict[str, Any] = {}
        for key, seen in self.runner._survey.board.artifacts().items():
            if seen.kind == "parameter":
                found[key] = seen.value
            else:
                found[key] = self.store.read(self.store.by_id(DatasetId(str(seen.value))), 0, 1).to_pylist()[0]["v"]
        return found

    def close(self) -> None:
        self.runner.close()
        self.store.close()


def calc_cell(name: str, reads: Sequence[str], plus: int, **more: object) -> CellVersion:
    return CellVersion("calc", {"source": list(reads), "name": name, "plus": plus, **more})
