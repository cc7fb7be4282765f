"""What a lens is: a query over a dataset that repairs it, a sentence, and caveats on exactly what it guessed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from whence.cleaning.chosen import Chosen
from whence.cleaning.parameter import Parameter, near_miss
from whence.cleaning.sql import quoted
from whence.model.caveat import Caveat
from whence.model.dataset import Doubt
from whence.model.errors import UserError
from whence.model.schema import Field, Schema

RID = "__whence_rid"
"""The column in which a lens sees the position of a row of its input."""

Row = dict[str, object]


@dataclass(frozen=True)
class LensInput:
    """The dataset a lens looks at. `view` is its name in SQL; there each row also has its rid."""

    label: str
    view: str
    schema: Schema
    rows: int
    doubt: Doubt
    ask: Callable[[str], list[Row]]
    """Run a query to learn something; all rows take part."""
    head: Callable[[int], list[Row]]
    """The first rows, in rid order."""
    earlier: Callable[[str], Mapping[str, object] | None]
    """What the lens of this name learned when the dataset to be made was last made."""

    def learn(self, *expressions: str, where: str = "true") -> list[object]:
        """One value for each aggregate over all rows."""
        named = ", ".join(f"{each} as v{number}" for number, each in enumerate(expressions))
        (row,) = self.ask(f"select {named} from {self.view} where {where}")
        return list(row.values())

    def outputs(self, changed: Mapping[str, str] | None = None) -> tuple[Output, ...]:
        """Every column as it is, but for those that are computed another way."""
        changed = changed or {}
        return tuple(Output(name, changed.get(name, quoted(name))) for name in self.schema.names)

    def text_columns(self, columns: tuple[Field, ...]) -> tuple[Field, ...]:
        """These columns, which must hold text; all that do, if none was named."""
        for column in columns:
            if column.type != "string":
                raise UserError(f"{column.name} holds {column.type}, not text.")
        return columns or tuple(column for column in self.schema if column.type == "string")

    def helper(self, name: str) -> str:
        """A name, already quoted, for a column that a lens needs on the way and no user column has."""
        taken = {each.lower() for each in self.schema.names}
        while name in taken:
            name += "_"
        return quoted(name)

    def free_name(self, name: str) -> str:
        """The name of a new column; one that is taken is refused."""
        if name.lower() in {each.lower() for each in self.schema.names}:
            raise UserError(f"{self.label} already has a column {name}.", "Give the new column another name.")
        return name

    def learned_in_doubt(self, *columns: Field) -> str:
        """A sentence if what was learned from these columns was learned from data in doubt."""
        is_doubtful = self.doubt.rows or self.doubt.row_set or any(each.name in self.doubt.columns for each in columns)
        return f" Some of what this was learned from in {self.label} is in doubt." if is_doubtful else ""


@dataclass(frozen=True)
class Output:
    """One column of the result: its name and the SQL expression that gives it."""

    name: str
    sql: str


@dataclass(frozen=True)
class Guess:
    """Something the lens assumed: on a column of the result (None: the row might not belong), where, and in words.

    `when` is a SQL condition and `message` a SQL text, evaluated where the outputs are. Without a message the guess
    only marks, and a note of the lens says why: one for the whole column, instead of one for each cell.
    """

    column: str | None
    family: str
    when: str
    message: str | None


@dataclass(frozen=True)
class Sieve:
    """Which rows stay, and which of those that go might belong after all."""

    keep: str
    doubt: str


@dataclass(frozen=True)
class Cleaned:
    """What a lens gives: a query, what it did in one sentence, what it guessed and what it learned."""

    outputs: tuple[Output, ...]
    sentence: str
    guesses: tuple[Guess, ...] = ()
    learned: Mapping[str, object] = field(default_factory=dict)
    source: str = ""
    """FROM, if it is not the input itself."""
    tail: str = ""
    """GROUP BY and ORDER BY."""
    sieve: Sieve | None = None
    notes: tuple[Caveat, ...] = ()
    """Caveats about whole columns or the whole dataset."""


class Lens(ABC):
    """One way of cleaning. It never changes data in silence: a guessed value has a guess behind it."""

    name: ClassVar[str]
    title: ClassVar[str]
    guesses: ClassVar[str]
    """What gets a caveat, in words, for the docs."""
    parameters: ClassVar[tuple[Parameter, ...]]

    @abstractmethod
    def clean(self, given: LensInput, chosen: Chosen) -> Cleaned:
        """The query over the input, for these parameter values."""

    def check(self, values: Mapping[str, object]) -> None:
        """Refuse a value nobody asked for, and a needed one that is missing."""
        known = [parameter.name for parameter in self.parameters]
        for name in values:
            if name not in known:
                hint = near_miss(name, known) or f"It takes {', '.join(known)}."
                raise UserError(f"The lens {self.name} has no parameter {name}.", hint)
        for parameter in self.parameters:
            if parameter.is_required and values.get(parameter.name) is None:
                raise UserError(f"The lens {self.name} needs {parameter.name}: {parameter.label}.")

    def choose(self, label: str, schema: Schema, values: Mapping[str, object]) -> Chosen:
        """The values as the lens reads them; one of the wrong type is refused."""
        self.check(values)
        parsed = {each.name: each.parse(self.name, label, schema, values.get(each.name)) for each in self.parameters}
        return Chosen(parsed)
