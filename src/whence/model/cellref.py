"""References to input rows, columns and cells, with the role that each played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Role = Literal["copied", "computed", "aggregated", "grouped", "joined", "filtered"]
"""How an input column takes part in an output column."""

ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True)
class RowRef:
    """One row of one dataset version."""

    dataset: str
    version: int
    row: int


@dataclass(frozen=True)
class ColumnRef:
    """One column of one dataset version, and the role it played for the column that was asked about."""

    dataset: str
    version: int
    column: str
    role: Role


@dataclass(frozen=True)
class CellRef:
    """One cell of one dataset version, and the role it played for the cell that was asked about."""

    dataset: str
    version: int
    row: int
    column: str
    role: Role
    value: object = None
