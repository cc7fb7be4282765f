"""A transformation: a named step over a dataset that says what it guesses and which cells its cells come from."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from whence.model.parameter import Parameter, check_values, find_column, is_open
from whence.model.schema import Field, Schema
from whence.transformations.applied import Applied
from whence.transformations.chosen import Chosen
from whence.transformations.given import Given
from whence.transformations.suggestion import ColumnLook, Suggestion, TableLook

Group = Literal["Query", "Clean", "Prepare"]
"""Where menus show a transformation."""


class Transformation(ABC):
    """One entry of the vocabulary. Its docstring's first sentence says what it does.

    It never changes data in silence: a guessed value has a guess behind it, and each cell it writes a template.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    group: ClassVar[Group]
    guesses: ClassVar[str] = "nothing"
    """What gets a caveat, in words."""
    core: ClassVar[str] = "transformation"
    """Its pattern in section 3.2 of Chapman, Missier, Simonelli and Torlone (PVLDB 14(4), 2021)."""
    provenance: ClassVar[str]
    """Which cells a cell it writes comes from, in words."""
    parameters: ClassVar[tuple[Parameter, ...]]
    example: ClassVar[Mapping[str, object]]
    """Values to call it with, for the docs."""
    names_columns: ClassVar[bool] = False
    """It gives columns their names, so it comes before everything that looks into columns."""
    needs_python: ClassVar[bool] = False
    """It takes a Python function, which no form and no command line can give."""

    @abstractmethod
    def apply(self, given: Given, chosen: Chosen) -> Applied:
        """What it makes of a table: columns, rows that stay, templates, guesses and what it learned."""

    @property
    def description(self) -> str:
        """What it does, in one sentence or two."""
        return " ".join((inspect.getdoc(self) or "").split())

    def check(self, asker: str, values: Mapping[str, object]) -> dict[str, object]:
        """The parsed values; those that do not fit are refused in the name of who asks, before there is a table."""
        return check_values(asker, self.parameters, values)

    def choose(self, label: str, schema: Schema, values: Mapping[str, object]) -> Chosen:
        """The values as the transformation reads them; a wrong one, or a column that is not there, is refused."""
        parsed = self.check(self.name, values)
        for each in self.parameters:
            if each.kind == "column" and parsed[each.name] is not None:
                parsed[each.name] = find_column(label, schema, parsed[each.name])
            elif each.kind == "columns":
                parsed[each.name] = _columns(label, schema, parsed[each.name])
        return Chosen(parsed)

    def suggest_for_table(self, look: TableLook) -> Iterator[Suggestion]:
        """Say if this would help a dataset as a whole."""
        yield from ()

    def suggest_for_column(self, look: ColumnLook) -> Iterator[Suggestion]:
        """Say if this would help a column."""
        yield from ()


def _columns(label: str, schema: Schema, names: object) -> tuple[Field, ...] | None:
    if is_open(names) or not isinstance(names, tuple):
        return None
    return tuple(find_column(label, schema, name) for name in names)
