"""A transformation: a named way to make a dataset from a dataset, with its parameters, guesses and provenance."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from whence.model.parameter import Parameter, check_values, find_column, is_open
from whence.model.schema import Field, Schema
from whence.transformations.arguments import Arguments
from whence.transformations.input_table import InputTable
from whence.transformations.plan import TransformationPlan
from whence.transformations.suggestion import ColumnLook, Suggestion, TableLook

Group = Literal["Query", "Clean", "Prepare"]
"""Where menus show a transformation."""


class Transformation(ABC):
    """One entry of the vocabulary; users read its docstring as the description.

    It never changes data in silence: each value it guesses has a `Guess`, each cell it writes a `Template`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    group: ClassVar[Group]
    guesses: ClassVar[str] = "nothing"
    """What gets a caveat, in words."""
    pattern: ClassVar[str] = "transformation"
    """Its pattern in section 3.2 of Chapman, Missier, Simonelli and Torlone (PVLDB 14(4), 2021)."""
    provenance: ClassVar[str]
    """Which cells a cell it writes comes from, in words."""
    parameters: ClassVar[tuple[Parameter, ...]]
    example: ClassVar[Mapping[str, object]]
    """Arguments of a sample call, for the docs."""
    names_columns: ClassVar[bool] = False
    """Whether it names the columns; `suggest_lenses` then suggests nothing that looks into columns."""
    needs_python: ClassVar[bool] = False
    """Whether it takes a Python function; forms and the command line leave it out."""

    @abstractmethod
    def plan(self, table: InputTable, arguments: Arguments) -> TransformationPlan:
        """Look at the table and return what to make of it: SQL for columns and rows, templates, guesses, statistics."""

    @property
    def description(self) -> str:
        """The docstring as one line."""
        return " ".join((inspect.getdoc(self) or "").split())

    def check(self, asker: str, values: Mapping[str, object]) -> dict[str, object]:
        """Return the parsed values; refuse those that do not fit. `asker` is named in the error. Needs no table."""
        return check_values(asker, self.parameters, values)

    def bind(self, label: str, schema: Schema, values: Mapping[str, object]) -> Arguments:
        """Return the arguments of a call over a table; refuse wrong values and columns that the table does not have."""
        parsed = self.check(self.name, values)
        for each in self.parameters:
            if each.kind == "column" and parsed[each.name] is not None:
                parsed[each.name] = find_column(label, schema, parsed[each.name])
            elif each.kind == "columns":
                parsed[each.name] = _columns(label, schema, parsed[each.name])
        return Arguments(parsed)

    def suggest_for_table(self, look: TableLook) -> Iterator[Suggestion]:
        """Yield a suggestion if this transformation would help the table."""
        yield from ()

    def suggest_for_column(self, look: ColumnLook) -> Iterator[Suggestion]:
        """Yield a suggestion if this transformation would help the column."""
        yield from ()


def _columns(label: str, schema: Schema, names: object) -> tuple[Field, ...] | None:
    if is_open(names) or not isinstance(names, tuple):
        return None
    return tuple(find_column(label, schema, name) for name in names)
