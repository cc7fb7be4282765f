"""The interface of cell kinds, the context that a running cell gets, and the result that it gives."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from whence.derive.policy import CapturePolicy
from whence.derive.request import DeriveContext
from whence.engine.engine import Engine
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.model.parameter import Parameter, check_values
from whence.model.plural import with_article
from whence.notebook.control import RunControl
from whence.notebook.display import Display
from whence.notebook.footprint import Footprint
from whence.notebook.python_call import write_call
from whence.notebook.scope import Names, Scope, find_dataset
from whence.notebook.sheet.services import SheetServices
from whence.notebook.workers.pool import Pool
from whence.pipeline.preview import TransformationPreview
from whence.store.store import Store


@dataclass(frozen=True)
class Function:
    """A function that a Python cell exported, for cells below it."""

    name: str
    source: str
    """Python text that runs on its own: the function with the imports and constants it needs, or a whole prelude."""
    returns: str = "string"
    """The SQL type of its result."""


Values = Mapping[str, object]


@dataclass(frozen=True)
class CellContext:
    """Everything a running cell can use. The datasets, parameters and functions it sees are fixed when it starts."""

    store: Store
    engine: Engine
    scope: Scope = field(default_factory=Scope)
    """The datasets the cell sees. Other branches, and cells that run at the same time, do not change them."""
    parameters: Names[object] = field(default_factory=Names)
    functions: Names[Function] = field(default_factory=Names)
    files: Path | None = None
    """The folder from which `ws.open(path)` of a Python cell reads; None outside a notebook."""
    run: RunControl = field(default_factory=RunControl)
    cell: str = ""
    """The id of the cell, for messages; empty outside a notebook."""
    workers: Pool | None = None
    """Warm processes for Python cells. Without a pool, each cell starts a process of its own."""
    services: SheetServices | None = None
    """Row keys, doubt flags and lineage of datasets, for sheet, chart, explain and transformation cells."""
    capture: CapturePolicy = field(default_factory=CapturePolicy)
    """How queries of this workspace capture lineage."""

    @property
    def derive(self) -> DeriveContext:
        """The services that `derive` needs to run the cell's queries."""
        return DeriveContext(self.store, self.engine, self.capture)

    def dataset(self, name: object) -> DatasetRecord:
        """Return the dataset of this name that the cell sees."""
        return find_dataset(self.scope, name)


@dataclass(frozen=True)
class CellResult:
    """Everything a cell made. Cells below see nothing else of it."""

    datasets: Mapping[str, DatasetRecord] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    """Names that cells below no longer see."""
    parameters: Mapping[str, object] = field(default_factory=dict)
    """Values that JSON can hold."""
    functions: Mapping[str, Function] = field(default_factory=dict)
    displays: tuple[Display, ...] = ()
    reads: frozenset[str] | None = None
    """The datasets, parameters and functions that the cell really read; None if that is what its footprint says."""

    @classmethod
    def of(cls, record: DatasetRecord, name: str | None = None) -> CellResult:
        """Return the result of a cell that made one dataset."""
        return cls({name or record.name: record})


Group = Literal["Load", "Query", "Clean", "Prepare", "Chart", "Explain", "Text"]
"""The sections of the menu of cell kinds, in this order."""


class CellKind(ABC):
    """One kind of cell: name, parameters, footprint and `run`. Its docstring is its description in docs/cells.md."""

    name: str
    title: str
    group: Group
    parameters: tuple[Parameter, ...]

    has_preview: bool = False
    """Whether `preview` can show what a cell would do before it is kept."""

    @property
    def summary(self) -> str:
        """What a cell of this kind does: the first sentence of its description."""
        text = " ".join((inspect.getdoc(self) or "").split())
        return text.partition(". ")[0].rstrip(".") + "."

    @abstractmethod
    def footprint(self, values: Values) -> Footprint:
        """Return what a cell with these values reads and writes. Values need not have passed `check`."""

    @abstractmethod
    def run(self, context: CellContext, values: Values) -> CellResult:
        """Run the cell and return what it makes."""

    def preview(self, context: CellContext, values: Values) -> TransformationPreview:
        """Return what a cell with these values would do to the first rows of its input. It stores nothing."""
        raise UserError(f"{with_article(self.name)} cell has no preview.", "Run it to see what it does.")

    def to_sql(self, values: Values) -> str:
        """Return the cell as a query, if its values alone say it; else an empty text."""
        return ""

    def to_python(self, values: Values) -> str:
        """Return the call of Python that does what the cell does."""
        return write_call("ws.run_cell", self.name, **values)

    def completed(self, values: Values) -> Values:
        """Return the values with those added that are chosen once and stored with the cell, such as a seed."""
        return values

    def check(self, values: Values) -> None:
        """Raise an error if a required value is missing, a name is unknown or a type is wrong."""
        check_values(with_article(f"{self.name} cell"), self.parameters, values)


def names_in(values: Values, *parameters: str) -> frozenset[str]:
    """Return the dataset names in these parameters, each of which holds one name or a list of names."""
    found: list[str] = []
    for parameter in parameters:
        value = values.get(parameter)
        found += [value] if isinstance(value, str) else [str(each) for each in value] if isinstance(value, list) else []
    return frozenset(name for name in found if name.strip())
