"""What a cell kind is: a name, parameters, what it reads and writes, and how it runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from whence.engine.engine import Engine
from whence.model.dataset import DatasetRecord
from whence.model.errors import UserError
from whence.store.store import Store


@dataclass(frozen=True)
class Parameter:
    """One thing a cell wants to know; its type drives parsing, the form and the docs."""

    name: str
    type: Literal["text", "path", "dataset", "column", "choice"]
    label: str
    is_required: bool = True


@dataclass(frozen=True)
class Footprint:
    """What a cell will read and write, known before it runs; `reads` is None where that cannot be known."""

    reads: frozenset[str] | None
    writes: frozenset[str]


@dataclass(frozen=True)
class CellContext:
    """All that a running cell may ask."""

    store: Store
    engine: Engine


Values = Mapping[str, object]


class CellKind(ABC):
    """One kind of cell."""

    name: ClassVar[str]
    title: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]

    @abstractmethod
    def footprint(self, values: Values) -> Footprint:
        """What a cell with these values reads and writes."""

    @abstractmethod
    def run(self, context: CellContext, values: Values) -> DatasetRecord:
        """Make the cell's dataset."""

    def check(self, values: Values) -> None:
        """Refuse values that are missing or that nobody asked for."""
        known = {parameter.name for parameter in self.parameters}
        for name in values:
            if name not in known:
                raise UserError(f"A {self.name} cell has no parameter {name}.", f"It takes {', '.join(sorted(known))}.")
        for parameter in self.parameters:
            if parameter.is_required and values.get(parameter.name) in (None, ""):
                raise UserError(f"A {self.name} cell needs {parameter.name}: {parameter.label}.")
