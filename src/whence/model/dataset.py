"""The record of a dataset version: what the workspace knows of it without opening its files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from whence.model.ids import DatasetId
from whence.model.schema import Schema

Origin = Literal[
    "load",
    "create",
    "sql",
    "dataset",
    "lens",
    "pipeline",
    "caveat",
    "expect",
    "chart",
    "python",
    "array",
    "operator",
    "sheet",
]
"""The call that made a dataset."""


@dataclass(frozen=True)
class Doubt:
    """The parts of a dataset that have any doubt flag, so that no code reads flags of parts without one."""

    columns: frozenset[str] = frozenset()
    rows: bool = False
    row_set: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether nothing in this dataset is in doubt."""
        return not (self.columns or self.rows or self.row_set)


@dataclass(frozen=True)
class DatasetRecord:
    """The record of one immutable dataset version."""

    id: DatasetId
    name: str
    version: int
    rows: int
    schema: Schema
    origin: Origin
    text: str
    created: str
    parents: tuple[DatasetId, ...] = ()
    doubt: Doubt = field(default_factory=Doubt)

    @property
    def is_source(self) -> bool:
        """Whether the data came from outside the workspace."""
        return self.origin in ("load", "create", "array")

    @property
    def label(self) -> str:
        """The name of this version in messages, such as `prices@2`."""
        return f"{self.name}@{self.version}"
