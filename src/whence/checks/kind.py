"""A kind of check: its name, its parameters, and how it finds the rows that fail."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from typing import ClassVar, Literal

from whence.checks.checked_table import CheckedTable
from whence.checks.plan import CheckPlan
from whence.model.parameter import Parameter
from whence.transformations.arguments import Arguments

COLUMN = Parameter("column", "column", "the column", is_required=True)


class CheckKind(ABC):
    """One kind of check; users read its docstring as the description."""

    name: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    form: ClassVar[Literal["entries", "one for all columns", "one for each column"]] = "entries"
    """How a form states checks of this kind: as a list of entries, or by columns only."""

    @abstractmethod
    def describe(self, values: Arguments) -> str:
        """Return what the check expects, in a few words, as a name for it."""

    @abstractmethod
    def plan(self, table: CheckedTable, values: Arguments) -> CheckPlan:
        """Return which rows of the table fail; refuse columns that it does not have."""

    @property
    def description(self) -> str:
        """The docstring as one line."""
        return " ".join((inspect.getdoc(self) or "").split())
