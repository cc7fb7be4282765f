"""What a cell kind is: a name, parameters, what it reads and writes, and how it runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from whence.derive.policy import CapturePolicy
from whence.derive.request import DeriveContext
from whence.engine.engine import Engine
from whence.model.dataset import DatasetRecord
from whence.model.parameter import Parameter, check_values
from whence.model.plural import with_article
from whence.notebook.control import RunControl
from whence.notebook.display import Display
from whence.notebook.footprint import Footprint
from whence.notebook.scope import Names, Scope, find_dataset
from whence.notebook.sheet.services import SheetServices
from whence.notebook.workers.pool import Pool
from whence.store.store import Store


@dataclass(frozen=True)
class Function:
    """A function that a Python cell exported, for cells below it."""

    name: str
    source: str
    """The text of the cell that defines it."""
    returns: str = "string"
    """The SQL type of what it gives."""


Values = Mapping[str, object]


@dataclass(frozen=True)
class CellContext:
    """All that a running cell may ask. What it sees of other cells is fixed when it starts."""

    store: Store
    engine: Engine
    scope: Scope = field(default_factory=Scope)
    """The datasets the cell sees; another branch or a parallel cell never changes them."""
    parameters: Names[object] = field(default_factory=Names)
    functions: Names[Function] = field(default_factory=Names)
    files: Path | None = None
    """The folder of the workspace's own files; relative paths of cells are looked up there after the working folder."""
    run: RunControl = field(default_factory=RunControl)
    cell: str = ""
    """The id of the cell, for messages; empty outside a notebook."""
    workers: Pool | None = None
    """Warm processes for Python cells; without them each cell starts its own."""
    services: SheetServices | None = None
    """Keys and marks of rows, for sheets."""
    capture: CapturePolicy = field(default_factory=CapturePolicy)
    """How queries of this workspace capture lineage."""

    @property
    def derive(self) -> DeriveContext:
        """What the queries of the cell are derived with."""
        return DeriveContext(self.store, self.engine, self.capture)

    def dataset(self, name: object) -> DatasetRecord:
        """A dataset the cell sees."""
        return find_dataset(self.scope, name)


@dataclass(frozen=True)
class CellResult:
    """All that a cell made. Cells below see nothing else of it."""

    datasets: Mapping[str, DatasetRecord] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    """Names that cells below no longer see."""
    parameters: Mapping[str, object] = field(default_factory=dict)
    """Values that can stand in JSON."""
    functions: Mapping[str, Function] = field(default_factory=dict)
    displays: tuple[Display, ...] = ()
    reads: frozenset[str] | None = None
    """The names of datasets, parameters and functions that really were read; None if that is as predicted."""

    @classmethod
    def of(cls, record: DatasetRecord, name: str | None = None) -> CellResult:
        """The result of a cell that made one dataset."""
        return cls({name or record.name: record})


Group = Literal["Load", "Query", "Clean", "Prepare", "Chart", "Explain", "Text"]
"""Where menus show a kind, in this order."""


class CellKind(ABC):
    """One kind of cell."""

    name: str
    title: str
    group: Group
    parameters: tuple[Parameter, ...]

    @abstractmethod
    def footprint(self, values: Values) -> Footprint:
        """What a cell with these values reads and writes; values that do not pass `check` may come as well."""

    @abstractmethod
    def run(self, context: CellContext, values: Values) -> CellResult:
        """Do what the cell says."""

    def completed(self, values: Values) -> Values:
        """The values with what is chosen once and kept, such as a seed."""
        return values

    def check(self, values: Values) -> None:
        """Refuse values that are missing, that nobody asked for, or that are of another type."""
        check_values(with_article(f"{self.name} cell"), self.parameters, values)


def names_in(values: Values, *parameters: str) -> frozenset[str]:
    """The names that stand in these parameters, each of which holds one or several."""
    found: list[str] = []
    for parameter in parameters:
        value = values.get(parameter)
        found += [value] if isinstance(value, str) else [str(each) for each in value] if isinstance(value, list) else []
    return frozenset(name for name in found if name.strip())
