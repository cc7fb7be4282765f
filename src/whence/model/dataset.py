"""What the workspace knows of one dataset version without opening its files."""

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
    "chart",
    "python",
    "array",
    "operator",
    "sheet",
]
"""Which call made the dataset."""


@dataclass(frozen=True)
class Doubt:
    """Which parts of a dataset carry any doubt flag at all, so that clean parts cost nothing."""

    columns: frozenset[str] = frozenset()
    rows: bool = False
    row_set: bool = False

    @property
    def is_certain(self) -> bool:
        """Nothing in this dataset is in doubt."""
        return not (self.columns or self.rows or self.row_set)


@dataclass(frozen=True)
class DatasetRecord:
    """One immutable dataset version."""

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
        """It came from outside the workspace."""
        return self.origin in ("load", "create", "array")

    @property
    def label(self) -> str:
        """How messages name this version."""
        return f"{self.name}@{self.version}"
